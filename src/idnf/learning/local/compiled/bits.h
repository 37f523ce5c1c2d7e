/* Operations on single words, the same for every compiler. */
#ifndef IDNF_BITS_H
#define IDNF_BITS_H
#include <stdint.h>

/* The place of the lowest bit that is set; some bit is. */
#if defined(_MSC_VER)
#include <intrin.h>
static inline int idnf_lowest(uint64_t word) {
    unsigned long place;
    _BitScanForward64(&place, word);
    return (int)place;
}
#else
static inline int idnf_lowest(uint64_t word) { return __builtin_ctzll(word); }
#endif

/* The last step of splitmix64. */
static inline uint64_t idnf_mixed(uint64_t value) {
    value = (value ^ (value >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94D049BB133111EB);
    return value ^ (value >> 31);
}

/* The last bits of the fields of a word in which some bit is set; `top` has the last bits, `low` all others. */
static inline uint64_t idnf_fields(uint64_t word, uint64_t low, uint64_t top) {
    return (((word & low) + low) | word) & top;
}

/* In how many columns a term excludes cells that are not refuted, -1 if it conflicts with the cells that are left. */
static inline int64_t idnf_open_columns(const uint64_t *term, const uint64_t *refuted, const uint64_t *low,
                                        const uint64_t *top, int64_t words) {
    int64_t w, count = 0;
    for (w = 0; w < words; w++) {
        uint64_t open = idnf_fields(term[w] & ~refuted[w], low[w], top[w]);
        if (idnf_fields(~(term[w] | refuted[w]), low[w], top[w]) != top[w]) return -1;
        for (; open; open &= open - 1) count++;
    }
    return count;
}
#endif
