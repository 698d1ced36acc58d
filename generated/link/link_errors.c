/* Generated from spec/link.wire by codegen; do not edit: run `make generate`.
 *
 * Names and meanings of the errors.
 */
#include "link/link_types.h"

const char *pl_error_name(enum pl_error error)
{
    switch (error) {
    case PL_OK: return "OK";
    case PL_E_TRUNCATED: return "TRUNCATED";
    case PL_E_NOT_SHORTEST: return "NOT_SHORTEST";
    case PL_E_RANGE: return "RANGE";
    case PL_E_UNKNOWN_TYPE: return "UNKNOWN_TYPE";
    case PL_E_NOT_ZERO: return "NOT_ZERO";
    case PL_E_LIMIT: return "LIMIT";
    case PL_E_TRAILING: return "TRAILING";
    case PL_E_ROOM: return "ROOM";
    case PL_E_EMPTY: return "EMPTY";
    case PL_E_IO: return "IO";
    case PL_E_NO_MEMORY: return "NO_MEMORY";
    case PL_E_KEY: return "KEY";
    case PL_E_AUTH: return "AUTH";
    case PL_E_STORE: return "STORE";
    case PL_E_STORE_FULL: return "STORE_FULL";
    case PL_E_STORE_DAMAGED: return "STORE_DAMAGED";
    case PL_E_BUSY: return "BUSY";
    case PL_E_NOT_FOUND: return "NOT_FOUND";
    case PL_E_EXISTS: return "EXISTS";
    case PL_E_USAGE: return "USAGE";
    case PL_E_TOO_LARGE: return "TOO_LARGE";
    case PL_E_NAME: return "NAME";
    case PL_E_ADDRESS: return "ADDRESS";
    case PL_E_REFUSED: return "REFUSED";
    case PL_E_TIMEOUT: return "TIMEOUT";
    case PL_E_AGAIN: return "AGAIN";
    case PL_E_VERSION: return "VERSION";
    case PL_E_PERMISSION: return "PERMISSION";
    case PL_E_CLOSED: return "CLOSED";
    case PL_E_INTERNAL: return "INTERNAL";
    }
    return "unknown";
}

const char *pl_error_doc(enum pl_error error)
{
    switch (error) {
    case PL_OK:
        return "no error";
    case PL_E_TRUNCATED:
        return "ends before a field does; the offset is the field's first byte";
    case PL_E_NOT_SHORTEST:
        return "an integer is not in its shortest form";
    case PL_E_RANGE:
        return "a value its constraint excludes";
    case PL_E_UNKNOWN_TYPE:
        return "a type that is not assigned";
    case PL_E_NOT_ZERO:
        return "reserved bits or padding that are not zero";
    case PL_E_LIMIT:
        return "more of something than its limit allows";
    case PL_E_TRAILING:
        return "bytes behind the end";
    case PL_E_ROOM:
        return "no room to write it";
    case PL_E_EMPTY:
        return "nothing where there must be something";
    case PL_E_IO:
        return "the system refused a read, write or socket operation";
    case PL_E_NO_MEMORY:
        return "memory is short";
    case PL_E_KEY:
        return "not a usable key";
    case PL_E_AUTH:
        return "the tag does not fit: not sealed by this key, or changed on the way";
    case PL_E_STORE:
        return "the store refused an operation";
    case PL_E_STORE_FULL:
        return "the store has no room left";
    case PL_E_STORE_DAMAGED:
        return "the store holds what was never written to it";
    case PL_E_BUSY:
        return "owned by another process";
    case PL_E_NOT_FOUND:
        return "there is no such thing";
    case PL_E_EXISTS:
        return "it is there already";
    case PL_E_USAGE:
        return "called out of order or with arguments that exclude each other";
    case PL_E_TOO_LARGE:
        return "larger than its limit";
    case PL_E_NAME:
        return "not a valid name: 1 to 255 bytes of UTF-8 without control characters";
    case PL_E_ADDRESS:
        return "not a usable address";
    case PL_E_REFUSED:
        return "the peer refused it";
    case PL_E_TIMEOUT:
        return "not done in the time given";
    case PL_E_AGAIN:
        return "nothing to do at the moment; try again later";
    case PL_E_VERSION:
        return "a version this library does not speak";
    case PL_E_PERMISSION:
        return "not permitted, or readable by others";
    case PL_E_CLOSED:
        return "closed already";
    case PL_E_INTERNAL:
        return "a fault of this library";
    }
    return "unknown";
}
