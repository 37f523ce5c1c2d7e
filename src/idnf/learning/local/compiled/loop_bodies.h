/* The loops of loops.h, which says what each computes; included once for each set of instructions (loop_variants.h).
 *
 * IDNF(name)    the name of a loop, or of a part of one, for these instructions
 * IDNF_LOOP     what a definition of a loop begins with; IDNF_PART the same for what is inlined into a loop
 * IDNF_WORDS    the type of one or several words that are worked on at once
 * IDNF_NUMBERS  the same for numbers of 32 bits
 * IDNF_WIDEST   the longest line of cells for which sums stay in registers, 0 for none
 * and only if there are vectors of IDNF_LANES such numbers:
 * IDNF_BITS     the same, unsigned; IDNF_LANE_BITS has one bit for each lane
 * IDNF_WIDEN    as many cells, a byte each, as such numbers
 * IDNF_EQUAL    optional: a bit for each of several words that is equal to another
 */
#define IDNF_STEP ((int64_t)(sizeof(IDNF_WORDS) / 8))
#define IDNF_LANE_STEP ((int64_t)(sizeof(IDNF_NUMBERS) / 4))
#define IDNF_AT(mask, place) (*(const IDNF_WORDS *)((mask) + (place)))
#ifdef IDNF_LANES
/* -1 in the lanes of the bits that are set, the lowest first. */
#define IDNF_CHOSEN(bits) ((IDNF_NUMBERS)((((IDNF_BITS){0} + (uint32_t)(bits)) & lane_bits) != 0))
#endif

IDNF_LOOP void IDNF(accumulate)(const int8_t *IDNF_RESTRICT cells, int64_t line, const int32_t *IDNF_RESTRICT places,
                                const int32_t *IDNF_RESTRICT weights, int64_t count, int32_t *IDNF_RESTRICT sums) {
    int64_t f, n = 0, m;
    /* Tables beyond the nearest caches wait for memory: their lines are fetched some examples ahead. */
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

#ifdef IDNF_LANES
/* A line of cells of 16 * blocks features: each of up to 16 registers has the sums of some of them. */
#define IDNF_EACH(X) \
    X(a, 0) X(b, 1) X(c, 2) X(d, 3) X(e, 4) X(f, 5) X(g, 6) X(h, 7) \
    X(i, 8) X(j, 9) X(k, 10) X(l, 11) X(m, 12) X(n, 13) X(o, 14) X(p, 15)
#define IDNF_NOTHING(sum, part) IDNF_NUMBERS sum = {0};
#define IDNF_ADD(sum, part) \
    if (part < parts) sum += IDNF_WIDEN(line + part * IDNF_LANES) & weight;
#define IDNF_PUT(sum, part) \
    if (part < parts) *(IDNF_NUMBERS *)(sums + part * IDNF_LANES) = sum;
IDNF_PART int64_t IDNF(narrow_sums)(const int8_t *IDNF_RESTRICT cells, const int32_t *IDNF_RESTRICT net,
                                    const uint64_t *IDNF_RESTRICT mask, int64_t words, int32_t *IDNF_RESTRICT sums,
                                    const int blocks) {
    const int parts = 16 * blocks / IDNF_LANES;
    int64_t w, total = 0;
    IDNF_EACH(IDNF_NOTHING)
    for (w = 0; w < words; w++) {
        uint64_t word = mask[w];
        while (word) {
            int64_t place = (w << 6) + idnf_lowest(word);
            const int8_t *line = cells + 16 * blocks * place;
            int32_t weight = net[place];
            word &= word - 1;
            total += weight;
            IDNF_EACH(IDNF_ADD)
        }
    }
    IDNF_EACH(IDNF_PUT)
    return total;
}
#undef IDNF_EACH
#undef IDNF_NOTHING
#undef IDNF_ADD
#undef IDNF_PUT
#endif

IDNF_LOOP int64_t IDNF(sums)(const int8_t *cells, int64_t line, const int32_t *net, const uint64_t *mask, int64_t words,
                             int32_t *sums) {
#if IDNF_WIDEST
#define IDNF_OF_BLOCKS(blocks) \
    case 16 * blocks: return IDNF(narrow_sums)(cells, net, mask, words, sums, blocks);
    switch (line) {
        IDNF_OF_BLOCKS(1)
        IDNF_OF_BLOCKS(2)
#if IDNF_WIDEST > 32
        IDNF_OF_BLOCKS(3)
        IDNF_OF_BLOCKS(4)
#endif
#if IDNF_WIDEST > 64
        IDNF_OF_BLOCKS(5)
        IDNF_OF_BLOCKS(6)
        IDNF_OF_BLOCKS(7)
        IDNF_OF_BLOCKS(8)
#endif
    default: return 0;
    }
#undef IDNF_OF_BLOCKS
#else
    return 0;
#endif
}

IDNF_LOOP int64_t IDNF(weight)(const uint64_t *IDNF_RESTRICT mask, const int32_t *IDNF_RESTRICT net, int64_t size) {
    int64_t w = 0, total = 0;
#ifdef IDNF_LANES
    const IDNF_BITS lane_bits = IDNF_LANE_BITS;
    IDNF_NUMBERS sums = {0};
    int lane, part;
    for (; w < size >> 6; w++) {
        const uint64_t word = mask[w];
        if (!word) continue;
        for (part = 0; part < 64; part += IDNF_LANES)
            sums += *(const IDNF_NUMBERS *)(net + 64 * w + part) & IDNF_CHOSEN(word >> part);
    }
    for (lane = 0; lane < IDNF_LANES; lane++) total += sums[lane];
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

IDNF_LOOP void IDNF(intersect)(uint64_t *into, const uint64_t *mask, const uint64_t *literal, int negated,
                               int64_t words) {
    int64_t w;
    if (negated)
        for (w = 0; w < words; w += IDNF_STEP) *(IDNF_WORDS *)(into + w) = IDNF_AT(mask, w) & ~IDNF_AT(literal, w);
    else
        for (w = 0; w < words; w += IDNF_STEP) *(IDNF_WORDS *)(into + w) = IDNF_AT(mask, w) & IDNF_AT(literal, w);
}

IDNF_LOOP void IDNF(covered)(const uint64_t *prefixes, int64_t words, int64_t order, const int32_t *vectors,
                             const int32_t *terms, int64_t n_terms, const uint64_t *everything, uint64_t *into) {
    int64_t w, t, i;
    for (w = 0; w < words; w += IDNF_STEP) {
        IDNF_WORDS some = {0};
        for (t = 0; t < n_terms; t++) {
            const int32_t *r = vectors + terms[t] * order;
            IDNF_WORDS every = IDNF_AT(everything, w);
            for (i = 0; i < order; i++) every &= IDNF_AT(prefixes + (i * (order + 1) + r[i]) * words, w);
            some |= every;
        }
        *(IDNF_WORDS *)(into + w) = some;
    }
}

IDNF_PART void IDNF(decided)(const uint64_t *prefixes, int64_t words, const int64_t order, const int32_t *vectors,
                             const int32_t *terms, int64_t n_terms, int64_t i, int64_t j, const uint64_t **later,
                             const int32_t *negated, const uint64_t *reach, uint64_t *into) {
    int64_t w, t, n;
    for (w = 0; w < words; w += IDNF_STEP) {
        /* Row i by the length of a prefix, as if the literal held; the terms that go beyond it, and the others. */
        const IDNF_WORDS nothing = {0};
        IDNF_WORDS runs[IDNF_MOST_ORDER + 1], run = nothing, some[2] = {nothing, nothing};
        for (n = 0; n <= j; n++)
            runs[n] = run = IDNF_AT(prefixes + (i * (order + 1) + n) * words, w) & IDNF_AT(reach, w);
        runs[j + 1] = run;
        for (n = j + 2; n <= order; n++)
            runs[n] = run &= IDNF_AT(later[n - j - 2], w) ^ -(uint64_t)negated[n - j - 2];
        for (t = 0; t < n_terms; t++) {
            const int32_t *r = vectors + terms[t] * order;
            IDNF_WORDS every = runs[r[i]];
            for (n = 0; n < order; n++)
                every &= IDNF_AT(prefixes + (n * (order + 1) + (n == i ? 0 : r[n])) * words, w);
            some[r[i] > j] |= every;
        }
        *(IDNF_WORDS *)(into + w) = some[1] & ~some[0];
    }
}

IDNF_LOOP void IDNF(deciding)(const uint64_t *prefixes, int64_t words, int64_t order, const int32_t *vectors,
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

IDNF_LOOP void IDNF(recount)(const int32_t *bounds, const int32_t *lists, const int32_t *lanes, const int8_t *rows,
                             int64_t line, const int32_t *codes, const int32_t *weights, int64_t count,
                             int32_t *gains) {
    int32_t own[IDNF_MOST_HALVES];
    int64_t n, a, l;
    for (n = 0; n < count; n++) {
        const int8_t *row = rows + (codes[n] >> 16) * line;
        int64_t last = bounds[(codes[n] & 0xFFFF) + 1];
        for (l = 0; l < line; l++) own[l] = row[l] & weights[n];
        for (a = bounds[codes[n] & 0xFFFF]; a < last; a++) {
            int32_t *gain = gains + lists[a] * line;
            for (l = 0; l < lanes[lists[a]]; l += IDNF_LANE_STEP)
                *(IDNF_NUMBERS *)(gain + l) += *(const IDNF_NUMBERS *)(own + l);
        }
    }
}

IDNF_LOOP int64_t IDNF(held)(const uint64_t *points, int64_t count, uint64_t vector, int32_t *places) {
    const uint64_t high = UINT64_C(0x8080808080808080);
    int64_t p = 0, found = 0;
#ifdef IDNF_EQUAL
    for (; p + IDNF_STEP <= count; p += IDNF_STEP) {
        unsigned some = IDNF_EQUAL(((IDNF_AT(points, p) | high) - vector) & high, (IDNF_WORDS){0} + high);
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

IDNF_LOOP void IDNF(worth)(const int32_t *IDNF_RESTRICT gains, const int32_t *IDNF_RESTRICT places,
                           const int64_t *IDNF_RESTRICT prices, int64_t count, int64_t *IDNF_RESTRICT values) {
    int64_t v;
    for (v = 0; v < count; v++) values[v] = gains[places[v]] - prices[v];
}

IDNF_LOOP void IDNF(codes)(const uint64_t *prefixes, int64_t words, int64_t order, const int32_t *steps,
                           int32_t *IDNF_RESTRICT codes) {
    int64_t w, i, j;
#ifdef IDNF_LANES
    const IDNF_BITS lane_bits = IDNF_LANE_BITS;
    int first;
    for (w = 0; w < words; w++)
        for (first = 0; first < 64; first += 4 * IDNF_LANES) {
            IDNF_NUMBERS a = {0}, b = {0}, c = {0}, d = {0};
            IDNF_NUMBERS *into = (IDNF_NUMBERS *)(codes + 64 * w + first);
            for (i = 0; i < order; i++)
                for (j = 1; j <= order; j++) {
                    const uint64_t word = prefixes[(i * (order + 1) + j) * words + w] >> first;
                    const int32_t step = steps[i];
                    if (!word) break;
                    a += IDNF_CHOSEN(word) & step;
                    b += IDNF_CHOSEN(word >> IDNF_LANES) & step;
                    c += IDNF_CHOSEN(word >> 2 * IDNF_LANES) & step;
                    d += IDNF_CHOSEN(word >> 3 * IDNF_LANES) & step;
                }
            into[0] = a, into[1] = b, into[2] = c, into[3] = d;
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

IDNF_LOOP int64_t IDNF(greatest)(const int64_t *values, int64_t count) {
    int64_t n, best = values[0];
    for (n = 1; n < count; n++) best = values[n] > best ? values[n] : best;
    return best;
}

IDNF_LOOP int64_t IDNF(near)(const int64_t *values, int64_t count, int64_t bound, int32_t *places) {
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

IDNF_LOOP int64_t IDNF(chances)(const int64_t *IDNF_RESTRICT values, int64_t count, int64_t best, int64_t farthest,
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

IDNF_LOOP void IDNF(pairs)(const int8_t *cells, int64_t line, const uint64_t *bits, int64_t words,
                           const int32_t *places, const int32_t *net, int64_t count, int32_t *sums) {
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
                for (l = 0; l < line; l += IDNF_LANE_STEP)
                    *(IDNF_NUMBERS *)(sum + l) += *(const IDNF_NUMBERS *)(own + l);
            }
        }
    }
}

IDNF_LOOP int64_t IDNF(above_splits)(const int32_t *pairs, int64_t labels, int64_t line, int64_t features,
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

IDNF_LOOP void IDNF(mixes)(uint64_t key, uint64_t factor, int64_t count, uint64_t *numbers) {
    int64_t n;
    for (n = 0; n < count; n++)
        numbers[n] = (idnf_mixed(key + (uint64_t)n * factor) & ~(uint64_t)IDNF_NUMBERED) | (uint64_t)n;
}

IDNF_LOOP void IDNF(smallest)(uint64_t *numbers, int64_t count, int64_t wanted, int32_t *places) {
    int64_t n, m;
    for (m = 0; m < wanted; m++) {
        uint64_t least = numbers[0];
        for (n = 1; n < count; n++) least = numbers[n] < least ? numbers[n] : least;
        places[m] = (int32_t)(least & IDNF_NUMBERED);
        numbers[places[m]] = UINT64_MAX;
    }
}

#ifdef IDNF_LANES
#define IDNF_EACH(X) \
    X(a, b, 0) X(c, d, 1) X(e, f, 2) X(g, h, 3) X(i, j, 4) X(k, l, 5) X(m, n, 6) X(o, p, 7)
#define IDNF_NOTHING(ones, zeros, part) IDNF_NUMBERS ones = {0}, zeros = {0};
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
IDNF_PART void IDNF(few_class_sums)(const int8_t *IDNF_RESTRICT cells, const int32_t *IDNF_RESTRICT places,
                                    const int32_t *IDNF_RESTRICT positive, const int32_t *IDNF_RESTRICT negative,
                                    int64_t count, int32_t *IDNF_RESTRICT sums, const int blocks) {
    const int parts = 16 * blocks / IDNF_LANES;
    int64_t example;
    IDNF_EACH(IDNF_NOTHING)
    for (example = 0; example < count; example++) {
        const int64_t place = places[example];
        const int8_t *line = cells + 16 * blocks * place;
        IDNF_EACH(IDNF_ADD)
    }
    IDNF_EACH(IDNF_PUT)
}
#undef IDNF_EACH
#undef IDNF_NOTHING
#undef IDNF_ADD
#undef IDNF_PUT
#endif

IDNF_LOOP void IDNF(class_sums)(const int8_t *cells, int64_t line, const int32_t *places, const int32_t *positive,
                                const int32_t *negative, int64_t count, int32_t *sums) {
    int64_t n, f;
    /* Two sums for each feature: half as many features as in `sums`. */
#if IDNF_WIDEST
#define IDNF_OF_BLOCKS(blocks) \
    case 16 * blocks: IDNF(few_class_sums)(cells, places, positive, negative, count, sums, blocks); return;
    switch (line) {
        IDNF_OF_BLOCKS(1)
#if IDNF_WIDEST > 32
        IDNF_OF_BLOCKS(2)
#endif
#if IDNF_WIDEST > 64
        IDNF_OF_BLOCKS(3)
        IDNF_OF_BLOCKS(4)
#endif
    default: break;
    }
#undef IDNF_OF_BLOCKS
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

static const idnf_loops IDNF(loops) = {
    .widest = IDNF_WIDEST,
    .accumulate = IDNF(accumulate),
    .sums = IDNF(sums),
    .weight = IDNF(weight),
    .intersect = IDNF(intersect),
    .covered = IDNF(covered),
    .deciding = IDNF(deciding),
    .recount = IDNF(recount),
    .held = IDNF(held),
    .worth = IDNF(worth),
    .codes = IDNF(codes),
    .greatest = IDNF(greatest),
    .near = IDNF(near),
    .chances = IDNF(chances),
    .pairs = IDNF(pairs),
    .above_splits = IDNF(above_splits),
    .mixes = IDNF(mixes),
    .smallest = IDNF(smallest),
    .class_sums = IDNF(class_sums),
};

#undef IDNF
#undef IDNF_LOOP
#undef IDNF_PART
#undef IDNF_WORDS
#undef IDNF_NUMBERS
#undef IDNF_WIDEST
#undef IDNF_LANES
#undef IDNF_BITS
#undef IDNF_LANE_BITS
#undef IDNF_EQUAL
#undef IDNF_STEP
#undef IDNF_LANE_STEP
#undef IDNF_AT
#undef IDNF_CHOSEN
#undef IDNF_WIDEN
