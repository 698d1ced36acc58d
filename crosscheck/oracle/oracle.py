#!/usr/bin/python3
"""The judge of the codecs: decodes by its own reading of the spec; says value, error and offset.

    oracle.py [--spec FILE] HEX...                        payloads: a sequence of frames each
    oracle.py [--spec FILE] --of NAME HEX...              one struct, case, or one of a family
    oracle.py [--spec FILE] --encode 'ASK { Life = 7 }'   the bytes of a value, written as in a vector

A line each: "OK 5 ASK life=0x00000007" (the number is the end) or "RANGE 1" (the offset of the field
at fault). The exit status is 1 if anything was refused.
"""

import argparse
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from wire_codec import Fault, Spec  # noqa: E402
from wire_text import Reader, Unreadable, key  # noqa: E402

SPEC = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "spec", "link.wire")
SHOWN_BYTES = 16


def shown(spec, layout, values):
    """The line that the printers of the C codecs write for these values."""
    parts = [layout["name"].upper().replace(" ", "_")] if "family" in layout else []
    if "type" in values and layout.get("first") != layout.get("last"):
        digits = spec.families[key(layout["family"])]["bits"] // 4
        parts.append(f"type=0x{values['type']:0{digits}x}")
    for field in layout["fields"]:
        if "derived" not in field and field["kind"] != "literal":
            parts.append(f"{field['key']}={shown_value(spec, field, values[field['key']])}")
    return " ".join(parts)


def shown_value(spec, field, value):
    if "registry" in field:
        entries = spec.registries[key(field["registry"])]["entries"]
        names = [x["name"] for x in entries if x["number"] == value]
        return f"{value}({names[0] if names else 'unknown'})"
    if isinstance(value, dict):
        return "{" + shown(spec, spec.layout(field["struct"]), value) + "}"
    if isinstance(value, list):
        item = spec.layout(field["struct"])
        return "[" + " ".join("{" + shown(spec, item, one) + "}" for one in value) + "]"
    if isinstance(value, int):
        wide = field["kind"] == "bits" and field["width"] >= 32
        return f"0x{value:0{field['width'] // 8 * 2}x}" if wide else str(value)
    if field.get("text"):
        return '"' + "".join(map(shown_character, value)) + '"'
    return f"{len(value)}:{value[:SHOWN_BYTES].hex()}" + (".." if len(value) > SHOWN_BYTES else "")


def shown_character(byte):
    return chr(byte) if 32 <= byte < 127 and chr(byte) not in '"\\' else f"\\x{byte:02x}"


def verdict(spec, name, data):
    """The line about exactly one struct, case or family member in data; bytes behind it are TRAILING."""
    try:
        layout, values, end = spec.decode(name, data)
        if end < len(data):
            raise Fault("TRAILING", end)
    except Fault as fault:
        return f"{fault.error} {fault.offset}"
    if spec.encode(layout, values) != data:
        return "encodes to other bytes: " + spec.encode(layout, values).hex()
    return f"OK {end} {shown(spec, layout, values)}".rstrip()


def verdict_payload(spec, data):
    """The line about the opened payload of the spec's first packet that has a sealed part."""
    packet = next(p for p in spec.packets if any(part["kind"] == "sealed" for part in p["parts"]))
    try:
        frames = spec.payload(packet, data)
    except Fault as fault:
        return f"{fault.error} {fault.offset}"
    encoded = b"".join(spec.encode(case, values) for case, values, _, _ in frames)
    if encoded != data:
        return "encodes to other bytes: " + encoded.hex()
    return f"OK {len(data)} " + " | ".join(shown(spec, case, values) for case, values, _, _ in frames)


def encoded(spec, text):
    """Hexadecimal digits of 'NAME { Field = value, ... }'."""
    reader = Reader(" " + text)
    layout = spec.layout(reader.name())
    return spec.encode(layout, reader.value()).hex()


def load(path):
    with open(path, encoding="utf-8") as file:
        return Spec(file.read())


def main():
    parser = argparse.ArgumentParser(description="Decode by an independent reading of the spec.")
    parser.add_argument("--spec", default=SPEC, help="the spec (default: spec/link.wire)")
    parser.add_argument("--of", metavar="NAME", help="a struct, case or family instead of a payload")
    parser.add_argument("--encode", action="store_true", help="the arguments are values, as in a vector")
    parser.add_argument("input", nargs="+", help="hexadecimal digits, or values with --encode")
    options = parser.parse_args()
    try:
        spec = load(options.spec)
        lines = [answer(spec, options, text) for text in options.input]
    except (OSError, Unreadable, ValueError, KeyError, IndexError, Fault) as error:
        print(f"oracle: error: {type(error).__name__}: {error}", file=sys.stderr)
        return 2
    print("\n".join(lines))
    return 0 if options.encode or all(line.startswith("OK ") for line in lines) else 1


def answer(spec, options, text):
    if options.encode:
        return encoded(spec, text)
    data = bytes.fromhex(text)
    return verdict(spec, options.of, data) if options.of else verdict_payload(spec, data)


if __name__ == "__main__":
    sys.exit(main())
