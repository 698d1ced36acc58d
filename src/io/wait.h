/* Waiting and waking with the kernel's means, behind pl_io_linux; ctx is a struct pl_syscalls. */
#ifndef PL_IO_WAIT_H
#define PL_IO_WAIT_H

#include "io/io.h"

enum pl_error pl_wake_open(void *ctx, struct pl_wake **out, struct pl_text *why);
void pl_wake_close(void *ctx, struct pl_wake *wake);
void pl_wake_up(void *ctx, struct pl_wake *wake);
unsigned pl_wait(void *ctx, struct pl_udp *const *sockets, size_t n, struct pl_wake *wake,
                 uint64_t timeout_us);

#endif
