/* Opening UDP sockets: what binds, what does not and why, and what options a socket has then. */
#include "io/udp.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <netinet/udp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "unit/io_help.h"

static const struct pl_io *const io = &pl_io_linux;

static enum pl_error try_open(const char *text, struct pl_text *why, void *ctx)
{
    struct pl_udp_options options = {.datagram_max_bytes = 1200};
    struct pl_udp *udp;
    cr_assert_eq(pl_address_parse_listen(text, &options.local, why), PL_OK, "%s", text);
    enum pl_error error = pl_udp_open(ctx, &options, &udp, why);
    cr_assert_eq(error == PL_OK, udp != NULL);
    pl_udp_close(ctx, udp);
    return error;
}

static int option_of(const struct pl_udp *udp, int level, int option)
{
    int value = -1;
    socklen_t n = sizeof value;
    getsockopt(udp->fd, level, option, &value, &n);
    return value;
}

Test(io_udp, binds_each_form_and_tells_its_port)
{
    static const char *const texts[] = {"127.0.0.1:0", "0.0.0.0:0", "[::1]:0", "[::]:0", ":0"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (texts[i][0] == '[' && !io_help_has_ipv6())
            continue;
        struct pl_udp *udp = io_help_open(io, texts[i], 1200);
        cr_assert(io->udp_local(io->ctx, udp).port > 0);
        cr_assert(io->udp_counters(io->ctx, udp)->receive_buffer_bytes > 0);
        io->udp_close(io->ctx, udp);
    }
    io->udp_close(io->ctx, NULL);
}

Test(io_udp, says_why_not)
{
    struct pl_udp *udp = io_help_open(io, "127.0.0.1:0", 1200);
    char text[PL_ADDRESS_TEXT_SIZE];
    struct pl_text why = {""};
    struct pl_address local = io->udp_local(io->ctx, udp);
    pl_address_print(&local, text, sizeof text);
    cr_assert_eq(try_open(text, &why, io->ctx), PL_E_BUSY);
    cr_assert(strstr(why.s, text) && strstr(why.s, "another process"), "%s", why.s);
    io->udp_close(io->ctx, udp);
    cr_assert_eq(try_open("192.0.2.1:0", &why, io->ctx), PL_E_ADDRESS);
    cr_assert(strstr(why.s, "192.0.2.1:0") && strstr(why.s, "not an address of this machine"), "%s", why.s);
    if (io_help_has_ipv6())
        cr_assert_eq(try_open("[fe80::1%4000000]:0", &why, io->ctx), PL_E_ADDRESS);
}

static int injected;

static int failing_bind(int fd, const struct sockaddr *address, socklen_t n)
{
    (void)fd;
    (void)address;
    (void)n;
    errno = injected;
    return -1;
}

Test(io_udp, names_each_kind_of_failure)
{
    static const struct {
        int error;
        enum pl_error kind;
    } kinds[] = {
        {EADDRINUSE, PL_E_BUSY},  {EACCES, PL_E_PERMISSION}, {EPERM, PL_E_PERMISSION}, {ENODEV, PL_E_ADDRESS},
        {ENOMEM, PL_E_NO_MEMORY}, {ENOBUFS, PL_E_NO_MEMORY}, {EBADF, PL_E_IO},         {EINVAL, PL_E_ADDRESS},
    };
    struct pl_syscalls sys = pl_syscalls_libc;
    sys.bind = failing_bind;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct pl_text why = {""};
        injected = kinds[i].error;
        cr_assert_eq(try_open("127.0.0.1:0", &why, &sys), kinds[i].kind, "%d", injected);
        cr_assert(strstr(why.s, "127.0.0.1:0"), "%s", why.s);
    }
    int left = dup(0);
    cr_assert(left >= 0 && left < 20, "descriptors leak: %d", left);
    close(left);
}

static int socket_without_ipv6(int family, int type, int protocol)
{
    if (family == AF_INET6) {
        errno = EAFNOSUPPORT;
        return -1;
    }
    return socket(family, type, protocol);
}

Test(io_udp, everywhere_without_ipv6_is_ipv4)
{
    struct pl_syscalls sys = pl_syscalls_libc;
    struct pl_text why = {""};
    struct pl_udp_options options = {.datagram_max_bytes = 1200};
    struct pl_udp *udp;
    sys.socket = socket_without_ipv6;
    cr_assert_eq(pl_udp_open(&sys, &options, &udp, &why), PL_OK, "%s", why.s);
    cr_assert_eq(pl_udp_local(&sys, udp).family, PL_ADDRESS_IPV4);
    pl_udp_close(&sys, udp);
    cr_assert_eq(try_open("[::1]:0", &why, &sys), PL_E_ADDRESS);
    cr_assert(strstr(why.s, "no such address family"), "%s", why.s);
}

static int socket_without_descriptors(int family, int type, int protocol)
{
    (void)family;
    (void)type;
    (void)protocol;
    errno = EMFILE;
    return -1;
}

Test(io_udp, names_the_descriptor_limit)
{
    struct pl_syscalls sys = pl_syscalls_libc;
    struct pl_text why = {""};
    sys.socket = socket_without_descriptors;
    cr_assert_eq(try_open("127.0.0.1:0", &why, &sys), PL_E_IO);
    cr_assert(strstr(why.s, strerror(EMFILE)), "%s", why.s);
}

static int refusing_set_option(int fd, int level, int option, const void *value, socklen_t n)
{
    if (level == SOL_SOCKET && option == SO_RCVBUF)
        return setsockopt(fd, level, option, value, n);
    if (level == IPPROTO_IPV6 && option == IPV6_V6ONLY)
        return setsockopt(fd, level, option, value, n);
    errno = EPERM;
    return -1;
}

/* An unprivileged process on an old kernel: less comes with each datagram, all still works. */
Test(io_udp, works_without_the_options)
{
    struct pl_io poor = pl_io_linux;
    struct pl_syscalls sys = pl_syscalls_libc;
    static struct io_help_received received;
    uint8_t bytes[5000];
    sys.set_option = refusing_set_option;
    poor.ctx = &sys;
    struct pl_udp *to = io_help_open(&poor, ":0", 1200);
    struct pl_udp *from = io_help_open(&poor, "127.0.0.1:0", 1200);
    struct pl_path path = io_help_path_to(&poor, to, "127.0.0.1");
    io_help_pattern(bytes, sizeof bytes);
    struct pl_send_outcome sent =
        poor.udp_send(&sys, from, &(struct pl_train){&path, bytes, sizeof bytes, 1000, 2});
    cr_assert_eq(sent.result, PL_SEND_SENT);
    cr_assert_eq(io_help_receive(&poor, to, 5, &received), 5);
    cr_assert_eq(memcmp(received.bytes, bytes, sizeof bytes), 0);
    cr_assert_eq(received.paths[0].local.family, PL_ADDRESS_NONE);
    poor.udp_close(&sys, to);
    poor.udp_close(&sys, from);
}

Test(io_udp, sets_what_the_path_needs)
{
    struct pl_udp *udp = io_help_open(io, ":0", 1200);
    if (udp->family == AF_INET6) {
        cr_assert_eq(option_of(udp, IPPROTO_IPV6, IPV6_V6ONLY), 0);
        cr_assert_eq(option_of(udp, IPPROTO_IPV6, IPV6_MTU_DISCOVER), IPV6_PMTUDISC_PROBE);
    }
    cr_assert_eq(option_of(udp, IPPROTO_IP, IP_MTU_DISCOVER), IP_PMTUDISC_PROBE);
    cr_assert_eq(option_of(udp, IPPROTO_UDP, UDP_SEGMENT), 0, "left on, it splits every datagram");
    io->udp_close(io->ctx, udp);
}

Test(io_udp, shares_a_port_when_told)
{
    struct pl_udp_options options = {.datagram_max_bytes = 1200, .reuse_port = true, .v6_only = true};
    struct pl_udp *one, *two;
    const char *text = io_help_has_ipv6() ? "[::1]:0" : "127.0.0.1:0";
    cr_assert_eq(pl_address_parse_listen(text, &options.local, NULL), PL_OK);
    cr_assert_eq(io->udp_open(io->ctx, &options, &one, NULL), PL_OK);
    options.local = io->udp_local(io->ctx, one);
    cr_assert_eq(io->udp_open(io->ctx, &options, &two, NULL), PL_OK);
    cr_assert(one->family == AF_INET || option_of(one, IPPROTO_IPV6, IPV6_V6ONLY) == 1);
    io->udp_close(io->ctx, one);
    io->udp_close(io->ctx, two);
}
