/* What the tests of src/io share: folders that vanish, files with given bytes, sockets on loopback. */
#ifndef TESTS_UNIT_IO_HELP_H
#define TESTS_UNIT_IO_HELP_H

#include <stddef.h>
#include <stdint.h>

#include "io/io.h"

/* A fresh folder in the system's temporary one; the caller's current folder becomes it. */
void io_help_enter_folder(void);

/* Removes it and all in it. */
void io_help_leave_folder(void);

void io_help_write(const char *path, const void *bytes, size_t n);
void io_help_append(const char *path, const void *bytes, size_t n);
#define IO_HELP_WRITE(path, text)  io_help_write(path, text, sizeof(text) - 1)
#define IO_HELP_APPEND(path, text) io_help_append(path, text, sizeof(text) - 1)

/* A socket that listens at text, opened through io; ends the test if it can not be had. */
struct pl_udp *io_help_open(const struct pl_io *io, const char *text, size_t datagram_max_bytes);

/* True if this machine has ::1; where it has not, the IPv6 halves of tests are left out. */
bool io_help_has_ipv6(void);

/* A path to the port of udp at host ("127.0.0.1", "[::1]"), its source left to the kernel. */
struct pl_path io_help_path_to(const struct pl_io *io, const struct pl_udp *udp, const char *host);

/*
 * Receives until count datagrams are there or nothing comes for 5 s, and keeps copies: sizes[i] bytes behind
 * one another in bytes. Returns how many came.
 */
struct io_help_received {
    size_t count;
    size_t sizes[512];
    struct pl_path paths[512];
    uint8_t ecn[512];
    uint8_t bytes[512 * 1500];
    size_t n;
};
size_t io_help_receive(const struct pl_io *io, struct pl_udp *udp, size_t count,
                       struct io_help_received *received);

/* Bytes that tell their place. */
void io_help_pattern(uint8_t *out, size_t n);

#endif
