/* The kernel calls of the table are those of libc. */
#include "io/syscalls.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <netinet/in.h>
#include <unistd.h>

Test(io_syscalls, reach_the_kernel)
{
    const struct pl_syscalls *sys = &pl_syscalls_libc;
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    struct mmsghdr message = {0};
    struct timespec none = {0};
    int fd = sys->socket(AF_INET, SOCK_DGRAM, 0);
    cr_assert_geq(fd, 0);
    cr_assert_eq(sys->bind(fd, (struct sockaddr *)&name, sizeof name), 0);
    cr_assert_eq(sys->receive_messages(fd, &message, 1, MSG_DONTWAIT, NULL), -1);
    cr_assert_eq(errno, EAGAIN);
    cr_assert_eq(sys->send_message(fd, &message.msg_hdr, 0), -1);
    cr_assert_eq(errno, EDESTADDRREQ);
    cr_assert_eq(sys->set_option(fd, SOL_SOCKET, -1, "", 1), -1);
    struct pollfd one = {.fd = fd, .events = POLLIN};
    cr_assert_eq(sys->poll(&one, 1, &none, NULL), 0);
    close(fd);
}
