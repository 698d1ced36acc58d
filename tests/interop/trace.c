/* Linked with the product's own objects, never into the product: notes in a file each pair of state and
 * event that a machine stepped on, and sets limits that a test cannot wait for.
 *
 * PURELINK_TRACE names the file. It is mapped, so that what was noted stays when the process is killed: a
 * slot for each machine, with its name and a byte for each state and event. Limits, each left alone if not
 * given: PURELINK_TRACE_IDLE_MS, PURELINK_TRACE_RUN_PACKETS, PURELINK_TRACE_FAILURES. As long as there is a
 * file named by PURELINK_TRACE_FULL, the disk has no room. */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "link/link.h"
#include "link/link_states.h"

enum { MACHINES = 16, NAME = 32, STATES = 16, EVENTS = 16, US_PER_MS = 1000 };

struct slot {
    char name[NAME];
    uint8_t seen[STATES][EVENTS];
};

static struct slot *slots;
static pthread_mutex_t claiming = PTHREAD_MUTEX_INITIALIZER;

void __real_pl_env_defaults(struct pl_env *env);
void __wrap_pl_env_defaults(struct pl_env *env);
int __real_statvfs(const char *path, struct statvfs *out);
int __wrap_statvfs(const char *path, struct statvfs *out);

static struct slot *slot_of(const char *machine)
{
    struct slot *slot = slots, *end = slots + MACHINES;

    while (slot < end && slot->name[0] != '\0' && strncmp(slot->name, machine, NAME - 1) != 0) {
        slot++;
    }
    if (slot == end) {
        abort();
    }
    strncpy(slot->name, machine, NAME - 1);
    return slot;
}

static void note(const char *machine, const void *self, uint8_t from, uint8_t event, uint8_t to)
{
    (void)self;
    (void)to;
    pthread_mutex_lock(&claiming);
    if (from < STATES && event < EVENTS) {
        slot_of(machine)->seen[from][event] = 1;
    }
    pthread_mutex_unlock(&claiming);
}

__attribute__((constructor)) static void start(void)
{
    const char *path = getenv("PURELINK_TRACE");
    size_t size = MACHINES * sizeof *slots;
    int fd = path != NULL ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;

    if (path == NULL) {
        return;
    }
    if (fd < 0 || ftruncate(fd, (off_t)size) != 0) {
        abort();
    }
    slots = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (slots == MAP_FAILED) {
        abort();
    }
    close(fd);
    pl_state_trace = note;
}

static uint64_t limit(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);

    return text != NULL ? strtoull(text, NULL, 10) : otherwise;
}

void __wrap_pl_env_defaults(struct pl_env *env)
{
    struct pl_settings *settings = &env->settings;

    __real_pl_env_defaults(env);
    settings->idle_us = US_PER_MS * limit("PURELINK_TRACE_IDLE_MS", settings->idle_us / US_PER_MS);
    settings->run_packets = (uint32_t)limit("PURELINK_TRACE_RUN_PACKETS", settings->run_packets);
    settings->failures_max = limit("PURELINK_TRACE_FAILURES", settings->failures_max);
}

int __wrap_statvfs(const char *path, struct statvfs *out)
{
    const char *full = getenv("PURELINK_TRACE_FULL");
    int result = __real_statvfs(path, out);

    if (full != NULL && access(full, F_OK) == 0) {
        out->f_bavail = 0;
    }
    return result;
}
