/* Refusals without a reason. */
#include "say.h"

#include "inner.h"

static void unbind(const struct xc_rx_stream *stream, struct xc_payload *payload)
{
    xc_put_life(payload, XC_UNBOUND, stream->now.tag);
    for (size_t i = 0; i < stream->past_n; i++)
        xc_put_life(payload, XC_UNBOUND, stream->past[i].tag);
}

static void say_one(const struct xc_rx_stream *stream, struct xc_payload *payload, uint8_t code)
{
    if (code == XC_SAY_UNBOUND)
        unbind(stream, payload);
    else if (code == XC_MALFORMED)
        xc_put_refused(payload, 0, 0, code);
    else
        xc_put_refused(payload, stream->now.tag, code == XC_FORKED ? stream->stored : 0, code);
}

/* False: nothing is to be said of the stream but the truth. It is still owed after what was said. */
bool xc_say(struct xc_link *link, struct xc_rx_stream *stream, struct xc_payload *payload)
{
    while (stream->now.tag != 0 && link->said < link->config.say_n) {
        uint8_t what = link->config.say[link->said++];
        if (what % XC_SAY_MORE == XC_SAY_TRUTH)
            return false;
        say_one(stream, payload, what % XC_SAY_MORE);
        if (what < XC_SAY_MORE)
            return true;
    }
    return false;
}
