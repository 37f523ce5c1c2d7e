/* The loops in which search spends most of its time: masks of examples, weights over them, the best of many values.
 *
 * A mask has a bit for each example, in 64-bit words whose number is a multiple of 8; bits past the last example
 * are 0.
 */
#include <stdint.h>
#include <string.h>

#if defined(_MSC_VER)
#include <intrin.h>
#define IDNF_RESTRICT __restrict
#define IDNF_INLINE static __forceinline
#define IDNF_PREFETCH(place) ((void)(place))
static inline int idnf_lowest(uint64_t word) {
    unsigned long place;
    _BitScanForward64(&place, word);
    return (int)place;
}
#else
#define IDNF_RESTRICT __restrict__
#define IDNF_INLINE static inline __attribute__((always_inline))
#define IDNF_PREFETCH(place) __builtin_prefetch(place)
static inline int idnf_lowest(uint64_t word) { return __builtin_ctzll(word); }
#endif

/* Several words, or 16 numbers, at a time where the compiler knows such types. */
#if defined(__GNUC__)
typedef uint64_t idnf_words __attribute__((vector_size(64), aligned(8), may_alias));
typedef int32_t idnf_lanes __attribute__((vector_size(64), aligned(4), may_alias));
typedef uint32_t idnf_shifts __attribute__((vector_size(64), aligned(4), may_alias));
typedef int32_t idnf_half_lanes __attribute__((vector_size(32), aligned(4), may_alias));
#else
typedef uint64_t idnf_words;
typedef int32_t idnf_lanes;
#endif
#define IDNF_STEP ((int64_t)(sizeof(idnf_words) / 8))
#define IDNF_LANE_STEP ((int64_t)(sizeof(idnf_lanes) / 4))
#define IDNF_AT(mask, place) (*(const idnf_words *)((mask) + (place)))

#define IDNF_NEAR 500000
#define IDNF_AHEAD 16
/* The largest matrix that search works on, and the most halves of its vectors, in whole lanes. */
#define IDNF_MOST_ORDER 8
#define IDNF_MOST_HALVES 512
/* The most features whose pairs are looked at. */
#define IDNF_MOST_PAIRED 256

/* The bits in which random numbers have their own number. */
#define IDNF_NUMBERED 0xFFFFF

/* The last step of splitmix64. */
static inline uint64_t idnf_mixed(uint64_t value) {
    value = (value ^ (value >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94D049BB133111EB);
    return value ^ (value >> 31);
}

/* The last bits of the fields of a word in which some bit is set; `low` has all other bits of the fields, `top` these. */
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

/* Every loop of loop_bodies.h that others call, as IDNF_CALL(name). */
#define IDNF_EACH(X) \
    X(accumulate) X(sums) X(weight) X(and) X(covered) X(deciding) X(recount) X(held) X(worth) X(codes) X(greatest) \
    X(near) X(chances) X(pairs) X(above_splits) X(mixes) X(smallest) X(class_sums)

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__)
#define IDNF_SEVERAL
#define IDNF_FIELD(name) __typeof__(idnf_##name##_anywhere) *name##_;
#define IDNF_CALL(name) idnf_chosen->name##_
#else
#define IDNF_FIELD(name)
#define IDNF_CALL(name) idnf_##name##_anywhere
#endif

#define IDNF(name) idnf_##name##_anywhere
#include "loop_bodies.h"
#undef IDNF

typedef struct {
    int64_t widest; /* the longest line of cells that sums may be used for */
    IDNF_EACH(IDNF_FIELD)
} idnf_loops;

#ifdef IDNF_SEVERAL
#include <immintrin.h>
#define IDNF_LOOP(name) , IDNF(name)
#define IDNF(name) idnf_##name##_anywhere
static const idnf_loops idnf_anywhere = {0 IDNF_EACH(IDNF_LOOP)};
#undef IDNF
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2,lzcnt,popcnt")
#define IDNF(name) idnf_##name##_avx2
#define IDNF_LANES 8
#define IDNF_NUMBERS idnf_half_lanes
#define IDNF_WIDEN(cells) ((idnf_half_lanes)_mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)(cells))))
#define IDNF_EQUAL(a, b) idnf_equal_avx2(a, b)
static inline unsigned idnf_equal_avx2(idnf_words a, idnf_words b) {
    const idnf_words same = (idnf_words)(a == b);
    __m256d parts[2];
    memcpy(parts, &same, sizeof same);
    return (unsigned)(_mm256_movemask_pd(parts[0]) | _mm256_movemask_pd(parts[1]) << 4);
}
#include "loop_bodies.h"
static const idnf_loops idnf_avx2 = {64 IDNF_EACH(IDNF_LOOP)};
#undef IDNF
#undef IDNF_LANES
#undef IDNF_NUMBERS
#undef IDNF_WIDEN
#undef IDNF_EQUAL
#pragma GCC pop_options
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,bmi,bmi2,lzcnt,popcnt")
#define IDNF(name) idnf_##name##_avx512
#define IDNF_LANES 16
#define IDNF_NUMBERS idnf_lanes
#define IDNF_WIDEN(cells) ((idnf_lanes)_mm512_cvtepi8_epi32(_mm_loadu_si128((const __m128i *)(cells))))
#define IDNF_EQUAL(a, b) _mm512_cmpeq_epi64_mask((__m512i)(a), (__m512i)(b))
#include "loop_bodies.h"
static const idnf_loops idnf_avx512 = {128 IDNF_EACH(IDNF_LOOP)};
#undef IDNF
#undef IDNF_LANES
#undef IDNF_NUMBERS
#undef IDNF_WIDEN
#undef IDNF_EQUAL
#pragma GCC pop_options

/* The loops that this processor can run, by number, the quickest first; NULL beyond. */
static const idnf_loops *idnf_loops_at(int number) {
    const idnf_loops *known[4] = {0};
    int count = 0;
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("bmi2"))
        known[count++] = &idnf_avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")) known[count++] = &idnf_avx2;
    known[count++] = &idnf_anywhere;
    return number < count ? known[number] : NULL;
}
#else
static const idnf_loops idnf_anywhere = {0};
static const idnf_loops *idnf_loops_at(int number) { return number ? NULL : &idnf_anywhere; }
#endif

static const idnf_loops *idnf_chosen = &idnf_anywhere;

/* Whether idnf_sums may be used, and is quicker than collecting places for idnf_accumulate. */
static inline int idnf_is_narrow(int64_t line, int64_t size) {
    return line > 0 && line <= idnf_chosen->widest && line * size <= IDNF_NEAR;
}
