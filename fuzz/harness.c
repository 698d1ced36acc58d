/* The main function of the fuzz targets: AFL++'s persistent mode with input in shared memory, or files. */
#include "harness.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { INPUT_MAX_BYTES = 1 << 16, RUNS_PER_PROCESS = 10000 };

#ifdef __AFL_FUZZ_TESTCASE_LEN
__AFL_FUZZ_INIT();
#endif

__attribute__((weak)) void fuzz_begin(void)
{
}

void fuzz_fail(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    abort();
}

/* In memory of its own, so that a sanitizer sees a read past the end. */
static void run_one(const uint8_t *p, size_t n)
{
    uint8_t *copy = malloc(n > 0 ? n : 1);

    if (copy == NULL)
        fuzz_fail("no memory for %zu bytes", n);
    memcpy(copy, p, n);
    fuzz_one(copy, n);
    free(copy);
}

const char *fuzz_file(const uint8_t *p, size_t n)
{
    static char path[64];
    static int fd = -1;

    if (fd < 0) {
        fd = memfd_create("input", MFD_CLOEXEC);
        if (fd < 0 || fchmod(fd, 0600) != 0)
            fuzz_fail("no file in memory");
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    }
    if (ftruncate(fd, 0) != 0 || pwrite(fd, p, n, 0) != (ssize_t)n)
        fuzz_fail("the file in memory cannot be written");
    return path;
}

static int run_file(const char *path)
{
    static uint8_t input[INPUT_MAX_BYTES];
    FILE *file = fopen(path, "rb");

    if (file == NULL) {
        fprintf(stderr, "%s: cannot be read\n", path);
        return 1;
    }
    size_t n = fread(input, 1, sizeof input, file);
    fclose(file);
    run_one(input, n);
    return 0;
}

int main(int argc, char **argv)
{
    int bad = 0;

    fuzz_begin();
    for (int i = 1; i < argc; i++)
        bad |= run_file(argv[i]);
#ifdef __AFL_FUZZ_TESTCASE_LEN
    if (argc == 1) {
        __AFL_INIT();
        const uint8_t *input = __AFL_FUZZ_TESTCASE_BUF;
        while (__AFL_LOOP(RUNS_PER_PROCESS))
            run_one(input, (size_t)__AFL_FUZZ_TESTCASE_LEN);
    }
#endif
    return bad;
}
