/* The loop in which search spends most of its time: the weight of every feature over some examples. */
#include <stdint.h>

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__linux__)
#include <features.h>
#ifdef __GLIBC__
#define IDNF_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#endif
#endif
#ifndef IDNF_CLONES
#define IDNF_CLONES
#endif

#if defined(_MSC_VER)
#include <intrin.h>
#define IDNF_RESTRICT __restrict
#define IDNF_PREFETCH(place) ((void)(place))
static inline int idnf_lowest(uint64_t word) {
    unsigned long place;
    _BitScanForward64(&place, word);
    return (int)place;
}
#else
#define IDNF_RESTRICT __restrict__
#define IDNF_PREFETCH(place) __builtin_prefetch(place)
static inline int idnf_lowest(uint64_t word) { return __builtin_ctzll(word); }
#endif

#define IDNF_NEAR 500000
#define IDNF_AHEAD 16

/* sums[f] = sum of weights[e] over the examples e at places[0..count) whose cell f is -1. */
IDNF_CLONES
static void idnf_accumulate(const int8_t *IDNF_RESTRICT cells, int64_t line, const int32_t *IDNF_RESTRICT places,
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

/* The last step of splitmix64. */
static inline uint64_t idnf_mixed(uint64_t value) {
    value = (value ^ (value >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94D049BB133111EB);
    return value ^ (value >> 31);
}
