/*
 * The kernel calls under the UDP functions, so that a test can make each fail with each errno. The members
 * behave as the libc functions of the same name.
 */
#ifndef PL_IO_SYSCALLS_H
#define PL_IO_SYSCALLS_H

#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <time.h>

struct pl_syscalls {
    int (*socket)(int family, int type, int protocol);
    int (*set_option)(int fd, int level, int option, const void *value, socklen_t n);
    int (*bind)(int fd, const struct sockaddr *address, socklen_t n);
    ssize_t (*send_message)(int fd, const struct msghdr *message, int flags);
    int (*receive_messages)(int fd, struct mmsghdr *messages, unsigned n, int flags,
                            struct timespec *timeout);
    int (*poll)(struct pollfd *fds, nfds_t n, const struct timespec *timeout, const sigset_t *mask);
};

/* ctx of pl_io_linux; a test puts its own in a copy of that table. */
extern const struct pl_syscalls pl_syscalls_libc;

#endif
