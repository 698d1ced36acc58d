/* Keys, addresses, sockets, time and the trace of the two programs. */
#include "common.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <nettle/base64.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { BATCH = 64, SOCKET_BUFFER_BYTES = 1 << 20, KEY_TEXT = 44 };

static volatile sig_atomic_t stop;
static sigset_t unblocked;

void xc_fail(int status, const char *what, const char *which)
{
    fprintf(stderr, "crosscheck: %s: %s\n", what, which);
    exit(status);
}

void xc_key_from_text(const char *text, uint8_t key[XC_KEY_BYTES])
{
    struct base64_decode_ctx decode;
    uint8_t out[BASE64_DECODE_LENGTH(KEY_TEXT)];
    size_t n = sizeof out;

    base64_decode_init(&decode);
    if (strlen(text) != KEY_TEXT || !base64_decode_update(&decode, &n, out, KEY_TEXT, text) ||
        !base64_decode_final(&decode) || n != XC_KEY_BYTES)
        xc_fail(XC_EXIT_USAGE, "not a key", text);
    memcpy(key, out, XC_KEY_BYTES);
}

void xc_key_from_file(const char *path, uint8_t key[XC_KEY_BYTES])
{
    char line[KEY_TEXT + 2] = "";
    FILE *file = xc_open_file(path, "r");

    if (fgets(line, sizeof line, file) == NULL)
        xc_fail(XC_EXIT_USAGE, "no key in it", path);
    line[strcspn(line, "\n")] = '\0';
    fclose(file);
    xc_key_from_text(line, key);
}

FILE *xc_open_file(const char *path, const char *mode)
{
    FILE *file = fopen(path, mode);

    if (file == NULL)
        xc_fail(XC_EXIT_FAILED, strerror(errno), path);
    return file;
}

int xc_address_parse(const char *text, struct xc_address *address)
{
    char host[64];
    const char *colon = strrchr(text, ':');
    struct addrinfo hints = {.ai_socktype = SOCK_DGRAM, .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV}, *found;
    size_t n = colon != NULL ? (size_t)(colon - text) : 0;

    if (n == 0 || n >= sizeof host)
        xc_fail(XC_EXIT_USAGE, "not an address", text);
    if (text[0] == '[' && text[n - 1] == ']')
        snprintf(host, sizeof host, "%.*s", (int)n - 2, text + 1);
    else
        snprintf(host, sizeof host, "%.*s", (int)n, text);
    if (getaddrinfo(host, colon + 1, &hints, &found) != 0)
        xc_fail(XC_EXIT_USAGE, "not an address", text);
    memset(address, 0, sizeof *address);
    memcpy(address->bytes, found->ai_addr, found->ai_addrlen);
    address->n = found->ai_addrlen;
    int family = found->ai_family;
    freeaddrinfo(found);
    return family;
}

int xc_socket(int family, const struct xc_address *bound, bool marked)
{
    int fd = socket(family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), bytes = SOCKET_BUFFER_BYTES,
        ect0 = 2;

    if (fd < 0)
        xc_fail(XC_EXIT_FAILED, "socket", strerror(errno));
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
    if (marked && family == AF_INET)
        setsockopt(fd, IPPROTO_IP, IP_TOS, &ect0, sizeof ect0);
    else if (marked)
        setsockopt(fd, IPPROTO_IPV6, IPV6_TCLASS, &ect0, sizeof ect0);
    if (bound != NULL &&
        bind(fd, (const struct sockaddr *)(const void *)bound->bytes, (socklen_t)bound->n) != 0)
        xc_fail(XC_EXIT_FAILED, "bind", strerror(errno));
    return fd;
}

void xc_socket_name(int fd, char *text, size_t room)
{
    struct sockaddr_storage name;
    socklen_t n = sizeof name;
    char host[64] = "", port[8] = "";

    getsockname(fd, (struct sockaddr *)&name, &n);
    getnameinfo((struct sockaddr *)&name, n, host, sizeof host, port, sizeof port,
                NI_NUMERICHOST | NI_NUMERICSERV);
    snprintf(text, room, name.ss_family == AF_INET6 ? "[%s]:%s" : "%s:%s", host, port);
}

size_t xc_take_all(int fd, void *context,
                   void (*each)(void *context, const struct xc_address *from, const uint8_t *p, size_t n))
{
    uint8_t datagram[2048];
    size_t taken = 0;

    for (; taken < BATCH; taken++) {
        struct sockaddr_storage source;
        struct xc_address from = {0};
        socklen_t source_n = sizeof source;
        ssize_t n = recvfrom(fd, datagram, sizeof datagram, 0, (struct sockaddr *)&source, &source_n);
        if (n < 0)
            break;
        from.n = source_n < sizeof from.bytes ? source_n : sizeof from.bytes;
        memcpy(from.bytes, &source, from.n);
        each(context, &from, datagram, (size_t)n);
    }
    return taken;
}

/* A datagram that the kernel does not take is lost like any other. */
void xc_send_all(int fd, struct xc_link *link)
{
    uint8_t datagram[2048];
    struct xc_address to;
    size_t n;

    while ((n = xc_link_send(link, xc_now_us(), datagram, &to)) > 0)
        (void)!sendto(fd, datagram, n, 0, (const struct sockaddr *)(const void *)to.bytes, (socklen_t)to.n);
}

void xc_wait(int fd, uint64_t until_us)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    uint64_t now_us = xc_now_us(), wait_us = until_us > now_us ? until_us - now_us : 0;
    struct timespec wait = {(time_t)(wait_us / 1000000), (long)(wait_us % 1000000 * 1000)};

    ppoll(&p, 1, until_us == UINT64_MAX ? NULL : &wait, &unblocked);
}

uint64_t xc_now_us(void)
{
    struct timespec t;

    clock_gettime(CLOCK_BOOTTIME, &t);
    return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

void xc_random(void *context, void *out, size_t n)
{
    (void)context;
    if (getrandom(out, n, 0) != (ssize_t)n)
        xc_fail(XC_EXIT_FAILED, "getrandom", strerror(errno));
}

void xc_trace(FILE *file, bool sent, const char *line)
{
    fprintf(file, "%s %s\n", sent ? "out" : "in", line);
}

size_t xc_say_parse(const char *text, uint8_t say[XC_SAY_MAX])
{
    size_t n = 0;

    while (*text != '\0') {
        char *end = NULL;
        bool unbound = strncmp(text, "unbound", strlen("unbound")) == 0;
        unsigned long code = unbound ? XC_SAY_UNBOUND : strtoul(text, &end, 10);
        text = unbound ? text + strlen("unbound") : end;
        if (n == XC_SAY_MAX || code > XC_SAY_UNBOUND || strchr(",+", *text) == NULL)
            xc_fail(XC_EXIT_USAGE, "not a list of codes", text);
        say[n++] = (uint8_t)(code + (*text == '+' ? XC_SAY_MORE : 0));
        text += *text != '\0';
    }
    return n;
}

static void on_signal(int number)
{
    (void)number;
    stop = 1;
}

bool xc_stopped(void)
{
    return stop != 0;
}

void xc_catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal};
    sigset_t blocked;

    /* They come only while waiting, so that none is missed between the look and the wait. */
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    sigaddset(&blocked, SIGINT);
    sigprocmask(SIG_BLOCK, &blocked, &unblocked);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
}
