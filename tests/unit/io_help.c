/* What the tests of src/io share. */
#include "unit/io_help.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[64];

void io_help_enter_folder(void)
{
    snprintf(folder, sizeof folder, "/tmp/purelink-test-XXXXXX");
    cr_assert(mkdtemp(folder) && chdir(folder) == 0);
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *at)
{
    (void)status;
    (void)kind;
    (void)at;
    return remove(path);
}

void io_help_leave_folder(void)
{
    cr_assert(chdir("/") == 0);
    nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void put(const char *path, int flags, const void *bytes, size_t n)
{
    int fd = open(path, O_WRONLY | O_CREAT | flags, 0600);
    cr_assert(fd >= 0, "%s", path);
    cr_assert(write(fd, bytes, n) == (ssize_t)n);
    close(fd);
}

void io_help_write(const char *path, const void *bytes, size_t n)
{
    put(path, O_TRUNC, bytes, n);
}

void io_help_append(const char *path, const void *bytes, size_t n)
{
    put(path, O_APPEND, bytes, n);
}

struct pl_udp *io_help_open(const struct pl_io *io, const char *text, size_t datagram_max_bytes)
{
    struct pl_udp_options options = {.datagram_max_bytes = datagram_max_bytes,
                                     .receive_buffer_bytes = 4 << 20};
    struct pl_text why = {""};
    struct pl_udp *udp = NULL;
    cr_assert(pl_address_parse_listen(text, &options.local, &why) == PL_OK, "%s", why.s);
    cr_assert(io->udp_open(io->ctx, &options, &udp, &why) == PL_OK, "%s", why.s);
    return udp;
}

bool io_help_has_ipv6(void)
{
    struct pl_udp_options options = {.datagram_max_bytes = 1200};
    struct pl_udp *udp;
    cr_assert_eq(pl_address_parse_listen("[::1]:0", &options.local, NULL), PL_OK);
    bool has = pl_io_linux.udp_open(pl_io_linux.ctx, &options, &udp, NULL) == PL_OK;
    pl_io_linux.udp_close(pl_io_linux.ctx, udp);
    return has;
}

struct pl_path io_help_path_to(const struct pl_io *io, const struct pl_udp *udp, const char *host)
{
    struct pl_path path = {0};
    char text[PL_ADDRESS_TEXT_SIZE];
    snprintf(text, sizeof text, "%s:%u", host, io->udp_local(io->ctx, udp).port);
    cr_assert(pl_address_parse(text, &path.peer, NULL) == PL_OK, "%s", text);
    return path;
}

static void keep(struct io_help_received *received, const struct pl_datagram *one)
{
    size_t i = received->count++;
    cr_assert(received->count <= 512 && received->n + one->n <= sizeof received->bytes);
    received->sizes[i] = one->n;
    received->paths[i] = one->path;
    received->ecn[i] = one->ecn;
    memcpy(received->bytes + received->n, one->p, one->n);
    received->n += one->n;
}

size_t io_help_receive(const struct pl_io *io, struct pl_udp *udp, size_t count,
                       struct io_help_received *received)
{
    struct pl_datagram some[24];
    memset(received, 0, sizeof *received);
    for (;;) {
        size_t n = io->udp_receive(io->ctx, udp, some, 24);
        for (size_t i = 0; i < n; i++)
            keep(received, &some[i]);
        if (received->count >= count)
            break;
        if (n == 0 && io->wait(io->ctx, &udp, 1, NULL, 5000000) == 0)
            break;
    }
    return received->count;
}

void io_help_pattern(uint8_t *out, size_t n)
{
    for (size_t i = 0; i < n; i++)
        out[i] = (uint8_t)(i * 7 + (i >> 8) * 13);
}
