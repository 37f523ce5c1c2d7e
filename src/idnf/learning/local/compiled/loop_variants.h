/* The loops of loop_bodies.h for several sets of instructions, and which of them this processor can run.
 *
 * GCC and Clang have types for vectors, whose operations become the instructions of any processor: 16 bytes everywhere
 * (SSE2 on x86-64, NEON on ARM), and on x86-64 also 32 and 64, chosen when the module is loaded. Other compilers have
 * the plain loops alone, which they may vectorise themselves; tests run these with every compiler.
 */
#include "bits.h"
#include "loops.h"
#include <string.h>

#if defined(_MSC_VER)
#define IDNF_RESTRICT __restrict
#define IDNF_INLINE static __forceinline
#define IDNF_PREFETCH(place) ((void)(place))
#else
#define IDNF_RESTRICT __restrict__
#define IDNF_INLINE static inline __attribute__((always_inline))
#define IDNF_PREFETCH(place) __builtin_prefetch(place)
#endif

/* How many examples ahead the lines of a table beyond the nearest caches are fetched. */
#define IDNF_AHEAD 16
/* The largest matrix that search works on, and the most halves of its vectors, in whole lanes. */
#define IDNF_MOST_ORDER 8
#define IDNF_MOST_HALVES 512
/* The most features whose pairs are looked at. */
#define IDNF_MOST_PAIRED 256
/* The bits in which random numbers have their own number. */
#define IDNF_NUMBERED 0xFFFFF

/* Each inclusion defines IDNF(loops), the table of one variant, and forgets the macros that describe it. */
#define IDNF(name) idnf_##name##_plain
#define IDNF_LOOP static
#define IDNF_PART IDNF_INLINE
#define IDNF_WORDS uint64_t
#define IDNF_NUMBERS int32_t
#define IDNF_WIDEST 0
#include "loop_bodies.h"

#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define IDNF_HAS_VECTORS
/* Vectors of some bytes: words, signed and unsigned numbers. */
#define IDNF_VECTORS(bytes) \
    typedef uint64_t idnf_words_##bytes __attribute__((vector_size(bytes), aligned(8), may_alias)); \
    typedef int32_t idnf_numbers_##bytes __attribute__((vector_size(bytes), aligned(4), may_alias)); \
    typedef uint32_t idnf_bits_##bytes __attribute__((vector_size(bytes), aligned(4), may_alias));
typedef uint32_t idnf_four_cells __attribute__((aligned(1), may_alias));

IDNF_VECTORS(16)
#define IDNF(name) idnf_##name##_vectors
#define IDNF_LOOP static
#define IDNF_PART IDNF_INLINE
#define IDNF_LANES 4
#define IDNF_WORDS idnf_words_16
#define IDNF_NUMBERS idnf_numbers_16
#define IDNF_BITS idnf_bits_16
/* Cells are 0 or -1, and so is what is left of them in each lane, as a comparison. */
#define IDNF_WIDEN(cells) \
    ((idnf_numbers_16)((((idnf_bits_16){0} + *(const idnf_four_cells *)(cells)) & \
                        (idnf_bits_16){0xFF, 0xFF00, 0xFF0000, 0xFF000000}) != 0))
#define IDNF_LANE_BITS {1, 2, 4, 8}
/* x86-64 has 16 registers of this size, ARM 32. */
#if defined(__x86_64__)
#define IDNF_WIDEST 32
#else
#define IDNF_WIDEST 64
#endif
#include "loop_bodies.h"
#endif

#if defined(IDNF_HAS_VECTORS) && defined(__x86_64__)
#include <immintrin.h>
#define IDNF_AVX2 __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt")))
#define IDNF_AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,bmi,bmi2,lzcnt,popcnt")))

IDNF_VECTORS(32)
#define IDNF(name) idnf_##name##_avx2
#define IDNF_LOOP IDNF_AVX2 static
#define IDNF_PART IDNF_AVX2 IDNF_INLINE
#define IDNF_LANES 8
#define IDNF_WORDS idnf_words_32
#define IDNF_NUMBERS idnf_numbers_32
#define IDNF_BITS idnf_bits_32
#define IDNF_WIDEN(cells) ((idnf_numbers_32)_mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)(cells))))
#define IDNF_LANE_BITS {1, 2, 4, 8, 16, 32, 64, 128}
#define IDNF_WIDEST 64
#define IDNF_EQUAL(a, b) ((unsigned)_mm256_movemask_pd((__m256d)((a) == (b))))
#include "loop_bodies.h"

IDNF_VECTORS(64)
#define IDNF(name) idnf_##name##_avx512
#define IDNF_LOOP IDNF_AVX512 static
#define IDNF_PART IDNF_AVX512 IDNF_INLINE
#define IDNF_LANES 16
#define IDNF_WORDS idnf_words_64
#define IDNF_NUMBERS idnf_numbers_64
#define IDNF_BITS idnf_bits_64
#define IDNF_WIDEN(cells) ((idnf_numbers_64)_mm512_cvtepi8_epi32(_mm_loadu_si128((const __m128i *)(cells))))
#define IDNF_LANE_BITS {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768}
#define IDNF_WIDEST 128
#define IDNF_EQUAL(a, b) ((unsigned)_mm512_cmpeq_epi64_mask((__m512i)(a), (__m512i)(b)))
#include "loop_bodies.h"
#endif

/* The loops that this processor can run, by number, the quickest first; NULL beyond. */
static const idnf_loops *idnf_loops_at(int number) {
    const idnf_loops *known[5] = {0};
    int count = 0;
#if defined(IDNF_HAS_VECTORS) && defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("bmi2"))
        known[count++] = &idnf_loops_avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")) known[count++] = &idnf_loops_avx2;
#endif
#if defined(IDNF_HAS_VECTORS)
    known[count++] = &idnf_loops_vectors;
#endif
    known[count++] = &idnf_loops_plain;
    return number < count ? known[number] : NULL;
}
