/* reader.c: a small consumer: prints the records of a node's store from a position on, and where to go on.
 *
 *     reader STORE [POSITION]
 *
 * Build: cc reader.c $(pkg-config --cflags --libs purelink) */
#include <inttypes.h>
#include <purelink.h>
#include <stdio.h>
#include <stdlib.h>

static void print(const struct purelink_entry *e)
{
    if (e->kind == PURELINK_RECORD)
        printf("%.*s/%.*s %" PRIu64 ": %.*s\n", (int)e->source_size, e->source, (int)e->stream_size,
               e->stream, e->number, (int)e->data_size, (const char *)e->data);
    else if (e->kind == PURELINK_LOST)
        printf("%.*s/%.*s: %" PRIu64 " to %" PRIu64 " are lost\n", (int)e->source_size, e->source,
               (int)e->stream_size, e->stream, e->number, e->number_to);
    else
        printf("positions %" PRIu64 " to %" PRIu64 " cannot be read any more\n", e->position, e->position_to);
}

int main(int argc, char **argv)
{
    struct purelink_reason reason = {""};
    struct purelink_reader *reader;
    struct purelink_entry entry;
    enum purelink_error e;

    if (argc < 2 || argc > 3) {
        fprintf(stderr, "usage: reader STORE [POSITION]\n");
        return 2;
    }
    struct purelink_reader_config config = {
        .size = sizeof config,
        .store = argv[1],
        .from = argc == 3 ? strtoull(argv[2], NULL, 10) : 0,
    };
    if (purelink_reader_open(&reader, &config, &reason) != PURELINK_OK) {
        fprintf(stderr, "%s\n", reason.text);
        return 1;
    }
    while ((e = purelink_reader_next(reader, &entry, &reason)) == PURELINK_OK)
        print(&entry);
    /* PURELINK_E_AGAIN: all there is was read. A program that follows would wait a moment and ask again. */
    printf("next position: %" PRIu64 "\n", purelink_reader_position(reader));
    purelink_reader_close(reader);
    if (e == PURELINK_E_AGAIN)
        return 0;
    fprintf(stderr, "%s\n", reason.text);
    return 1;
}
