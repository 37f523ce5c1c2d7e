/* Whether all variants of the loops that this processor can run give the results of the plain ones, on random inputs.
 *
 * A test compiles and runs this with each compiler that it finds, for ARM in an emulator. Prints the number of variants.
 */
#include "loop_variants.h"
#include <stdio.h>
#include <stdlib.h>

enum { EXAMPLES = 1000, WORDS = 16, ORDER = 4, VECTORS = 70, VALUES = 333, MOST_LINE = 160 };

static uint64_t state = 1;

static uint64_t draw(void) {
    state += UINT64_C(0x9E3779B97F4A7C15);
    return idnf_mixed(state);
}

static int8_t cells[EXAMPLES * MOST_LINE];
static uint64_t bits[EXAMPLES * 4], masks[2 + 2 * ORDER * (ORDER + 1)][WORDS];
static int32_t net[EXAMPLES], places[EXAMPLES], negative[EXAMPLES];
static int64_t values[EXAMPLES], table[1025];

/* What one variant computes; all zero at first, so that what is not written is equal. */
typedef struct {
    int32_t sums[2 * 64 * 64], places[EXAMPLES], codes[64 * WORDS], singles[2 * 64];
    uint64_t masks[3][WORDS], numbers[EXAMPLES];
    int64_t numbers_returned[16], values[EXAMPLES], chances[EXAMPLES], chance_sums[EXAMPLES], worth[64];
} Results;

static void fill(void) {
    int64_t e, w, m;
    for (e = 0; e < EXAMPLES * MOST_LINE; e++) cells[e] = -(int8_t)(draw() & 1);
    for (e = 0; e < EXAMPLES; e++) {
        net[e] = (int32_t)(draw() % 2001) - 1000;
        negative[e] = (int32_t)(draw() % 1000);
        places[e] = (int32_t)e;
        values[e] = (int64_t)(draw() % 50);
    }
    for (e = 0; e <= 1024; e++) table[e] = 1024 - e;
    for (m = 0; m < (int64_t)(sizeof masks / sizeof *masks); m++)
        for (w = 0; w < WORDS; w++) masks[m][w] = draw() & (w == WORDS - 1 ? (UINT64_C(1) << EXAMPLES % 64) - 1 : ~UINT64_C(0));
}

/* Sums over lines of cells, which some variants keep in registers, and others not. */
static void run_sums(const idnf_loops *loops, int64_t line, Results *to) {
    if (line <= loops->widest)
        to->numbers_returned[0] = loops->sums(cells, line, net, masks[0], WORDS, to->sums);
    else {
        int32_t chosen[EXAMPLES], weights[EXAMPLES];
        int64_t e, count = 0;
        for (e = 0; e < EXAMPLES; e++)
            if (masks[0][e >> 6] >> (e & 63) & 1) {
                chosen[count] = (int32_t)e;
                weights[count++] = net[e];
                to->numbers_returned[0] += net[e];
            }
        loops->accumulate(cells, line, chosen, weights, count, to->sums);
    }
    loops->class_sums(cells, line, places, net, negative, EXAMPLES - 3, to->sums + line);
}

static void run_masks(const idnf_loops *loops, Results *to) {
    const int32_t vectors[] = {0, 0, 0, 0, 1, 0, 0, 2, 0, 3, 0, 0, 2, 1, 1, 0, 0, 0, 4, 0};
    const int32_t terms[] = {1, 2, 3, 4}, negated[] = {0, 1, 1}, steps[] = {1, 5, 1 << 16, 5 << 16};
    const uint64_t *later[] = {masks[2], masks[3], masks[4]};
    const uint64_t *prefixes = masks[2];
    to->numbers_returned[1] = loops->weight(masks[0], net, EXAMPLES);
    loops->intersect(to->masks[0], masks[0], masks[1], 1, WORDS);
    loops->covered(prefixes, WORDS, ORDER, vectors, terms, 4, masks[1], to->masks[1]);
    loops->deciding(prefixes, WORDS, ORDER, vectors, terms, 4, 1, 0, later, negated, masks[1], to->masks[2]);
    loops->codes(prefixes, WORDS, ORDER, steps, to->codes);
}

static void run_values(const idnf_loops *loops, Results *to) {
    const int32_t bounds[] = {0, 2, 3}, lists[] = {0, 1, 1}, lanes[] = {32, 16}, codes[] = {0, 1, 1 << 16, 1 | 1 << 16};
    uint64_t lengths[VALUES];
    int64_t n;
    for (n = 0; n < VALUES; n++) lengths[n] = masks[n % 30][n % WORDS] & UINT64_C(0x03030303);
    to->numbers_returned[2] = loops->held(lengths, VALUES, UINT64_C(0x01000200), to->places);
    loops->worth(net, places, values, EXAMPLES, to->values);
    to->numbers_returned[3] = loops->greatest(values, VALUES);
    to->numbers_returned[4] = loops->near(values, VALUES, 49, to->places + 400);
    to->numbers_returned[5] = loops->chances(values, VALUES, 49, 40, 25, 1, table, to->chances, to->chance_sums);
    loops->recount(bounds, lists, lanes, cells, 32, codes, net, 4, to->singles);
    loops->mixes(17, 3, EXAMPLES, to->numbers);
    loops->smallest(to->numbers, EXAMPLES, 9, to->places + 800);
}

static void run_pairs(const idnf_loops *loops, Results *to) {
    const int64_t totals[] = {5000, 7000};
    int64_t e, f;
    memset(bits, 0, sizeof bits);
    for (e = 0; e < EXAMPLES; e++)
        for (f = 0; f < 64; f++) bits[e] |= (uint64_t)(cells[64 * e + f] != 0) << f;
    loops->pairs(cells, 64, bits, 1, places, net, EXAMPLES, to->sums);
    loops->pairs(cells, 64, bits, 1, places, negative, EXAMPLES, to->sums + 64 * 64);
    to->numbers_returned[6] = loops->above_splits(to->sums, 2, 64, 60, totals, 11, to->singles, to->worth);
}

int main(void) {
    static Results plain, other;
    int number, count = 0;
    int64_t line, part;
    while (idnf_loops_at(count) != NULL) count++;
    fill();
    for (number = 0; number < count - 1; number++)
        for (line = 16; line <= MOST_LINE; line += 16)
            for (part = 0; part < 4; part++) {
                const idnf_loops *both[] = {idnf_loops_at(count - 1), idnf_loops_at(number)};
                Results *results[] = {&plain, &other};
                int each;
                for (each = 0; each < 2; each++) {
                    memset(results[each], 0, sizeof(Results));
                    if (part == 0) run_sums(both[each], line, results[each]);
                    if (part == 1) run_masks(both[each], results[each]);
                    if (part == 2) run_values(both[each], results[each]);
                    if (part == 3) run_pairs(both[each], results[each]);
                }
                if (memcmp(&plain, &other, sizeof plain)) {
                    printf("variant %d differs, part %d, lines of %d cells\n", number, (int)part, (int)line);
                    return 1;
                }
            }
    printf("%d\n", count);
    return 0;
}
