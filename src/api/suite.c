/* suite.c: suites by the names people give. */
#include "api/suite.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "link/link_limits.h"

enum { NAME_ROOM = 32 };

static const uint8_t spoken[] = {PL_SUITE_AES_128_GCM, PL_SUITE_CHACHA20_POLY1305};

static void name_of(uint8_t suite, char out[NAME_ROOM])
{
    snprintf(out, NAME_ROOM, "%s", pl_suite_name(suite));
    for (; *out; out++)
        *out = *out == '_' ? '-' : (char)tolower((unsigned char)*out);
}

enum pl_error pl_api_suite(const char *name, uint8_t *suite, struct pl_text *why)
{
    char known[sizeof spoken][NAME_ROOM];
    for (size_t i = 0; i < sizeof spoken; i++) {
        name_of(spoken[i], known[i]);
        if (!name || strcmp(name, known[i]) == 0) {
            *suite = spoken[i];
            return PL_OK;
        }
    }
    pl_text_set(why, "suite %.40s: there is none of that name; there are %s and %s", name, known[0],
                known[1]);
    return PL_E_USAGE;
}
