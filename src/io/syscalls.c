/* The kernel calls as libc has them. */
#include "io/syscalls.h"

/* libc declares these with transparent unions and restrict; a plain function has the table's type. */
static int libc_bind(int fd, const struct sockaddr *address, socklen_t n)
{
    return bind(fd, address, n);
}

const struct pl_syscalls pl_syscalls_libc = {
    .socket = socket,
    .set_option = setsockopt,
    .bind = libc_bind,
    .send_message = sendmsg,
    .receive_messages = recvmmsg,
    .poll = ppoll,
};
