/* The command line. */
#include "fleet.h"

#include <arpa/inet.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: purelink-fleet keys --devices N [--seed TEXT]\n"
    "       purelink-fleet once --devices N --node ADDRESS:PORT --node-key PUBLIC [--rate N] [--in-flight "
    "N]\n"
    "       purelink-fleet run  ... --period-ms N --for SECONDS\n"
    "       purelink-fleet wake ... [--rate N] [--rest-ms N]\n"
    "  --seed TEXT (fleet)      keys are made from it     --rate N (1000)        records a second, of all "
    "devices\n"
    "  --from ADDRESS (127.1.0.0) of the first device     --in-flight N (4096)   devices that wait at once, "
    "at most\n"
    "  --suite 1|2 (1)          AES-128-GCM, ChaCha20     --period-ms N (5000)   between two records of a "
    "device\n"
    "  --record-bytes N (61)    up to 1000                --for SECONDS (10)     how long records are made\n"
    "  --timeout SECONDS (60)   for what is not stored    --rest-ms N (5000)     before the first device "
    "wakes\n"
    "  --idle-ms N (run: 30000; else 0)  a device with all stored keeps its link so long\n";

enum { LOOPBACK = 127 };

_Noreturn void fleet_fail(enum fleet_exit status, const char *what, const char *which)
{
    fprintf(stderr, "purelink-fleet: %s: %s\n", which, what);
    exit((int)status);
}

static _Noreturn void fail_usage(void)
{
    fputs(usage, stderr);
    exit(FLEET_USAGE);
}

static uint64_t number_of(const char *text, uint64_t least, uint64_t most)
{
    char *end, reason[80];
    unsigned long long n = strtoull(text, &end, 10);

    snprintf(reason, sizeof reason, "not a number from %llu to %llu", (unsigned long long)least,
             (unsigned long long)most);
    if (*text < '0' || *text > '9' || *end != '\0' || n < least || n > most)
        fleet_fail(FLEET_USAGE, reason, text);
    return n;
}

static uint32_t address_of(const char *text)
{
    struct in_addr address;

    if (inet_pton(AF_INET, text, &address) != 1)
        fleet_fail(FLEET_USAGE, "not an IPv4 address", text);
    return ntohl(address.s_addr);
}

static void set_node(struct fleet_options *o, const char *text)
{
    char host[16];
    const char *colon = strrchr(text, ':');
    size_t n = colon != NULL ? (size_t)(colon - text) : sizeof host;

    if (n >= sizeof host)
        fleet_fail(FLEET_USAGE, "not an IPv4 address and port", text);
    memcpy(host, text, n);
    host[n] = '\0';
    o->node_address = address_of(host);
    o->node_port = (uint16_t)number_of(colon + 1, 1, 65535);
}

static void set_key(struct fleet_options *o, const char *text)
{
    if (!fleet_key_from_text(text, o->node_key))
        fleet_fail(FLEET_USAGE, "not a public key", text);
}

static void set_option(struct fleet_options *o, int option, const char *value)
{
    static const uint64_t day_ms = 86400000, day_s = 86400;

    switch (option) {
    case 'n': o->devices = (uint32_t)number_of(value, 1, FLEET_DEVICES_MAX); break;
    case 's': o->seed = value; break;
    case 'a': set_node(o, value); break;
    case 'k': set_key(o, value); break;
    case 'f': o->from = address_of(value); break;
    case 'u': o->suite = (uint8_t)number_of(value, XC_SUITE_AES, XC_SUITE_CHACHA); break;
    case 'r': o->rate_per_s = number_of(value, 1, 1000000); break;
    case 'i': o->in_flight_max = number_of(value, 1, FLEET_DEVICES_MAX); break;
    case 'p': o->period_ms = number_of(value, 1, day_ms); break;
    case 'o': o->for_s = number_of(value, 1, day_s); break;
    case 'e': o->rest_ms = number_of(value, 0, day_ms); break;
    case 'l': o->idle_ms = number_of(value, 0, day_ms); break;
    case 't': o->timeout_s = number_of(value, 1, day_s); break;
    case 'b': o->record_bytes = number_of(value, 1, 1000); break;
    default: fail_usage();
    }
}

static enum fleet_command command_of(const char *word)
{
    static const char *const known[] = {"keys", "once", "run", "wake"};

    for (int i = 0; i < 4; i++)
        if (word != NULL && strcmp(word, known[i]) == 0)
            return (enum fleet_command)i;
    fail_usage();
}

/* A node on the loopback answers the loopback alone, and the last address of all is not one of a device. */
static void check(const struct fleet_options *o)
{
    static const uint8_t none[XC_KEY_BYTES];
    uint32_t last = o->from + (o->devices - 1);

    if (o->devices == 0)
        fleet_fail(FLEET_USAGE, "is needed", "--devices");
    if (o->command == FLEET_KEYS)
        return;
    if (o->node_port == 0)
        fleet_fail(FLEET_USAGE, "is needed", "--node");
    if (memcmp(o->node_key, none, sizeof none) == 0)
        fleet_fail(FLEET_USAGE, "is needed", "--node-key");
    if ((o->from >> 24 == LOOPBACK) != (o->node_address >> 24 == LOOPBACK))
        fleet_fail(FLEET_USAGE, "the node and the devices must both be on the loopback, or neither",
                   "--from");
    if (last < o->from || (o->from >> 24 == LOOPBACK && last >= UINT32_C(0x7fffffff)))
        fleet_fail(FLEET_USAGE, "there are not so many addresses behind it", "--from");
    if (o->node_address >= o->from && o->node_address <= last)
        fleet_fail(FLEET_USAGE, "a device would have the address of the node", "--from");
}

void fleet_parse(int argc, char **argv, struct fleet_options *options)
{
    static const struct option known[] = {
        {"devices", required_argument, NULL, 'n'},
        {"seed", required_argument, NULL, 's'},
        {"node", required_argument, NULL, 'a'},
        {"node-key", required_argument, NULL, 'k'},
        {"from", required_argument, NULL, 'f'},
        {"suite", required_argument, NULL, 'u'},
        {"rate", required_argument, NULL, 'r'},
        {"in-flight", required_argument, NULL, 'i'},
        {"period-ms", required_argument, NULL, 'p'},
        {"for", required_argument, NULL, 'o'},
        {"rest-ms", required_argument, NULL, 'e'},
        {"idle-ms", required_argument, NULL, 'l'},
        {"timeout", required_argument, NULL, 't'},
        {"record-bytes", required_argument, NULL, 'b'},
        {0},
    };
    int option;

    *options = (struct fleet_options){.command = command_of(argc > 1 ? argv[1] : NULL),
                                      .seed = "fleet",
                                      .from = UINT32_C(0x7f010000),
                                      .suite = XC_SUITE_AES,
                                      .rate_per_s = 1000,
                                      .period_ms = 5000,
                                      .for_s = 10,
                                      .rest_ms = 5000,
                                      .timeout_s = 60,
                                      .in_flight_max = 4096,
                                      .record_bytes = 61};
    options->idle_ms = options->command == FLEET_RUN ? 30000 : 0;
    while ((option = getopt_long(argc - 1, argv + 1, "", known, NULL)) != -1)
        set_option(options, option, optarg);
    if (optind != argc - 1)
        fail_usage();
    check(options);
}
