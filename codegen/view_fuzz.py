"""What fuzzers take from the model: a dictionary and the bytes to begin with, as text."""

from . import codec
from .view_table import borders, layout_symbol

TOKEN_MAX = 128
ALL_MAX = 1000


def dictionary(model):
    """Tokens in the format of AFL++: types, numbers at borders in their field's form, constant texts."""
    tokens = {}
    for layout in model.layouts:
        if layout.is_case:
            for number in {layout.first, layout.last}:
                name = f"{layout_symbol(layout)}_type_{number}"
                tokens.setdefault(number.to_bytes(layout.tag_bytes, "big"), name)
        for field in layout.fields:
            for title, data in field_tokens(field):
                if 0 < len(data) <= TOKEN_MAX:
                    tokens.setdefault(data, f"{layout_symbol(layout)}_{field.member}_{title}")
        for number, vector in enumerate(layout.vectors):
            if 0 < len(vector.data) <= TOKEN_MAX:
                tokens.setdefault(vector.data, f"{layout_symbol(layout)}_vector{number}")
    return [f'{name}="{escaped(data)}"' for data, name in tokens.items()]


def field_tokens(field):
    if field.kind == "literal":
        yield "literal", field.literal
    for number in borders(field):
        if field.kind == "varint":
            yield str(number), codec.varint(number)
        elif field.bits % 8 == 0:
            yield str(number), number.to_bytes(field.bytes, "big")


def escaped(data):
    return "".join(f"\\x{byte:02x}" for byte in data)


def seeds(model):
    """(name, bytes): every vector and reject of what packets repeat, and as many as fit together."""
    sealed = next((p for x in model.packets for p in x.parts if p.kind == "sealed"), None)
    layouts = sealed.layout.cases if sealed else model.structs
    out, together = [], b""
    for layout in layouts:
        for number, vector in enumerate(layout.vectors):
            out.append((f"{layout_symbol(layout)}_{number}", vector.data))
            if sealed and not layout.runs_to_end and len(together + vector.data) <= ALL_MAX:
                together += vector.data
        for number, reject in enumerate(layout.rejects):
            out.append((f"{layout_symbol(layout)}_reject_{number}", reject.data))
    if together:
        out.append(("together", together))
        for layout in layouts:
            if layout.runs_to_end:
                out.append((f"together_{layout_symbol(layout)}", together + layout.vectors[0].data))
    return [(name, data) for name, data in out if data]


def files(model):
    """{path: text} of both."""
    name = model.name.snake
    head = f"# Generated from {model.source.path} by codegen; do not edit: run `make generate`.\n"
    return {
        f"fuzz/{name}.dict": head + "\n".join(dictionary(model)) + "\n",
        f"fuzz/{name}_seeds.txt": head
        + "# A name and the bytes.\n"
        + "".join(f"{title} {data.hex()}\n" for title, data in seeds(model)),
    }
