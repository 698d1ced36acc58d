/* Keys and names of devices, from the seed. */
#include "fleet.h"

#include <nettle/base64.h>
#include <nettle/sha2.h>
#include <string.h>

enum { KEY_TEXT = 44 };

void fleet_key(const char *seed, uint32_t device, uint8_t key[XC_KEY_BYTES])
{
    static const char label[] = "purelink fleet";
    const uint8_t number[4] = {(uint8_t)(device >> 24), (uint8_t)(device >> 16), (uint8_t)(device >> 8),
                               (uint8_t)device};
    struct sha256_ctx hash;

    sha256_init(&hash);
    sha256_update(&hash, sizeof label, (const uint8_t *)label);
    sha256_update(&hash, strlen(seed), (const uint8_t *)seed);
    sha256_update(&hash, sizeof number, number);
    sha256_digest(&hash, XC_KEY_BYTES, key);
}

void fleet_name(uint32_t device, char name[FLEET_NAME_BYTES])
{
    snprintf(name, FLEET_NAME_BYTES, "d%07u", device + 1);
}

bool fleet_key_from_text(const char *text, uint8_t key[XC_KEY_BYTES])
{
    struct base64_decode_ctx decode;
    uint8_t out[BASE64_DECODE_LENGTH(KEY_TEXT)];
    size_t n = sizeof out;

    base64_decode_init(&decode);
    if (strlen(text) != KEY_TEXT || !base64_decode_update(&decode, &n, out, KEY_TEXT, text) ||
        !base64_decode_final(&decode) || n != XC_KEY_BYTES)
        return false;
    memcpy(key, out, XC_KEY_BYTES);
    return true;
}

void fleet_print_senders(const struct fleet_options *options, FILE *out)
{
    for (uint32_t i = 0; i < options->devices; i++) {
        uint8_t private_key[XC_KEY_BYTES], public_key[XC_KEY_BYTES];
        char name[FLEET_NAME_BYTES], text[BASE64_ENCODE_RAW_LENGTH(XC_KEY_BYTES) + 1];
        fleet_key(options->seed, i, private_key);
        xc_public_key(private_key, public_key);
        fleet_name(i, name);
        base64_encode_raw(text, XC_KEY_BYTES, public_key);
        text[sizeof text - 1] = '\0';
        fprintf(out, "%s %s\n", name, text);
    }
}
