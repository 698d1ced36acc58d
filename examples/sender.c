/* sender.c: a small device: sends its arguments as records and waits until the node has stored them.
 *
 *     sender KEY-FILE NODE-KEY ADDRESS:PORT OUTBOX STREAM RECORD...
 *
 * Build: cc sender.c $(pkg-config --cflags --libs purelink) */
#include <purelink.h>
#include <stdio.h>
#include <string.h>

enum { WAIT_MS = 30000 };

static int complain(const char *what, const struct purelink_reason *reason)
{
    fprintf(stderr, "%s: %s\n", what, reason->text);
    return 1;
}

static int give(struct purelink_sender *sender, const char *stream, char **records)
{
    struct purelink_reason reason = {""};
    for (; *records; records++) {
        enum purelink_error e = purelink_sender_put(sender, stream, *records, strlen(*records));
        if (e != PURELINK_OK) {
            fprintf(stderr, "%s: %s\n", *records, purelink_strerror(e));
            return 1;
        }
    }
    if (purelink_sender_commit(sender, &reason) != PURELINK_OK)
        return complain("commit", &reason);
    return 0;
}

/* From here on the records are safe: if this program is killed, the next to open the outbox sends them. */
static int wait_until_stored(struct purelink_sender *sender)
{
    struct purelink_sender_status status;
    enum purelink_error e = purelink_sender_run(sender, WAIT_MS);
    purelink_sender_status(sender, &status);
    printf("stored %llu, left %llu: %s\n", (unsigned long long)status.stored_records,
           (unsigned long long)status.held_records, purelink_strerror(e));
    return e == PURELINK_OK ? 0 : 75;
}

int main(int argc, char **argv)
{
    if (argc < 7) {
        fprintf(stderr, "usage: sender KEY-FILE NODE-KEY ADDRESS:PORT OUTBOX STREAM RECORD...\n");
        return 64;
    }
    uint8_t own[PURELINK_KEY_SIZE], node[PURELINK_KEY_SIZE];
    struct purelink_reason reason;
    struct purelink_sender *sender = NULL;
    if (purelink_key_read(argv[1], own, &reason) != PURELINK_OK)
        return complain("own key", &reason);
    if (purelink_key_from_text(argv[2], node, &reason) != PURELINK_OK)
        return complain("node key", &reason);
    struct purelink_sender_config config = {
        .size = sizeof config, .private_key = own, .node_key = node, .node = argv[3], .outbox = argv[4]};
    enum purelink_error e = purelink_sender_open(&sender, &config, &reason);
    purelink_wipe(own, sizeof own);
    if (e != PURELINK_OK)
        return complain("sender", &reason);
    int status = give(sender, argv[5], argv + 6);
    if (status == 0)
        status = wait_until_stored(sender);
    purelink_sender_close(sender);
    return status;
}
