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

typedef struct {
    int64_t widest; /* the longest line of cells that sums_ may be used for */
    void (*accumulate_)(const int8_t *cells, int64_t line, const int32_t *places, const int32_t *weights,
                        int64_t count, int32_t *sums);
    int64_t (*sums_)(const int8_t *cells, int64_t line, const int32_t *net, const uint64_t *mask, int64_t words,
                     int32_t *sums);
    int64_t (*weight_)(const uint64_t *mask, const int32_t *net, int64_t size);
    void (*and_)(uint64_t *into, const uint64_t *mask, const uint64_t *literal, int negated, int64_t words);
    void (*covered_)(const uint64_t *prefixes, int64_t words, int64_t order, const int32_t *vectors,
                     const int32_t *terms, int64_t n_terms, const uint64_t *everything, uint64_t *into);
    void (*deciding_)(const uint64_t *prefixes, int64_t words, int64_t order, const int32_t *vectors,
                      const int32_t *terms, int64_t n_terms, int64_t i, int64_t j, const uint64_t **later, const int32_t *negated,
                      const uint64_t *reach, uint64_t *into);
    void (*recount_)(const int32_t *bounds, const int32_t *lists, const int32_t *lanes, const int8_t *rows,
                     int64_t line, const int32_t *codes, const int32_t *weights, int64_t count, int32_t *gains);
    int64_t (*held_)(const uint64_t *points, int64_t count, uint64_t vector, int32_t *places);
    void (*worth_)(const int32_t *gains, const int32_t *places, const int64_t *prices, int64_t count,
                   int64_t *values);
    void (*codes_)(const uint64_t *prefixes, int64_t words, int64_t order, const int32_t *steps, int32_t *codes);
    int64_t (*greatest_)(const int64_t *values, int64_t count);
    int64_t (*near_)(const int64_t *values, int64_t count, int64_t bound, int32_t *places);
    int64_t (*chances_)(const int64_t *values, int64_t count, int64_t best, int64_t farthest, int64_t factor,
                        int64_t shift, const int64_t *table, int64_t *chances, int64_t *sums);
    void (*pairs_)(const int8_t *cells, int64_t line, const uint64_t *bits, int64_t words, const int32_t *places,
                   const int32_t *net, int64_t count, int32_t *sums);
    int64_t (*above_splits_)(const int32_t *pairs, int64_t labels, int64_t line, int64_t features,
                             const int64_t *totals, int64_t price, int32_t *singles, int64_t *worth);
    void (*mixes_)(uint64_t key, uint64_t factor, int64_t count, uint64_t *numbers);
    void (*smallest_)(uint64_t *numbers, int64_t count, int64_t wanted, int32_t *places);
    void (*class_sums_)(const int8_t *cells, int64_t line, const int32_t *places, const int32_t *positive,
                        const int32_t *negative, int64_t count, int32_t *sums);
} idnf_loops;

#define IDNF_LOOPS(widest) \
    {widest, IDNF(accumulate), IDNF(sums), IDNF(weight), IDNF(and), IDNF(covered), IDNF(deciding), IDNF(recount), \
     IDNF(held), IDNF(worth), IDNF(codes), IDNF(greatest), IDNF(near), IDNF(chances), \
     IDNF(pairs), IDNF(above_splits), IDNF(mixes), IDNF(smallest), IDNF(class_sums)}

#define IDNF(name) idnf_##name##_anywhere
#include "loop_bodies.h"
static const idnf_loops idnf_anywhere = IDNF_LOOPS(0);
#undef IDNF

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__)
#include <immintrin.h>
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
static const idnf_loops idnf_avx2 = IDNF_LOOPS(64);
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
static const idnf_loops idnf_avx512 = IDNF_LOOPS(128);
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
static const idnf_loops *idnf_loops_at(int number) { return number ? NULL : &idnf_anywhere; }
#endif

static const idnf_loops *idnf_chosen = &idnf_anywhere;

#define idnf_accumulate idnf_chosen->accumulate_
#define idnf_sums idnf_chosen->sums_
#define idnf_weight idnf_chosen->weight_
#define idnf_and idnf_chosen->and_
#define idnf_covered idnf_chosen->covered_
#define idnf_deciding idnf_chosen->deciding_
#define idnf_recount idnf_chosen->recount_
#define idnf_held idnf_chosen->held_
#define idnf_worth idnf_chosen->worth_
#define idnf_codes idnf_chosen->codes_
#define idnf_greatest idnf_chosen->greatest_
#define idnf_near idnf_chosen->near_
#define idnf_chances idnf_chosen->chances_
#define idnf_pairs idnf_chosen->pairs_
#define idnf_above_splits idnf_chosen->above_splits_
#define idnf_mixes idnf_chosen->mixes_
#define idnf_smallest idnf_chosen->smallest_
#define idnf_class_sums idnf_chosen->class_sums_

/* Whether idnf_sums may be used, and is quicker than collecting places for idnf_accumulate. */
static inline int idnf_is_narrow(int64_t line, int64_t size) {
    return line > 0 && line <= idnf_chosen->widest && line * size <= IDNF_NEAR;
}
