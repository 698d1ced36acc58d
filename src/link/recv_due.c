/* REFUSED and UNBOUND on their way into an answer: a short list, one entry a life. */
#include "link/recv.h"

static struct pl_due *find(struct pl_rx *rx, uint32_t life)
{
    for (unsigned i = 0; i < rx->due_n; i++) {
        if (rx->due[i].life == life) {
            return &rx->due[i];
        }
    }
    return NULL;
}

bool pl_due_add(struct pl_arrival *arrival, uint8_t code, uint32_t life, uint64_t number,
                const struct pl_rx_stream *after_commit)
{
    struct pl_rx *rx = &arrival->link->rx;
    struct pl_due *due = find(rx, life);
    bool news = due == NULL;

    if (news) {
        if (rx->due_n == PL_REFUSALS_DUE) {
            return false;
        }
        due = &rx->due[rx->due_n++];
    }
    due->code = code;
    due->life = life;
    due->number = number;
    due->after_commit = after_commit != NULL;
    due->stream = after_commit != NULL ? after_commit->number : 0;
    due->to = arrival->packet->route;
    return news;
}
