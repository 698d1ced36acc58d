/* CRC32C (Castagnoli, RFC 3720 appendix B.4): the checksum of log blocks and rows. */
#ifndef PL_STORE_CRC32C_H
#define PL_STORE_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* Continues crc (0 to begin) over n bytes. Uses the processor's instruction where there is one. */
uint32_t pl_crc32c(uint32_t crc, const void *bytes, size_t n);

/* The same by table, on any processor: what the instruction is tested against. */
uint32_t pl_crc32c_table(uint32_t crc, const void *bytes, size_t n);

#endif
