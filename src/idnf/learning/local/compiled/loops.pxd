"""The loops of loops.h, which says what each computes; `loops` has those that run."""

from libc.stdint cimport int8_t, int32_t, int64_t, uint64_t

cdef extern from "bits.h" nogil:
    int lowest "idnf_lowest"(uint64_t word)
    uint64_t mixed "idnf_mixed"(uint64_t value)
    int64_t open_columns "idnf_open_columns"(
        const uint64_t *term, const uint64_t *refuted, const uint64_t *low, const uint64_t *top, int64_t words)

cdef extern from "loops.h" nogil:
    int64_t NEAR "IDNF_NEAR"
    ctypedef struct Loops "idnf_loops":
        int64_t widest
        void (*accumulate)(const int8_t *cells, int64_t line, const int32_t *places, const int32_t *weights,
                           int64_t count, int32_t *sums) noexcept nogil
        int64_t (*sums)(const int8_t *cells, int64_t line, const int32_t *net, const uint64_t *mask, int64_t words,
                        int32_t *sums) noexcept nogil
        int64_t (*weight)(const uint64_t *mask, const int32_t *net, int64_t size) noexcept nogil
        void (*intersect)(uint64_t *into, const uint64_t *mask, const uint64_t *literal, int negated,
                          int64_t words) noexcept nogil
        void (*covered)(const uint64_t *prefixes, int64_t words, int64_t order, const int32_t *vectors,
                        const int32_t *terms, int64_t n_terms, const uint64_t *everything,
                        uint64_t *into) noexcept nogil
        void (*deciding)(const uint64_t *prefixes, int64_t words, int64_t order, const int32_t *vectors,
                         const int32_t *terms, int64_t n_terms, int64_t i, int64_t j, const uint64_t **later,
                         const int32_t *negated, const uint64_t *reach, uint64_t *into) noexcept nogil
        void (*recount)(const int32_t *bounds, const int32_t *lists, const int32_t *lanes, const int8_t *rows,
                        int64_t line, const int32_t *codes, const int32_t *weights, int64_t count,
                        int32_t *gains) noexcept nogil
        int64_t (*held)(const uint64_t *points, int64_t count, uint64_t vector, int32_t *places) noexcept nogil
        void (*worth)(const int32_t *gains, const int32_t *places, const int64_t *prices, int64_t count,
                      int64_t *values) noexcept nogil
        void (*codes)(const uint64_t *prefixes, int64_t words, int64_t order, const int32_t *steps,
                      int32_t *codes) noexcept nogil
        int64_t (*greatest)(const int64_t *values, int64_t count) noexcept nogil
        int64_t (*near)(const int64_t *values, int64_t count, int64_t bound, int32_t *places) noexcept nogil
        int64_t (*chances)(const int64_t *values, int64_t count, int64_t best, int64_t farthest, int64_t factor,
                           int64_t shift, const int64_t *table, int64_t *chances, int64_t *sums) noexcept nogil
        void (*pairs)(const int8_t *cells, int64_t line, const uint64_t *bits, int64_t words, const int32_t *places,
                      const int32_t *net, int64_t count, int32_t *sums) noexcept nogil
        int64_t (*above_splits)(const int32_t *pairs, int64_t labels, int64_t line, int64_t features,
                                const int64_t *totals, int64_t price, int32_t *singles, int64_t *worth) noexcept nogil
        void (*mixes)(uint64_t key, uint64_t factor, int64_t count, uint64_t *numbers) noexcept nogil
        void (*smallest)(uint64_t *numbers, int64_t count, int64_t wanted, int32_t *places) noexcept nogil
        void (*class_sums)(const int8_t *cells, int64_t line, const int32_t *places, const int32_t *positive,
                           const int32_t *negative, int64_t count, int32_t *sums) noexcept nogil

cdef const Loops *loops
