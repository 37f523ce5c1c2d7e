/* The loops of loops.h, included once for each set of instructions; IDNF(name) is the name for the present one. */

/* sums[f] = sum of weights[e] over the examples e at places[0..count) whose cell f is -1. */
static void IDNF(accumulate)(const int8_t *IDNF_RESTRICT cells, int64_t line, const int32_t *IDNF_RESTRICT places,
                            const int32_t *IDNF_RESTRICT weights, int64_t count, int32_t *IDNF_RESTRICT sums) {
    int64_t f, n = 0, m;
    /* Tables beyond the nearest caches wait for memory: their lines are asked for some examples ahead. */
    int64_t ahead = count && line * places[count - 1] > IDNF_NEAR ? count - IDNF_AHEAD - 4 : -1;
    for (f = 0; f < line; f++) sums[f] = 0;
    for (; n + 4 <= count; n += 4) {
        if (n <= ahead)
            for (m = n + IDNF_AHEAD; m < n + IDNF_AHEAD + 4; m++)
                for (f = 0; f < line; f += 64) IDNF_PREFETCH(cells + places[m] * line + f);
        const int8_t *a = cells + places[n] * line, *b = cells + places[n + 1] * line;
        const int8_t *c = cells + places[n + 2] * line, *d = cells + places[n + 3] * line;
        int32_t u = weights[n], v = weights[n + 1], w = weights[n + 2], x = weights[n + 3];
        for (f = 0; f < line; f++) sums[f] += (u & a[f]) + (v & b[f]) + (w & c[f]) + (x & d[f]);
    }
    for (; n < count; n++) {
        const int8_t *a = cells + places[n] * line;
        int32_t u = weights[n];
        for (f = 0; f < line; f++) sums[f] += u & a[f];
    }
}

#ifdef IDNF_WIDEN
/* The same over the examples of a mask, for lines of few cells: sums stay in registers. */
#define IDNF_ADD(sum, part) \
    if (part < parts) sum += IDNF_WIDEN(line + part * IDNF_LANES) & weight;
#define IDNF_PUT(sum, part) \
    if (part < parts) *(IDNF_NUMBERS *)(sums + part * IDNF_LANES) = sum;
IDNF_INLINE int64_t IDNF(narrow_sums)(const int8_t *IDNF_RESTRICT cells, const int32_t *IDNF_RESTRICT net,
                                        const uint64_t *IDNF_RESTRICT mask, int64_t words,
                                        int32_t *IDNF_RESTRICT sums, const int blocks) {
    const int parts = 16 * blocks / IDNF_LANES;
    IDNF_NUMBERS a = {0}, b = {0}, c = {0}, d = {0}, e = {0}, f = {0}, g = {0}, h = {0};
    int64_t w, total = 0;
    for (w = 0; w < words; w++) {
        uint64_t word = mask[w];
        while (word) {
            int64_t place = (w << 6) + idnf_lowest(word);
            const int8_t *line = cells + 16 * blocks * place;
            int32_t weight = net[place];
            word &= word - 1;
            total += weight;
            IDNF_ADD(a, 0) IDNF_ADD(b, 1) IDNF_ADD(c, 2) IDNF_ADD(d, 3)
            IDNF_ADD(e, 4) IDNF_ADD(f, 5) IDNF_ADD(g, 6) IDNF_ADD(h, 7)
        }
    }
    IDNF_PUT(a, 0) IDNF_PUT(b, 1) IDNF_PUT(c, 2) IDNF_PUT(d, 3)
    IDNF_PUT(e, 4) IDNF_PUT(f, 5) IDNF_PUT(g, 6) IDNF_PUT(h, 7)
    return total;
}
#undef IDNF_ADD
#undef IDNF_PUT
#endif

/* sums[f] = net weight of the examples of a mask whose cell f is -1, for narrow tables; returns the weight of all. */
static int64_t IDNF(sums)(const int8_t *cells, int64_t line, const int32_t *net, const uint64_t *mask, int64_t words,
                         int32_t *sums) {
#ifdef IDNF_WIDEN
    switch (line) {
    case 16: return IDNF(narrow_sums)(cells, net, mask, words, sums, 1);
    case 32: return IDNF(narrow_sums)(cells, net, mask, words, sums, 2);
    case 48: return IDNF(narrow_sums)(cells, net, mask, words, sums, 3);
    case 64: return IDNF(narrow_sums)(cells, net, mask, words, sums, 4);
#if IDNF_LANES == 16
    case 80: return IDNF(narrow_sums)(cells, net, mask, words, sums, 5);
    case 96: return IDNF(narrow_sums)(cells, net, mask, words, sums, 6);
    case 112: return IDNF(narrow_sums)(cells, net, mask, words, sums, 7);
    case 128: return IDNF(narrow_sums)(cells, net, mask, words, sums, 8);
#endif
    default: return 0;
    }
#else
    return 0;
#endif
}

/* The net weight of the examples of a mask. */
static int64_t IDNF(weight)(const uint64_t *IDNF_RESTRICT mask, const int32_t *IDNF_RESTRICT net, int64_t size) {
    int64_t w = 0, total = 0;
#ifdef IDNF_WIDEN
    const idnf_shifts places = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    int64_t lane;
    for (; w < size >> 6; w++) {
        uint64_t word = mask[w];
        if (!word) continue;
        idnf_lanes sums = {0};
        int part;
        for (part = 0; part < 4; part++) {
            idnf_shifts bits = ((places & 0) + (uint32_t)(word >> 16 * part & 0xFFFF)) >> places & 1;
            sums += *(const idnf_lanes *)(net + 64 * w + 16 * part) & -(idnf_lanes)bits;
        }
        for (lane = 0; lane < 16; lane++) total += sums[lane];
    }
#endif
    for (; w < (size + 63) >> 6; w++) {
        uint64_t word = mask[w];
        while (word) {
            total += net[(w << 6) + idnf_lowest(word)];
            word &= word - 1;
        }
    }
    return total;
}

/* into = mask & literal, or & ~literal. */
static void IDNF(and)(uint64_t *into, const uint64_t *mask, const uint64_t *literal, int negated, int64_t words) {
    int64_t w;
    if (negated)
        for (w = 0; w < words; w += IDNF_STEP) *(idnf_words *)(into + w) = IDNF_AT(mask, w) & ~IDNF_AT(literal, w);
    else
        for (w = 0; w < words; w += IDNF_STEP) *(idnf_words *)(into + w) = IDNF_AT(mask, w) & IDNF_AT(literal, w);
}

/* The examples that satisfy some term: a term holds where its prefix of every row does. */
static void IDNF(covered)(const uint64_t *prefixes, int64_t words, int64_t order, const int32_t *vectors,
                          const int32_t *terms, int64_t n_terms, const uint64_t *everything, uint64_t *into) {
    int64_t w, t, i;
    for (w = 0; w < words; w += IDNF_STEP) {
        idnf_words some = IDNF_AT(everything, w) & ~IDNF_AT(everything, w);
        for (t = 0; t < n_terms; t++) {
            const int32_t *r = vectors + terms[t] * order;
            idnf_words every = IDNF_AT(everything, w);
            for (i = 0; i < order; i++) every &= IDNF_AT(prefixes + (i * (order + 1) + r[i]) * words, w);
            some |= every;
        }
        *(idnf_words *)(into + w) = some;
    }
}

IDNF_INLINE void IDNF(decided)(const uint64_t *prefixes, int64_t words, const int64_t order, const int32_t *vectors,
                               const int32_t *terms, int64_t n_terms, int64_t i, int64_t j, const uint64_t **later,
                               const int32_t *negated, const uint64_t *reach, uint64_t *into) {
    int64_t w, t, n;
    for (w = 0; w < words; w += IDNF_STEP) {
        /* Row i by the length of a prefix, as if the literal held; the terms that go beyond it, and the others. */
        idnf_words runs[IDNF_MOST_ORDER + 1], some[2];
        for (n = 0; n <= j; n++) runs[n] = IDNF_AT(prefixes + (i * (order + 1) + n) * words, w) & IDNF_AT(reach, w);
        runs[j + 1] = runs[j];
        for (n = j + 2; n <= order; n++)
            runs[n] = runs[n - 1] & (IDNF_AT(later[n - j - 2], w) ^ -(uint64_t)negated[n - j - 2]);
        some[0] = some[1] = runs[0] & ~runs[0];
        for (t = 0; t < n_terms; t++) {
            const int32_t *r = vectors + terms[t] * order;
            idnf_words every = runs[r[i]];
            for (n = 0; n < order; n++)
                every &= IDNF_AT(prefixes + (n * (order + 1) + (n == i ? 0 : r[n])) * words, w);
            some[r[i] > j] |= every;
        }
        *(idnf_words *)(into + w) = some[1] & ~some[0];
    }
}

/* The examples of a reach whose value is decided by the literal in row i, column j.
 * `later` has the masks of the literals behind it in the row, `negated` is 1 where one is to be turned.
 */
static void IDNF(deciding)(const uint64_t *prefixes, int64_t words, int64_t order, const int32_t *vectors,
                           const int32_t *terms, int64_t n_terms, int64_t i, int64_t j, const uint64_t **later,
                           const int32_t *negated, const uint64_t *reach, uint64_t *into) {
#define IDNF_OF_ORDER(size) \
    IDNF(decided)(prefixes, words, size, vectors, terms, n_terms, i, j, later, negated, reach, into)
    switch (order) {
    case 2: IDNF_OF_ORDER(2); break;
    case 3: IDNF_OF_ORDER(3); break;
    case 4: IDNF_OF_ORDER(4); break;
    default: IDNF_OF_ORDER(order);
    }
#undef IDNF_OF_ORDER
}

/* Adds the weight of points to the gains of the vectors that hold there, which are in two halves: a line of gains for
 * each first half. For each first code, `lists` from `bounds` on has the first halves that are not above it; for each
 * second code, `rows` is -1 at the second halves that are not. `lanes` says how many of these a first half goes with.
 */
static void IDNF(recount)(const int32_t *bounds, const int32_t *lists, const int32_t *lanes, const int8_t *rows,
                          int64_t line, const int32_t *codes, const int32_t *weights, int64_t count, int32_t *gains) {
    int32_t own[IDNF_MOST_HALVES];
    int64_t n, a, l;
    for (n = 0; n < count; n++) {
        const int8_t *row = rows + (codes[n] >> 16) * line;
        int64_t last = bounds[(codes[n] & 0xFFFF) + 1];
        for (l = 0; l < line; l++) own[l] = row[l] & weights[n];
        for (a = bounds[codes[n] & 0xFFFF]; a < last; a++) {
            int32_t *gain = gains + lists[a] * line;
            for (l = 0; l < lanes[lists[a]]; l += IDNF_LANE_STEP) *(idnf_lanes *)(gain + l) += *(idnf_lanes *)(own + l);
        }
    }
}

/* The points at which a vector holds: no byte of the difference of their lengths borrows; returns their number. */
static int64_t IDNF(held)(const uint64_t *points, int64_t count, uint64_t vector, int32_t *places) {
    const uint64_t high = UINT64_C(0x8080808080808080);
    int64_t p = 0, found = 0;
#ifdef IDNF_EQUAL
    for (; p + 8 <= count; p += 8) {
        unsigned some = IDNF_EQUAL(((IDNF_AT(points, p) | high) - vector) & high, (idnf_words){0} + high);
        while (some) {
            places[found++] = (int32_t)p + idnf_lowest(some);
            some &= some - 1;
        }
    }
#endif
    for (; p < count; p++) {
        places[found] = (int32_t)p;
        found += (((points[p] | high) - vector) & high) == high;
    }
    return found;
}

/* values[v] = the gain of a vector less its price. */
static void IDNF(worth)(const int32_t *IDNF_RESTRICT gains, const int32_t *IDNF_RESTRICT places,
                        const int64_t *IDNF_RESTRICT prices, int64_t count, int64_t *IDNF_RESTRICT values) {
    int64_t v;
    for (v = 0; v < count; v++) values[v] = gains[places[v]] - prices[v];
}

/* codes[e] = sum over rows of the row's step times how many prefixes of it hold at e, for all examples of the words. */
static void IDNF(codes)(const uint64_t *prefixes, int64_t words, int64_t order, const int32_t *steps,
                       int32_t *IDNF_RESTRICT codes) {
    int64_t w, i, j;
#ifdef IDNF_WIDEN
    const idnf_shifts places = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    for (w = 0; w < words; w++) {
        idnf_lanes a = {0}, b = {0}, c = {0}, d = {0};
        for (i = 0; i < order; i++)
            for (j = 1; j <= order; j++) {
                uint64_t word = prefixes[(i * (order + 1) + j) * words + w];
                int32_t step = steps[i];
                if (!word) break;
                a += -(idnf_lanes)(((places & 0) + (uint32_t)(word & 0xFFFF)) >> places & 1) & step;
                b += -(idnf_lanes)(((places & 0) + (uint32_t)(word >> 16 & 0xFFFF)) >> places & 1) & step;
                c += -(idnf_lanes)(((places & 0) + (uint32_t)(word >> 32 & 0xFFFF)) >> places & 1) & step;
                d += -(idnf_lanes)(((places & 0) + (uint32_t)(word >> 48)) >> places & 1) & step;
            }
        *(idnf_lanes *)(codes + 64 * w) = a;
        *(idnf_lanes *)(codes + 64 * w + 16) = b;
        *(idnf_lanes *)(codes + 64 * w + 32) = c;
        *(idnf_lanes *)(codes + 64 * w + 48) = d;
    }
#else
    memset(codes, 0, 64 * words * sizeof(int32_t));
    for (i = 0; i < order; i++)
        for (j = 1; j <= order; j++)
            for (w = 0; w < words; w++) {
                uint64_t word = prefixes[(i * (order + 1) + j) * words + w];
                while (word) {
                    codes[(w << 6) + idnf_lowest(word)] += steps[i];
                    word &= word - 1;
                }
            }
#endif
}

/* The greatest of some values. */
static int64_t IDNF(greatest)(const int64_t *values, int64_t count) {
    int64_t n, best = values[0];
    for (n = 1; n < count; n++) best = values[n] > best ? values[n] : best;
    return best;
}

/* The places of the values that are not below a bound; returns their number. */
static int64_t IDNF(near)(const int64_t *values, int64_t count, int64_t bound, int32_t *places) {
    int64_t n = 0, m, found = 0;
    for (; n + 16 <= count; n += 16) {
        int64_t some = 0;
        for (m = 0; m < 16; m++) some |= -(int64_t)(values[n + m] >= bound);
        if (some)
            for (m = n; m < n + 16; m++) {
                places[found] = (int32_t)m;
                found += values[m] >= bound;
            }
    }
    for (; n < count; n++) {
        places[found] = (int32_t)n;
        found += values[n] >= bound;
    }
    return found;
}

/* chances[n] = how likely a value is drawn, by its distance from the best; sums has the sums of 16 at a time; returns
 * the sum of all.
 */
static int64_t IDNF(chances)(const int64_t *IDNF_RESTRICT values, int64_t count, int64_t best, int64_t farthest,
                             int64_t factor, int64_t shift, const int64_t *IDNF_RESTRICT table,
                             int64_t *IDNF_RESTRICT chances, int64_t *IDNF_RESTRICT sums) {
    int64_t n, m, total = 0;
    for (n = 0; n < count; n += 16) {
        int64_t some = 0, sum = 0, last = n + 16 < count ? n + 16 : count;
        if (last == n + 16)
            for (m = 0; m < 16; m++) some |= -(int64_t)(best - values[n + m] <= farthest);
        else
            some = 1;
        if (some)
            for (m = n; m < last; m++) {
                int64_t distance = best - values[m];
                int64_t near = -(int64_t)(distance <= farthest);
                chances[m] = table[((distance & near) * factor) >> shift] & near;
                sum += chances[m];
            }
        sums[n >> 4] = sum;
        total += sum;
    }
    return total;
}

/* sums[j][l] = weight of the examples at places[0..count) that have features j and l; lines of `line` features. */
static void IDNF(pairs)(const int8_t *cells, int64_t line, const uint64_t *bits, int64_t words, const int32_t *places,
                        const int32_t *net, int64_t count, int32_t *sums) {
    int32_t own[IDNF_MOST_PAIRED];
    int64_t n, w, l;
    memset(sums, 0, line * line * sizeof(int32_t));
    for (n = 0; n < count; n++) {
        const int8_t *cell = cells + places[n] * line;
        int32_t weight = net[places[n]];
        if (!weight) continue;
        for (l = 0; l < line; l++) own[l] = cell[l] & weight;
        for (w = 0; w < words; w++) {
            uint64_t word = bits[places[n] * words + w];
            while (word) {
                int32_t *sum = sums + ((w << 6) + idnf_lowest(word)) * line;
                word &= word - 1;
                for (l = 0; l < line; l += IDNF_LANE_STEP) *(idnf_lanes *)(sum + l) += *(const idnf_lanes *)(own + l);
            }
        }
    }
}

/* What each feature is worth above the best trees of depth one, from the pairs of features: a table for each label of
 * what it gains over the label that is given for nothing, and the sum of all gains of each. Returns the value of the
 * best tree of depth at most two.
 */
static int64_t IDNF(above_splits)(const int32_t *pairs, int64_t labels, int64_t line, int64_t features,
                                  const int64_t *totals, int64_t price, int32_t *singles, int64_t *worth) {
    int32_t both[IDNF_MOST_PAIRED], first[IDNF_MOST_PAIRED], second[IDNF_MOST_PAIRED], neither[IDNF_MOST_PAIRED];
    int64_t g, j, l, best = 0;
    for (g = 0; g < labels; g++) {
        best = totals[g] > best ? totals[g] : best;
        for (l = 0; l < line; l++) singles[g * line + l] = pairs[(g * line + l) * line + l];
    }
    for (j = 0; j < features; j++) {
        int64_t here = 0, elsewhere = 0;
        int32_t high = 0, low = 0;
        memset(both, 0, line * sizeof(int32_t));
        memset(first, 0, line * sizeof(int32_t));
        memset(second, 0, line * sizeof(int32_t));
        memset(neither, 0, line * sizeof(int32_t));
        for (g = 0; g < labels; g++) {
            const int32_t *pair = pairs + (g * line + j) * line, *single = singles + g * line;
            int32_t own = single[j], rest = (int32_t)totals[g] - own;
            here = own > here ? own : here;
            elsewhere = rest > elsewhere ? rest : elsewhere;
            for (l = 0; l < line; l++) {
                int32_t a = pair[l], b = own - a, c = single[l] - a, d = rest - c;
                both[l] = a > both[l] ? a : both[l];
                first[l] = b > first[l] ? b : first[l];
                second[l] = c > second[l] ? c : second[l];
                neither[l] = d > neither[l] ? d : neither[l];
            }
        }
        for (l = 0; l < line; l++) {
            int32_t with_it = both[l] + first[l], without = second[l] + neither[l];
            high = with_it > high ? with_it : high;
            low = without > low ? without : low;
        }
        if (high - price > here) here = high - price;
        if (low - price > elsewhere) elsewhere = low - price;
        worth[j] = here + elsewhere - price;
        best = worth[j] > best ? worth[j] : best;
    }
    return best;
}

/* numbers[n] = the n-th of a row of random numbers, n itself in its lowest bits. */
static void IDNF(mixes)(uint64_t key, uint64_t factor, int64_t count, uint64_t *numbers) {
    int64_t n;
    for (n = 0; n < count; n++)
        numbers[n] = (idnf_mixed(key + (uint64_t)n * factor) & ~(uint64_t)IDNF_NUMBERED) | (uint64_t)n;
}

/* The places of the smallest of these, in order; they are written over. */
static void IDNF(smallest)(uint64_t *numbers, int64_t count, int64_t wanted, int32_t *places) {
    int64_t n, m;
    for (m = 0; m < wanted; m++) {
        uint64_t least = numbers[0];
        for (n = 1; n < count; n++) least = numbers[n] < least ? numbers[n] : least;
        places[m] = (int32_t)(least & IDNF_NUMBERED);
        numbers[places[m]] = UINT64_MAX;
    }
}

#ifdef IDNF_WIDEN
#define IDNF_ADD(ones, zeros, part) \
    if (part < parts) { \
        IDNF_NUMBERS cell = IDNF_WIDEN(line + part * IDNF_LANES); \
        ones += cell & positive[place]; \
        zeros += cell & negative[place]; \
    }
#define IDNF_PUT(ones, zeros, part) \
    if (part < parts) { \
        *(IDNF_NUMBERS *)(sums + part * IDNF_LANES) = ones; \
        *(IDNF_NUMBERS *)(sums + 16 * blocks + part * IDNF_LANES) = zeros; \
    }
IDNF_INLINE void IDNF(few_class_sums)(const int8_t *IDNF_RESTRICT cells, const int32_t *IDNF_RESTRICT places,
                                      const int32_t *IDNF_RESTRICT positive, const int32_t *IDNF_RESTRICT negative,
                                      int64_t count, int32_t *IDNF_RESTRICT sums, const int blocks) {
    const int parts = 16 * blocks / IDNF_LANES;
    IDNF_NUMBERS a = {0}, b = {0}, c = {0}, d = {0}, e = {0}, f = {0}, g = {0}, h = {0};
    int64_t n;
    for (n = 0; n < count; n++) {
        int64_t place = places[n];
        const int8_t *line = cells + 16 * blocks * place;
        IDNF_ADD(a, b, 0) IDNF_ADD(c, d, 1) IDNF_ADD(e, f, 2) IDNF_ADD(g, h, 3)
    }
    IDNF_PUT(a, b, 0) IDNF_PUT(c, d, 1) IDNF_PUT(e, f, 2) IDNF_PUT(g, h, 3)
}
#undef IDNF_ADD
#undef IDNF_PUT
#endif

/* For each feature the weight of class 1 among the examples at places[0..count), then for each that of class 0. */
static void IDNF(class_sums)(const int8_t *cells, int64_t line, const int32_t *places, const int32_t *positive,
                             const int32_t *negative, int64_t count, int32_t *sums) {
    int64_t n, f;
#ifdef IDNF_WIDEN
    switch (line / IDNF_LANES) {
    case 1: IDNF(few_class_sums)(cells, places, positive, negative, count, sums, 1); return;
    case 2: IDNF(few_class_sums)(cells, places, positive, negative, count, sums, IDNF_LANES / 8); return;
#if IDNF_LANES == 16
    case 3: IDNF(few_class_sums)(cells, places, positive, negative, count, sums, 3); return;
#endif
    case 4: IDNF(few_class_sums)(cells, places, positive, negative, count, sums, IDNF_LANES / 4); return;
    default: break;
    }
#endif
    memset(sums, 0, 2 * line * sizeof(int32_t));
    for (n = 0; n < count; n++) {
        const int8_t *cell = cells + places[n] * line;
        int32_t one = positive[places[n]], zero = negative[places[n]];
        for (f = 0; f < line; f++) {
            sums[f] += cell[f] & one;
            sums[line + f] += cell[f] & zero;
        }
    }
}
