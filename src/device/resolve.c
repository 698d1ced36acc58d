/* resolve.c: look-ups on a detached thread that shares one counted object with the device. */
#include "device/resolve.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_ROOM = 300 }; /* a host name has at most 255 characters (RFC 1035 section 2.3.4), a port 5 */

struct pl_name_lookup {
    pthread_mutex_t lock;
    unsigned owners; /* the device and a running look-up */
    bool closed;     /* no wake any more */
    bool running, ready;
    bool is_name;
    pl_device_resolve *resolve;
    pl_name_lookup_wake *wake;
    void *wake_ctx;
    enum pl_error error;
    size_t n;
    struct pl_address addresses[PL_ADDRESS_RESOLVE_MAX];
    struct pl_text why;
    char text[NAME_ROOM];
};

static bool is_port(const char *s)
{
    uint32_t port = 0;
    size_t n = 0;
    for (; s[n] >= '0' && s[n] <= '9' && port <= UINT16_MAX; n++)
        port = 10 * port + (uint32_t)(s[n] - '0');
    return n > 0 && !s[n] && port > 0 && port <= UINT16_MAX;
}

/* A host name and a port; whether the name exists is for the look-up. */
static bool could_be_name(const char *text)
{
    const char *colon = strrchr(text, ':');
    size_t n = colon ? (size_t)(colon - text) : 0;
    if (n == 0 || strlen(text) >= NAME_ROOM || !is_port(colon + 1))
        return false;
    if (strspn(text, "0123456789.") == n)
        return false;
    for (size_t i = 0; i < n; i++)
        if (strchr(" \t[]:/%", text[i]) || (unsigned char)text[i] < ' ')
            return false;
    return true;
}

static enum pl_error read_text(struct pl_name_lookup *r, const char *text, struct pl_text *why)
{
    if (pl_address_parse(text, &r->addresses[0], why) == PL_OK) {
        r->n = 1;
        return PL_OK;
    }
    if (!could_be_name(text))
        return PL_E_ADDRESS;
    r->is_name = true;
    memcpy(r->text, text, strlen(text) + 1); /* could_be_name saw that it fits */
    return PL_OK;
}

enum pl_error pl_name_lookup_open(struct pl_name_lookup **out, const char *text, pl_device_resolve *resolve,
                                  pl_name_lookup_wake *wake, void *wake_ctx, struct pl_text *why)
{
    *out = NULL;
    struct pl_name_lookup *r = calloc(1, sizeof *r);
    if (!r)
        return PL_E_NO_MEMORY;
    *r = (struct pl_name_lookup){.owners = 1, .resolve = resolve, .wake = wake, .wake_ctx = wake_ctx};
    enum pl_error e = read_text(r, text, why);
    if (e != PL_OK || pthread_mutex_init(&r->lock, NULL) != 0) {
        free(r);
        return e != PL_OK ? e : PL_E_NO_MEMORY;
    }
    *out = r;
    return PL_OK;
}

/* With the lock held; gives it back. */
static void leave(struct pl_name_lookup *r)
{
    bool last = --r->owners == 0;
    pthread_mutex_unlock(&r->lock);
    if (last) {
        pthread_mutex_destroy(&r->lock);
        free(r);
    }
}

void pl_name_lookup_close(struct pl_name_lookup *resolver)
{
    if (!resolver)
        return;
    pthread_mutex_lock(&resolver->lock);
    resolver->closed = true;
    leave(resolver);
}

static void *look_up(void *arg)
{
    struct pl_name_lookup *r = arg;
    struct pl_address found[PL_ADDRESS_RESOLVE_MAX];
    struct pl_text why = {""};
    size_t n = 0;
    enum pl_error e = r->resolve(r->text, found, &n, &why);
    pthread_mutex_lock(&r->lock);
    r->error = e;
    r->why = why;
    r->n = e == PL_OK ? n : 0;
    memcpy(r->addresses, found, r->n * sizeof found[0]);
    r->running = false;
    r->ready = true;
    if (!r->closed)
        r->wake(r->wake_ctx);
    leave(r);
    return NULL;
}

/* Signals are for the threads of the program, not for this one. */
static bool start_thread(struct pl_name_lookup *r)
{
    pthread_t thread;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool ok = pthread_create(&thread, NULL, look_up, r) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return ok && pthread_detach(thread) == 0;
}

bool pl_name_lookup_start(struct pl_name_lookup *resolver)
{
    if (!resolver->is_name) {
        resolver->ready = true;
        return true;
    }
    pthread_mutex_lock(&resolver->lock);
    bool start = !resolver->running;
    if (start) {
        resolver->running = true;
        resolver->owners++;
    }
    pthread_mutex_unlock(&resolver->lock);
    if (!start || start_thread(resolver))
        return true;
    pthread_mutex_lock(&resolver->lock);
    resolver->running = false;
    leave(resolver);
    return false;
}

enum pl_error pl_name_lookup_take(struct pl_name_lookup *resolver,
                                  struct pl_address out[PL_ADDRESS_RESOLVE_MAX], size_t *n,
                                  struct pl_text *why)
{
    enum pl_error e = PL_E_AGAIN;
    pthread_mutex_lock(&resolver->lock);
    if (resolver->ready) {
        e = resolver->error;
        *n = resolver->n;
        memcpy(out, resolver->addresses, resolver->n * sizeof out[0]);
        if (why)
            *why = resolver->why;
        resolver->ready = false;
    }
    pthread_mutex_unlock(&resolver->lock);
    return e;
}

bool pl_name_lookup_is_name(const struct pl_name_lookup *resolver)
{
    return resolver->is_name;
}
