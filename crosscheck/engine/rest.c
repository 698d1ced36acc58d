/* What remains of a stream when its link is given up at rest, and how a later link goes on from it. */
#include "inner.h"

#include <string.h>

static struct xc_tx_stream *named(struct xc_link *link, const uint8_t *name, size_t name_n)
{
    for (size_t i = 0; i < link->tx.n; i++)
        if (link->tx.stream[i].name_n == name_n && memcmp(link->tx.stream[i].name, name, name_n) == 0)
            return &link->tx.stream[i];
    return NULL;
}

bool xc_link_rest(struct xc_link *link, const uint8_t *name, size_t name_n, struct xc_rest *rest)
{
    const struct xc_tx_stream *stream = named(link, name, name_n);

    if (stream == NULL || stream->n > 0 || stream->last.tag == 0)
        return false;
    *rest = (struct xc_rest){.birth = stream->last.birth,
                             .first = stream->last.first,
                             .count = stream->last.count,
                             .end = stream->last.stored_end,
                             .life = stream->last.tag,
                             .before = stream->last.before};
    return true;
}

void xc_link_resume(struct xc_link *link, const uint8_t *name, size_t name_n, const struct xc_rest *rest)
{
    struct xc_tx_stream *stream = xc_tx_stream_of(link, name, name_n);

    stream->last = (struct xc_tx_life){.tag = rest->life,
                                       .before = rest->before,
                                       .birth = rest->birth,
                                       .first = rest->first,
                                       .count = (size_t)rest->count,
                                       .stored = (size_t)rest->count,
                                       .stored_end = rest->end,
                                       .sent = true};
}
