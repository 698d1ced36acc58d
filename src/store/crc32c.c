/* CRC32C by the SSE4.2 or ARMv8 instruction where the compiler and the processor have it, else eight tables.
 */
#include "store/crc32c.h"

#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#include "store/bytes.h"

/* The polynomial of RFC 3720 with its bits reversed. */
#define CRC32C_POLYNOMIAL 0x82f63b78u

static uint32_t table[8][256];
static pthread_once_t table_once = PTHREAD_ONCE_INIT;

static void table_make(void)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int bit = 0; bit < 8; bit++) {
            c = c & 1 ? c >> 1 ^ CRC32C_POLYNOMIAL : c >> 1;
        }
        table[0][i] = c;
    }
    for (uint32_t i = 0; i < 256; i++) {
        for (int k = 1; k < 8; k++) {
            table[k][i] = table[k - 1][i] >> 8 ^ table[0][table[k - 1][i] & 0xff];
        }
    }
}

static uint32_t table_step(uint32_t c, const uint8_t *p)
{
    uint32_t low = pl_get_le32(p) ^ c;
    uint32_t high = pl_get_le32(p + 4);

    return table[7][low & 0xff] ^ table[6][low >> 8 & 0xff] ^ table[5][low >> 16 & 0xff] ^
           table[4][low >> 24] ^ table[3][high & 0xff] ^ table[2][high >> 8 & 0xff] ^
           table[1][high >> 16 & 0xff] ^ table[0][high >> 24];
}

uint32_t pl_crc32c_table(uint32_t crc, const void *bytes, size_t n)
{
    const uint8_t *p = bytes;
    uint32_t c = ~crc;

    pthread_once(&table_once, table_make);
    for (; n >= 8; p += 8, n -= 8) {
        c = table_step(c, p);
    }
    for (; n > 0; p++, n--) {
        c = c >> 8 ^ table[0][(c ^ *p) & 0xff];
    }
    return ~c;
}

#if defined(__x86_64__)

#include <nmmintrin.h>

#define WITH_INSTRUCTION __attribute__((target("sse4.2")))

static bool has_instruction(void)
{
    return __builtin_cpu_supports("sse4.2");
}

WITH_INSTRUCTION static inline uint32_t step_8(uint32_t c, const uint8_t *p)
{
    return (uint32_t)_mm_crc32_u64(c, pl_get_le64(p));
}

WITH_INSTRUCTION static inline uint32_t step_1(uint32_t c, uint8_t byte)
{
    return _mm_crc32_u8(c, byte);
}

#elif defined(__ARM_FEATURE_CRC32)

#include <arm_acle.h>

#define WITH_INSTRUCTION

static bool has_instruction(void)
{
    return true;
}

static inline uint32_t step_8(uint32_t c, const uint8_t *p)
{
    return __crc32cd(c, pl_get_le64(p));
}

static inline uint32_t step_1(uint32_t c, uint8_t byte)
{
    return __crc32cb(c, byte);
}

#else

#define WITH_INSTRUCTION

static bool has_instruction(void)
{
    return false;
}

static uint32_t step_8(uint32_t c, const uint8_t *p)
{
    return table_step(c, p);
}

static uint32_t step_1(uint32_t c, uint8_t byte)
{
    return c >> 8 ^ table[0][(c ^ byte) & 0xff];
}

#endif

/* The instruction takes one step a cycle but answers after three: three lanes side by side keep it busy. What
 * the first lane came to is carried over the bytes of the next, as if they were zeros, and then they add up:
 * a CRC is linear. */
enum { LANES = 3, LANE_BYTES = 256 };

static uint32_t over_lane[4][256];
static pthread_once_t over_lane_once = PTHREAD_ONCE_INIT;

static void over_lane_make(void)
{
    static const uint8_t zeros[LANE_BYTES];

    for (int k = 0; k < 4; k++) {
        for (uint32_t i = 0; i < 256; i++) {
            over_lane[k][i] = ~pl_crc32c_table(~(i << 8 * k), zeros, sizeof zeros);
        }
    }
}

static uint32_t carry(uint32_t c)
{
    return over_lane[0][c & 0xff] ^ over_lane[1][c >> 8 & 0xff] ^ over_lane[2][c >> 16 & 0xff] ^
           over_lane[3][c >> 24];
}

WITH_INSTRUCTION static uint32_t step_lanes(uint32_t c, const uint8_t *p)
{
    uint32_t c_1 = 0, c_2 = 0;

    for (size_t i = 0; i < LANE_BYTES; i += 8) {
        c = step_8(c, p + i);
        c_1 = step_8(c_1, p + LANE_BYTES + i);
        c_2 = step_8(c_2, p + 2 * LANE_BYTES + i);
    }
    return carry(carry(c) ^ c_1) ^ c_2;
}

WITH_INSTRUCTION static uint32_t by_instruction(uint32_t crc, const uint8_t *p, size_t n)
{
    uint32_t c = ~crc;

    if (n >= LANES * LANE_BYTES) {
        pthread_once(&over_lane_once, over_lane_make);
    }
    for (; n >= LANES * LANE_BYTES; p += LANES * LANE_BYTES, n -= LANES * LANE_BYTES) {
        c = step_lanes(c, p);
    }
    for (; n >= 8; p += 8, n -= 8) {
        c = step_8(c, p);
    }
    for (; n > 0; p++, n--) {
        c = step_1(c, *p);
    }
    return ~c;
}

uint32_t pl_crc32c(uint32_t crc, const void *bytes, size_t n)
{
    return has_instruction() ? by_instruction(crc, bytes, n) : pl_crc32c_table(crc, bytes, n);
}
