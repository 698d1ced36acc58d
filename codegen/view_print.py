"""Statements that print, and the same text computed here for the tests."""

SHOWN_BYTES = 16


class Printer:
    """Writes the statements that print a layout's members into a sink `s`."""

    def __init__(self, names):
        self.names = names
        self.low = names.low

    def lines(self, layout, start="f->"):
        out = (
            [f'{self.low}_print_uint(s, " type", {start}type, true, {layout.tag_bytes});']
            if layout.is_range
            else []
        )
        for number, field in enumerate(layout.members):
            label = ("" if not layout.is_case and number == 0 else " ") + field.member
            out += self._member(field, label, start + field.member)
        return out

    def _member(self, field, label, value):
        low = self.low
        if field.registry:
            return [
                f'{low}_print_code(s, "{label}", {value}, {low}_{field.registry.name.snake}_name({value}));'
            ]
        if field.kind == "uint" and field.bits >= 32:
            return [f'{low}_print_uint(s, "{label}", {value}, true, {field.bytes});']
        if field.kind in ("uint", "varint", "zeros"):
            return [f'{low}_print_uint(s, "{label}", {value}, false, 0);']
        if field.kind == "fixed":
            return [f'{low}_print_bytes(s, "{label}", (struct {low}_bytes){{{value}, {field.bytes}}});']
        if field.kind == "embed":
            return [
                f'{low}_print_text(s, "{label}={{");',
                f"print_{field.item.name.snake}(s, &{value});",
                f'{low}_print_text(s, "}}");',
            ]
        if field.is_repeat:
            return [f'print_{field.owner.name.snake}_{field.member}(s, "{label}", {value});']
        return [f'{low}_print_{"string" if field.text else "bytes"}(s, "{label}", {value});']


def text_of(layout, values):
    """The line that print must give for these values."""
    parts = [layout.name.upper] if layout.is_case else []
    if layout.is_range:
        parts.append(f"type=0x{values['type']:0{2 * layout.tag_bytes}x}")
    parts += [f"{f.member}={shown(f, values[f.member])}" for f in layout.members]
    return " ".join(parts)


def shown(field, value):
    if field.registry:
        entry = next((e for e in field.registry.entries if e.number == value), None)
        return f"{value}({entry.name.text if entry else 'unknown'})"
    if field.kind == "uint" and field.bits >= 32:
        return f"0x{value:0{2 * field.bytes}x}"
    if field.kind in ("uint", "varint", "zeros"):
        return str(value)
    if field.kind == "embed":
        return "{" + text_of(field.item, value) + "}"
    if field.is_repeat:
        return "[" + " ".join("{" + text_of(field.item, item) + "}" for item in value) + "]"
    if field.text:
        return (
            '"'
            + "".join(chr(b) if 32 <= b < 127 and chr(b) not in '"\\' else f"\\x{b:02x}" for b in value)
            + '"'
        )
    return f"{len(value)}:{value[:SHOWN_BYTES].hex()}" + (".." if len(value) > SHOWN_BYTES else "")
