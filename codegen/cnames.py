"""Names and types of the C that is written: all can be guessed from the spec."""

from .model import Const


class Names:
    """C names of a model's things, from its prefix."""

    def __init__(self, model):
        self.model = model
        self.low = model.prefix
        self.up = model.prefix.upper()

    def error(self, name):
        return f"{self.up}_OK" if name == "OK" else f"{self.up}_E_{name}"

    def limit(self, name):
        return f"{self.up}_{name.upper}"

    def entry(self, registry, entry):
        return f"{self.up}_{registry.upper}_{entry.upper}"

    def struct(self, layout):
        layout = layout.shape
        middle = f"{layout.family.name.snake}_" if layout.is_case else ""
        return f"struct {self.low}_{middle}{layout.name.snake}"

    def function(self, layout, verb):
        return f"{self.low}_{layout.name.snake}_{verb}"

    def type(self, layout):
        return f"{self.up}_{layout.family.name.upper}_{layout.name.upper}"

    def const(self, const):
        """A number, by its name where it has one."""
        if isinstance(const, Const) and const.label:
            kind, names = const.label
            return self.limit(names[0]) if kind == "limit" else self.entry(*names)
        return number(const.value)

    def file(self, name):
        return f"{self.model.name.snake}_{name}"

    def identifiers(self):
        """(C name, spec name) of everything that could meet another."""
        model = self.model
        out = [(self.limit(x.name), x.name) for x in model.limits + model.texts]
        out += [(self.error(e.name.text), e.name) for e in model.errors]
        for r in model.registries:
            out += [(self.entry(r.name, e.name), e.name) for e in r.entries]
            out += [(f"{self.up}_{r.name.upper}_COUNT", r.name), (f"{self.low}_{r.name.snake}_name", r.name)]
        for x in model.layouts:
            out += [
                (self.function(x, verb), x.name)
                for verb in ("decode", "encode", "size", "validate", "print", "put")
            ]
            out += [(self.type(x), x.name)] if x.is_case else [(self.struct(x), x.name)]
        for f in model.families:
            out += [
                (f"{self.low}_{f.name.snake}_{verb}", f.name)
                for verb in ("decode", "encode", "size", "validate", "print", "name")
            ]
            out.append((f"struct {self.low}_{f.name.snake}", f.name))
        for m in model.machines:
            up = f"{self.up}_{m.name.upper}"
            out += [(f"{up}_{s.name.upper}", s.name) for s in m.states] + [
                (f"{up}_ON_{e.name.upper}", e.name) for e in m.events
            ]
            for word, things in (("IF", m.guards), ("DO", m.actions), ("FACT", m.facts)):
                out += [(f"{up}_{word}_{x.name.upper}", x.name) for x in things]
            out += [
                (f"{up}_STATES", m.name),
                (f"{up}_EVENTS", m.name),
                (f"struct {self.low}_{m.name.snake}", m.name),
            ]
        return out


def number(value, hexadecimal=False):
    """A C constant: as small a type as holds it."""
    text = f"0x{value:x}" if hexadecimal else str(value)
    if value < 2**31:
        return text
    return f"UINT64_C({text})"


def uint(bits):
    return next(f"uint{size}_t" for size in (8, 16, 32, 64) if bits <= size)


def member(names, field):
    """The declaration of a field in its struct."""
    if field.kind == "uint":
        return f"{uint(field.bits)} {field.member};"
    if field.kind == "varint":
        return f"uint64_t {field.member};"
    if field.kind == "fixed":
        return f"uint8_t {field.member}[{field.bytes}];"
    if field.kind == "zeros":
        return f"size_t {field.member};"
    if field.kind == "embed":
        return f"{names.struct(field.item)} {field.member};"
    return f"struct {names.low}_bytes {field.member};"


def members(names, layout):
    """All declarations of a layout; a case with a range of types holds its type."""
    out = [f"{uint(layout.family.bits)} type;"] if layout.is_range else []
    return out + [member(names, field) for field in layout.members]


def c_string(text):
    """A C string literal; everything but printable ASCII is escaped."""
    out = ""
    for byte in text.encode():
        char = chr(byte)
        out += f"\\{char}" if char in '"\\' else char if 32 <= byte < 127 else f"\\{byte:03o}"
    return f'"{out}"'.replace("??", "?\\?")
