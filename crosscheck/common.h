/* What the two programs of the second implementation share: keys, addresses, sockets, time, the trace. All
 * that fails here ends the program with a line on standard error. */
#ifndef XC_COMMON_H
#define XC_COMMON_H

#include "engine/link.h"
#include "engine/say.h"

#include <stdio.h>

enum { XC_EXIT_USAGE = 64, XC_EXIT_REFUSED = 65, XC_EXIT_FAILED = 74, XC_EXIT_KEPT = 75 };

_Noreturn void xc_fail(int status, const char *what, const char *which);

/* A key of 44 characters of base64, as text or as the one line of a file. */
void xc_key_from_text(const char *text, uint8_t key[XC_KEY_BYTES]);
void xc_key_from_file(const char *path, uint8_t key[XC_KEY_BYTES]);

/* "HOST:PORT", an IPv6 host in brackets; numbers only. Returns the address family. */
int xc_address_parse(const char *text, struct xc_address *address);

/* A non-blocking UDP socket, bound to the address if there is one. marked: its datagrams leave as ECT(0). */
int xc_socket(int family, const struct xc_address *bound, bool marked);

/* "HOST:PORT" of a bound socket, numbers only. */
void xc_socket_name(int fd, char *text, size_t room);

/* Takes all datagrams that are waiting, up to a batch; returns how many. `each` is given each one. */
size_t xc_take_all(int fd, void *context,
                   void (*each)(void *context, const struct xc_address *from, const uint8_t *p, size_t n));

/* Sends what the link has due. */
void xc_send_all(int fd, struct xc_link *link);

/* Waits for the socket until the time (UINT64_MAX: for ever) or a signal. */
void xc_wait(int fd, uint64_t until_us);

uint64_t xc_now_us(void);

/* For struct xc_outside. The context of the trace is a FILE. */
void xc_random(void *context, void *out, size_t n);
void xc_trace(FILE *file, bool sent, const char *line);

/* "5+2,unbound,0": what is said in one answer is joined by +. Returns how many there are; a wrong list ends
 * the program. */
size_t xc_say_parse(const char *text, uint8_t say[XC_SAY_MAX]);

FILE *xc_open_file(const char *path, const char *mode);

/* Set by SIGTERM and SIGINT once xc_catch_signals was called. */
bool xc_stopped(void);
void xc_catch_signals(void);

#endif
