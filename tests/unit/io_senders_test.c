/* The senders file: every kind of line, every kind of mistake with its line, any size, in any portions. */
#include "io/senders.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/senders_scan.h"
#include "unit/io_help.h"

TestSuite(io_senders, .init = io_help_enter_folder, .fini = io_help_leave_folder);

#define KEY_A "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
#define KEY_B "/+8B0123456789abcdefghijklmnopqrstuvwxyzABg="
#define KEY_C "////////////////////////////////////////////"

struct list {
    size_t n;
    struct {
        char name[256];
        uint8_t key[32];
        uint64_t line;
    } senders[16];
    enum pl_error answer;
};

static enum pl_error each(void *ctx, const struct pl_sender *sender)
{
    struct list *list = ctx;
    if (list->n < 16) {
        memcpy(list->senders[list->n].name, sender->name.p, sender->name.n);
        list->senders[list->n].name[sender->name.n] = 0;
        memcpy(list->senders[list->n].key, sender->key, 32);
        list->senders[list->n].line = sender->line;
    }
    list->n++;
    return list->answer;
}

static enum pl_error read_bytes(const void *bytes, size_t n, struct list *list, struct pl_text *why)
{
    memset(list, 0, sizeof *list);
    why->s[0] = 0;
    io_help_write("senders", bytes, n);
    return pl_senders_read("senders", each, list, NULL, why);
}

static enum pl_error read_text(const char *text, struct list *list, struct pl_text *why)
{
    return read_bytes(text, strlen(text), list, why);
}

Test(io_senders, takes_every_good_form)
{
    static const struct {
        const char *text;
        size_t n;
    } texts[] = {
        {"a " KEY_A "\n", 1},
        {"a " KEY_A, 1},
        {"a\t \t" KEY_A " \t \r\n", 1},
        {"a " KEY_A "\r\nb " KEY_B "\r\n", 2},
        {"# only a comment\n", 0},
        {"\n", 0},
        {"  # c \xc3\xa4\xf0\x9f\x98\x80\n\n \t\r\n  a " KEY_A " # d\n#\n", 1},
        {"a#b " KEY_A "\n", 1},
        {"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80 " KEY_A "\n", 1},
        {"~!\"$%&'()*+,-./:;<=>?@[\\]^_`{|} " KEY_A, 1},
    };
    struct list list;
    struct pl_text why;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        cr_assert_eq(read_text(texts[i].text, &list, &why), PL_OK, "%zu: %s", i, why.s);
        cr_assert_eq(list.n, texts[i].n, "%zu", i);
    }
}

Test(io_senders, gives_name_key_and_line)
{
    static const uint8_t key_b[32] = {0xff, 0xef, 0x01, 0xd3, 0x5d, 0xb7, 0xe3, 0x9e, 0xbb, 0xf3, 0xd6,
                                      0x9b, 0x71, 0xd7, 0x9f, 0x82, 0x18, 0xa3, 0x92, 0x59, 0xa7, 0xa2,
                                      0x9a, 0xab, 0xb2, 0xdb, 0xaf, 0xc3, 0x1c, 0xb3, 0x00, 0x18};
    static const uint8_t zero[32];
    struct list list;
    struct pl_text why;
    cr_assert_eq(read_text("\n# x\nfirst " KEY_A "\nsecond " KEY_B, &list, &why), PL_OK, "%s", why.s);
    cr_assert_str_eq(list.senders[0].name, "first");
    cr_assert_eq(list.senders[0].line, 3);
    cr_assert_eq(memcmp(list.senders[0].key, zero, 32), 0);
    cr_assert_str_eq(list.senders[1].name, "second");
    cr_assert_eq(list.senders[1].line, 4);
    cr_assert_eq(memcmp(list.senders[1].key, key_b, 32), 0);
}

static const struct {
    const char *text;
    enum pl_error error;
    const char *where, *reason;
} mistakes[] = {
    {"", PL_E_USAGE, "senders:", "empty"},
    {"a\n", PL_E_USAGE, "senders:1:", "key is missing"},
    {"a", PL_E_USAGE, "senders:1:", "key is missing"},
    {"a \n", PL_E_USAGE, "senders:1:", "key is missing"},
    {"a \r\n", PL_E_USAGE, "senders:1:", "key is missing"},
    {"a # " KEY_A "\n", PL_E_USAGE, "senders:1:", "key is missing"},
    {"ok " KEY_A "\n\na " KEY_B " x\n", PL_E_USAGE, "senders:3:", "after the key"},
    {"a " KEY_A "x\n", PL_E_USAGE, "senders:1:", "after the key"},
    {"a " KEY_A "#x\n", PL_E_USAGE, "senders:1:", "after the key"},
    {"a " KEY_A "=\n", PL_E_USAGE, "senders:1:", "after the key"},
    {"a AAAA\n", PL_E_KEY, "senders:1:", "44 characters"},
    {"a AAAA", PL_E_KEY, "senders:1:", "44 characters"},
    {"a AAA!", PL_E_KEY, "senders:1:", "44 characters"},
    {"a =\n", PL_E_KEY, "senders:1:", "44 characters"},
    {"a " KEY_C "\n", PL_E_KEY, "senders:1:", "44 characters"},
    {"a AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB=\n", PL_E_KEY, "senders:1:", "44 characters"},
    {"a AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==\n", PL_E_KEY, "senders:1:", "44 characters"},
    {"a " KEY_A "\rb\n", PL_E_USAGE, "senders:1:", "carriage return"},
    {"a " KEY_A "\r", PL_E_USAGE, "senders:1:", "carriage return"},
    {"a\x01z " KEY_A "\n", PL_E_NAME, "senders:1:", "control character"},
    {"\x1b[2J " KEY_A "\n", PL_E_NAME, "senders:1:", "control character"},
    {"a\x7f " KEY_A "\n", PL_E_NAME, "senders:1:", "control character"},
    {"a\xff " KEY_A "\n", PL_E_NAME, "senders:1:", "UTF-8"},
    {"a\xc0\x80 " KEY_A "\n", PL_E_NAME, "senders:1:", "UTF-8"},
    {"a\xed\xa0\x80 " KEY_A "\n", PL_E_NAME, "senders:1:", "UTF-8"},
    {"a\xf4\x90\x80\x80 " KEY_A "\n", PL_E_NAME, "senders:1:", "UTF-8"},
    {"a\xc3 " KEY_A "\n", PL_E_NAME, "senders:1:", "UTF-8"},
    {"a\xc2\x85 " KEY_A "\n", PL_E_NAME, "senders:1:", "control character"},
    {"a\xc2\xa0z " KEY_A "\n", PL_E_NAME, "senders:1:", "space"},
    {"a\xe2\x80\xa8 " KEY_A "\n", PL_E_NAME, "senders:1:", "space"},
    {"\xef\xbb\xbf"
     "a " KEY_A "\n",
     PL_E_NAME, "senders:1:", "UTF-8"},
    {"# \xff\n", PL_E_USAGE, "senders:1:", "comment"},
    {"#\x01\n", PL_E_USAGE, "senders:1:", "comment"},
    {"a " KEY_A "\nb " KEY_A "\n", PL_E_EXISTS, "senders:2:", "the key was given on line 1"},
    {"a " KEY_A "\n#\na " KEY_B "\n", PL_E_EXISTS, "senders:3:", "the name was given on line 1"},
    {"a " KEY_A "\na " KEY_A "\n", PL_E_EXISTS, "senders:2:", "the name was given on line 1"},
};

Test(io_senders, tells_each_mistake_and_its_line)
{
    struct list list;
    struct pl_text why;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        cr_assert_eq(read_text(mistakes[i].text, &list, &why), mistakes[i].error, "%zu: %s", i, why.s);
        cr_assert_eq(strncmp(why.s, mistakes[i].where, strlen(mistakes[i].where)), 0, "%zu: %s", i, why.s);
        cr_assert(strstr(why.s, mistakes[i].reason), "%zu: %s", i, why.s);
    }
}

Test(io_senders, a_nul_byte_is_told_wherever_it_stands)
{
    static const char good[] = "a " KEY_A " # c\nb " KEY_B "\n";
    struct list list;
    struct pl_text why;
    for (size_t at = 0; at < sizeof good - 1; at++) {
        char text[sizeof good];
        memcpy(text, good, sizeof good);
        text[at] = 0;
        cr_assert_eq(read_bytes(text, sizeof good - 1, &list, &why), PL_E_USAGE, "%zu: %s", at, why.s);
        cr_assert(strstr(why.s, at <= 50 ? "senders:1: NUL" : "senders:2: NUL"), "%zu: %s", at, why.s);
    }
}

/* A line is one entry or one error, of whatever length; never two entries. */
Test(io_senders, any_length_of_name_and_line)
{
    static const size_t lengths[] = {1, 254, 255, 256, 257, 4095, 4096, 4097, 65535, 65536, 65537, 200000};
    static char text[200200];
    struct list list;
    struct pl_text why;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        size_t n = lengths[i];
        memset(text, 'x', n);
        strcpy(text + n, " " KEY_A "\n");
        enum pl_error error = read_text(text, &list, &why);
        cr_assert_eq(error, n <= 255 ? PL_OK : PL_E_NAME, "%zu: %s", n, why.s);
        cr_assert_eq(list.n, n <= 255 ? 1 : 0);
        memset(text, '#', n);
        strcpy(text + n, "\na " KEY_A);
        error = read_text(text, &list, &why);
        cr_assert_eq(error, n <= 4096 ? PL_OK : PL_E_USAGE, "comment of %zu: %s", n, why.s);
        cr_assert(!error || strstr(why.s, "senders:1: the line is longer than 4096 bytes"), "%s", why.s);
        memset(text, ' ', n);
        strcpy(text + n, "a " KEY_A);
        error = read_text(text, &list, &why);
        cr_assert_eq(error, n + 46 <= 4096 ? PL_OK : PL_E_USAGE, "indent of %zu: %s", n, why.s);
    }
    memset(text, '\xc3', 256);
    for (size_t i = 1; i < 256; i += 2)
        text[i] = '\xa4';
    strcpy(text + 256, " " KEY_A "\n");
    cr_assert_eq(read_text(text, &list, &why), PL_E_NAME);
    cr_assert_eq(read_text(text + 2, &list, &why), PL_OK);
}

Test(io_senders, the_callers_no_ends_it)
{
    struct list list = {.answer = PL_E_STORE};
    struct pl_text why = {"mine"};
    IO_HELP_WRITE("senders", "a " KEY_A "\nb " KEY_B "\n");
    cr_assert_eq(pl_senders_read("senders", each, &list, NULL, &why), PL_E_STORE);
    cr_assert_eq(list.n, 1);
    cr_assert_str_eq(why.s, "mine", "the reason is the caller's");
}

Test(io_senders, what_is_no_file_is_refused)
{
    struct list list = {.n = 0};
    struct pl_text why;
    cr_assert_eq(mkfifo("fifo", 0600), 0);
    cr_assert_eq(pl_senders_read("missing", each, &list, NULL, &why), PL_E_NOT_FOUND);
    cr_assert_eq(pl_senders_read("fifo", each, &list, NULL, &why), PL_E_IO);
    cr_assert_eq(pl_senders_read(".", each, &list, NULL, &why), PL_E_IO);
    IO_HELP_WRITE("secret", "a " KEY_A "\n");
    cr_assert_eq(chmod("secret", 0) | chmod(".", 0755), 0);
    cr_assert(geteuid() != 0 || seteuid(65534) == 0);
    cr_assert_eq(pl_senders_read("secret", each, &list, NULL, &why), PL_E_PERMISSION);
    cr_assert(strstr(why.s, "secret"));
    cr_assert(getuid() != 0 || seteuid(0) == 0);
}

static enum pl_error append_while_reading(void *ctx, const struct pl_sender *sender)
{
    (void)ctx;
    (void)sender;
    IO_HELP_APPEND("senders", "# more\n");
    return PL_OK;
}

Test(io_senders, a_file_that_changes_is_not_taken)
{
    struct pl_text why;
    struct pl_file_mark mark = {0}, none = {0};
    IO_HELP_WRITE("senders", "a " KEY_A "\n");
    cr_assert_eq(pl_senders_read("senders", append_while_reading, NULL, &mark, &why), PL_E_IO);
    cr_assert(strstr(why.s, "changed while"), "%s", why.s);
    cr_assert_eq(memcmp(&mark, &none, sizeof mark), 0);
}

Test(io_senders, the_mark_tells_states_apart)
{
    struct list list = {.n = 0};
    struct pl_file_mark one, two, three;
    IO_HELP_WRITE("senders", "a " KEY_A "\n");
    cr_assert_eq(pl_senders_read("senders", each, &list, &one, NULL), PL_OK);
    cr_assert_eq(pl_file_mark_read("senders", &two, NULL), PL_OK);
    cr_assert_eq(memcmp(&one, &two, sizeof one), 0);
    IO_HELP_APPEND("senders", "#\n");
    cr_assert_eq(pl_file_mark_read("senders", &three, NULL), PL_OK);
    cr_assert_neq(memcmp(&one, &three, sizeof one), 0);
    cr_assert_eq(pl_file_mark_read("missing", &three, NULL), PL_E_NOT_FOUND);
}

/* Names and keys from a number, so that many are quickly made. */
static void write_many(const char *path, size_t count)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    FILE *file = fopen(path, "w");
    for (size_t i = 0; i < count; i++) {
        char key[] = KEY_A;
        for (size_t j = 0, rest = i; j < 6; j++, rest /= 64)
            key[j] = digits[rest % 64];
        fprintf(file, "device-%zu %s\n", i, key);
    }
    fclose(file);
}

Test(io_senders, many_senders_and_a_late_repeat)
{
    static struct list list;
    struct pl_text why;
    write_many("many", 30000);
    cr_assert_eq(pl_senders_read("many", each, &list, NULL, &why), PL_OK, "%s", why.s);
    cr_assert_eq(list.n, 30000);
    IO_HELP_APPEND("many", "device-777 " KEY_B "\nx " KEY_A "\n");
    cr_assert_eq(pl_senders_read("many", each, &list, NULL, &why), PL_E_EXISTS);
    cr_assert_str_eq(why.s, "many:30001: the name was given on line 778 already");
}

static size_t taken;

static enum pl_error count_taken(struct pl_senders_scan *scan)
{
    (void)scan;
    taken++;
    return PL_OK;
}

static enum pl_error scan_cut(const char *text, size_t cut, uint64_t *line)
{
    struct pl_senders_scan scan = {.take = count_taken};
    size_t n = strlen(text);
    taken = 0;
    pl_senders_scan_init(&scan);
    enum pl_error error = pl_senders_scan_bytes(&scan, (const uint8_t *)text, cut, false);
    if (!error)
        error = pl_senders_scan_bytes(&scan, (const uint8_t *)text + cut, n - cut, false);
    if (!error)
        error = pl_senders_scan_bytes(&scan, (const uint8_t *)"", 0, true);
    *line = scan.line;
    return error;
}

Test(io_senders, portions_do_not_matter)
{
    static const char good[] = "# c\r\nname-\xc3\xa4 \t" KEY_B " # d\nb " KEY_A;
    uint64_t whole_line, line;
    for (size_t cut = 0; cut < sizeof good; cut++) {
        cr_assert_eq(scan_cut(good, cut, &line), PL_OK, "cut at %zu", cut);
        cr_assert_eq(taken, 2);
    }
    for (size_t i = 1; i < sizeof mistakes / sizeof *mistakes; i++) {
        const char *text = mistakes[i].text;
        enum pl_error whole = scan_cut(text, 0, &whole_line);
        for (size_t cut = 1; cut <= strlen(text); cut++) {
            cr_assert_eq(scan_cut(text, cut, &line), whole, "%zu cut at %zu", i, cut);
            cr_assert_eq(line, whole_line);
        }
    }
}
