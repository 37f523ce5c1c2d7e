/* The loops in which search spends most of its time: masks of examples, weights over them, the best of many values.
 *
 * A mask has a bit for each example, in 64-bit words whose number is a multiple of 8; bits past the last example are 0.
 * A table of cells has a line of bytes for each example, as long as a multiple of 16: -1 where the example has a
 * feature, else 0. Sums of weights stay within 32 bits, whichever examples are added up. A processor can run several
 * variants of the loops (loop_variants.h); all give the same results.
 */
#ifndef IDNF_LOOPS_H
#define IDNF_LOOPS_H
#include <stdint.h>

/* Bytes of a table that the nearest caches hold. */
#define IDNF_NEAR 500000

typedef struct {
    /* The longest line of cells for which `sums` may be called. */
    int64_t widest;

    /* sums[f] = sum of weights[n] over the examples places[n] that have feature f. */
    void (*accumulate)(const int8_t *cells, int64_t line, const int32_t *places, const int32_t *weights, int64_t count,
                       int32_t *sums);

    /* sums[f] = net weight of the examples of a mask that have feature f; returns the net weight of all of them. */
    int64_t (*sums)(const int8_t *cells, int64_t line, const int32_t *net, const uint64_t *mask, int64_t words,
                    int32_t *sums);

    /* The net weight of the examples of a mask. */
    int64_t (*weight)(const uint64_t *mask, const int32_t *net, int64_t size);

    /* into = mask & literal, or & ~literal if it is negated. */
    void (*intersect)(uint64_t *into, const uint64_t *mask, const uint64_t *literal, int negated, int64_t words);

    /* The examples that satisfy some term of a nested DNF: a term holds where its prefix of every row does. */
    void (*covered)(const uint64_t *prefixes, int64_t words, int64_t order, const int32_t *vectors,
                    const int32_t *terms, int64_t n_terms, const uint64_t *everything, uint64_t *into);

    /* The examples of a reach whose value is decided by the literal in row i, column j. `later` has the masks of the
     * literals behind it in the row, `negated` is 1 for those that are negated.
     */
    void (*deciding)(const uint64_t *prefixes, int64_t words, int64_t order, const int32_t *vectors,
                     const int32_t *terms, int64_t n_terms, int64_t i, int64_t j, const uint64_t **later,
                     const int32_t *negated, const uint64_t *reach, uint64_t *into);

    /* Adds the weights of points to the gains of the vectors that hold there. Vectors and codes are in two halves, and
     * each first half of a vector has a line of gains. For each first code, `lists` from `bounds` on has the first
     * halves that are not above it; for each second code, `rows` is -1 at the second halves that are not. `lanes` has
     * how many of these a first half goes with.
     */
    void (*recount)(const int32_t *bounds, const int32_t *lists, const int32_t *lanes, const int8_t *rows, int64_t line,
                    const int32_t *codes, const int32_t *weights, int64_t count, int32_t *gains);

    /* The points at which a vector holds: no byte of the difference of their lengths borrows; returns their number. */
    int64_t (*held)(const uint64_t *points, int64_t count, uint64_t vector, int32_t *places);

    /* values[v] = the gain of a vector less its price. */
    void (*worth)(const int32_t *gains, const int32_t *places, const int64_t *prices, int64_t count, int64_t *values);

    /* codes[e] = sum over rows of the row's step times how many of its prefixes hold at e, for 64 examples a word. */
    void (*codes)(const uint64_t *prefixes, int64_t words, int64_t order, const int32_t *steps, int32_t *codes);

    /* The greatest of some values. */
    int64_t (*greatest)(const int64_t *values, int64_t count);

    /* The places of the values that are not below a bound; returns their number. */
    int64_t (*near)(const int64_t *values, int64_t count, int64_t bound, int32_t *places);

    /* chances[n] = how likely a value is drawn, by its distance from the best; sums has the sums of 16 at a time;
     * returns the sum of all. Chances of 16 values that are all too far are not written.
     */
    int64_t (*chances)(const int64_t *values, int64_t count, int64_t best, int64_t farthest, int64_t factor,
                       int64_t shift, const int64_t *table, int64_t *chances, int64_t *sums);

    /* sums[j][l] = weight of the examples at places[0..count) that have features j and l; lines of `line` features. */
    void (*pairs)(const int8_t *cells, int64_t line, const uint64_t *bits, int64_t words, const int32_t *places,
                  const int32_t *net, int64_t count, int32_t *sums);

    /* What each feature is worth above the best trees of depth one, from the pairs of features: a table for each label
     * of what it gains over the label that is given for nothing, and the sum of all gains of each. Returns the value of
     * the best tree of depth at most two.
     */
    int64_t (*above_splits)(const int32_t *pairs, int64_t labels, int64_t line, int64_t features, const int64_t *totals,
                            int64_t price, int32_t *singles, int64_t *worth);

    /* numbers[n] = the n-th number of a random row, n itself in its lowest bits. */
    void (*mixes)(uint64_t key, uint64_t factor, int64_t count, uint64_t *numbers);

    /* The places of the smallest of these numbers, in order; they are overwritten. */
    void (*smallest)(uint64_t *numbers, int64_t count, int64_t wanted, int32_t *places);

    /* For each feature the positive weight of the examples at places[0..count), then for each the negative weight. */
    void (*class_sums)(const int8_t *cells, int64_t line, const int32_t *places, const int32_t *positive,
                       const int32_t *negative, int64_t count, int32_t *sums);
} idnf_loops;
#endif
