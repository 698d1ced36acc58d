"""Decodes and encodes by a spec's items: slow and obvious, one function for each kind of field.

Values are integers, bytes, dictionaries of values and lists of them, by the fields' names in small letters.
"""

from wire_text import Reader, key

UNLIMITED_SUM = 2**62


class Fault(Exception):
    """What is wrong with some bytes, and the offset of the field at fault."""

    def __init__(self, error, offset):
        super().__init__(f"{error} at {offset}")
        self.error = error
        self.offset = offset


class Spec:
    """A spec's items by name, ready to decode and encode."""

    def __init__(self, text):
        self.items = Reader(text).items()
        self.limits = self.named("limit")
        self.registries = self.named("registry")
        self.families = self.named("family")
        self.structs = self.named("struct")
        self.cases = [x for x in self.items if x["item"] == "case"]
        self.packets = [x for x in self.items if x["item"] == "packet"]
        self.vectors = [x for x in self.items if x["item"] == "vector"]
        self.rejects = [x for x in self.items if x["item"] == "reject"]
        for layout in [*self.structs.values(), *self.cases]:
            self.prepare(layout)

    def named(self, word):
        return {key(x["name"]): x for x in self.items if x["item"] == word}

    def layout(self, name):
        """The struct or case of this name."""
        found = [x for x in [*self.structs.values(), *self.cases] if key(x["name"]) == key(name)]
        return found[0]

    # --- what the fields of a layout are, told from their widths ---

    def prepare(self, layout):
        before = {}
        for field in layout["fields"]:
            field["key"] = key(field["name"])
            if field["kind"] == "bits":
                self.settle_width(field, before)
            if field["kind"] in ("count", "sized"):
                field["length"] = before[key(field["count"][1])]
                if field["kind"] == "sized":
                    field["length"]["derived"] = field
            if field["kind"] == "rest":
                field["least_bytes"] = self.number(field["least"]) // 8
            if "most" in field:
                field["most_items"] = self.number(field["most"])
            before[field["key"]] = field
        self.group_bits(layout)

    def settle_width(self, field, before):
        bits = field["bits"]
        if bits[0] == "*" and bits[2][0] == "name" and key(bits[2][1]) in before:
            field.update(kind="bytes", length=before[key(bits[2][1])])
            field["length"]["derived"] = field
            return
        field["width"] = self.number(bits)
        if "literal" in field:
            field["kind"] = "literal"
        elif field["width"] > 64:
            field["kind"] = "fixed"

    def group_bits(self, layout):
        """Neighbouring numbers are read together, as few as fill whole bytes."""
        group = []
        for field in layout["fields"]:
            if field["kind"] != "bits":
                continue
            group.append(field)
            if sum(f["width"] for f in group) % 8 == 0:
                for one in group:
                    one["group"] = group
                group = []

    # --- expressions ---

    def number(self, expression):
        return self.evaluate(expression, {})

    def evaluate(self, e, values):
        kind = e[0]
        if kind == "number":
            return e[1]
        if kind == "name":
            return values[key(e[1])] if key(e[1]) in values else self.number(self.limits[key(e[1])]["value"])
        if kind == "entry":
            entries = self.registries[key(e[1])]["entries"]
            return next(x["number"] for x in entries if key(x["name"]) == key(e[2]))
        if kind == "bytes":
            return len(values[key(e[1][1])])
        if kind == "size":
            return self.size(e[1])
        if kind == "sum":
            return min(UNLIMITED_SUM, sum(self.evaluate(e[1], item) for item in values["the items"]))
        if kind == "not":
            return not self.evaluate(e[1], values)
        return self.operate(kind, self.evaluate(e[1], values), self.evaluate(e[2], values))

    @staticmethod
    def operate(kind, a, b):
        if kind in ("and", "or", "implies"):
            return {"and": a and b, "or": a or b, "implies": not a or b}[kind]
        if kind in "+-*/^":
            quotient, power = a // b if kind == "/" else 0, a**b if kind == "^" else 0
            return {"+": a + b, "-": a - b, "*": a * b, "/": quotient, "^": power}[kind]
        return {"=": a == b, "!=": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[kind]

    def size(self, what):
        """Bytes of a struct, case or one field of it."""
        layout = self.layout(what[1])
        fields = layout["fields"]
        if what[0] == "entry":
            fields = [f for f in fields if f["key"] == key(what[2])]
            return self.field_bits(fields[0]) // 8
        tag = self.families[key(layout["family"])]["bits"] if "family" in layout else 0
        return (tag + sum(map(self.field_bits, fields))) // 8

    def field_bits(self, field):
        if field["kind"] == "embed":
            return 8 * self.size(("name", field["struct"]))
        return field["width"] if "width" in field else self.number(field["bits"])

    # --- decoding ---

    def decode(self, name, data, at=0):
        """(layout, values, end) of a struct or one of a family at data[at]; a case stands for its family."""
        if key(name) not in self.families:
            layout = self.layout(name)
            if "family" not in layout:
                return (layout, *self.decode_layout(layout, data, at))
            name = layout["family"]
        size = self.families[key(name)]["bits"] // 8
        if at + size > len(data):
            raise Fault("TRUNCATED", at)
        number = int.from_bytes(data[at : at + size], "big")
        for case in self.cases:
            if key(case["family"]) == key(name) and case["first"] <= number <= case["last"]:
                values, end = self.decode_layout(case, data, at + size)
                return case, ({"type": number} if case["first"] != case["last"] else {}) | values, end
        raise Fault("UNKNOWN_TYPE", at)

    def decode_layout(self, layout, data, at):
        values = {}
        for field in layout["fields"]:
            read = getattr(self, "read_" + field["kind"].replace(" ", "_"))
            value, at, offset = read(field, data, at, values)
            self.judge(field, value, values, offset)
            values[field["key"]] = value
        return values, at

    def judge(self, field, value, values, offset):
        """The field's own rules, in the order they are written; a closed registry is one of them."""
        if field.get("zeros") and field["kind"] == "bits" and value != 0:
            raise Fault("NOT_ZERO", offset)
        registry = self.registries.get(key(field.get("registry", "")))
        if registry and registry["closed"] and value not in [x["number"] for x in registry["entries"]]:
            raise Fault("RANGE", offset)
        for test in field["tests"]:
            if "own" in test:
                good = self.operate(test["own"], value, self.evaluate(test["than"], values))
            else:
                known = values | {field["key"]: value}
                known |= {"the items": value} if isinstance(value, list) else {}
                good = self.evaluate(test["condition"], known)
            if not good:
                raise Fault(test["error"], offset)

    def read_bits(self, field, data, at, values):
        group = field["group"]
        whole = sum(f["width"] for f in group)
        index = next(i for i, f in enumerate(group) if f is field)
        start = at if index == 0 else at - whole // 8
        if start + whole // 8 > len(data):
            raise Fault("TRUNCATED", start)
        first_bit = sum(f["width"] for f in group[:index])
        number = int.from_bytes(data[start : start + whole // 8], "big")
        value = number >> (whole - first_bit - field["width"]) & (2 ** field["width"] - 1)
        return value, start + whole // 8, start + first_bit // 8

    def read_varint(self, field, data, at, values):
        size = 1 << (data[at] >> 6) if at < len(data) else 1
        if at + size > len(data):
            raise Fault("TRUNCATED", at)
        value = int.from_bytes(data[at : at + size], "big") % 2 ** (8 * size - 2)
        if size > 1 and value < 2 ** (8 * size // 2 - 2):
            raise Fault("NOT_SHORTEST", at)
        return value, at + size, at

    def read_exactly(self, size, data, at):
        if at + size > len(data):
            raise Fault("TRUNCATED", at)
        return data[at : at + size], at + size, at

    def read_fixed(self, field, data, at, values):
        return self.read_exactly(field["width"] // 8, data, at)

    def read_literal(self, field, data, at, values):
        found = self.read_exactly(field["width"] // 8, data, at)
        if found[0] != field["literal"]:
            raise Fault(field["error"], at)
        return found

    def read_bytes(self, field, data, at, values):
        return self.read_exactly(values[field["length"]["key"]], data, at)

    def read_rest(self, field, data, at, values):
        rest = data[at:]
        if len(rest) < field["least_bytes"]:
            raise Fault("TRUNCATED", at)
        if not field.get("zeros"):
            return rest, len(data), at
        if rest.strip(b"\0"):
            raise Fault("NOT_ZERO", at)
        return len(rest), len(data), at

    def read_embed(self, field, data, at, values):
        value, end = self.decode_layout(self.layout(field["struct"]), data, at)
        return value, end, at

    def read_count(self, field, data, at, values):
        count = values[field["length"]["key"]]
        if count > field["most_items"]:
            raise Fault("LIMIT", at)
        return self.read_items(field, data, at, lambda items, now: len(items) < count)

    def read_to_end(self, field, data, at, values):
        return self.read_items(field, data, at, lambda items, now: now < len(data))

    def read_until(self, field, data, at, values):
        return self.read_items(
            field, data, at, lambda items, now: not items or not self.evaluate(field["until"], items[-1])
        )

    def read_sized(self, field, data, at, values):
        end = at + values[field["length"]["key"]]
        if end > len(data):
            raise Fault("TRUNCATED", at)
        return self.read_items(field, data[:end], at, lambda items, now: now < end)

    def read_items(self, field, data, at, wants_more):
        start, items, item = at, [], self.layout(field["struct"])
        while wants_more(items, at):
            if len(items) == field["most_items"]:
                raise Fault("LIMIT", at)
            value, at = self.decode_layout(item, data, at)
            items.append(value)
        return items, at, start

    def payload(self, packet, data):
        """List of (case, values, start, end) of what a packet's sealed part holds once it is opened."""
        part = next(p for p in packet["parts"] if p["kind"] == "sealed")
        frames, at = [], 0
        if not data and self.number(part["least"]) > 0:
            raise Fault("EMPTY", 0)
        while at < len(data):
            if len(frames) == self.number(part["most"]):
                raise Fault("LIMIT", at)
            case, values, end = self.decode(part["name"], data, at)
            frames.append((case, values, at, end))
            at = end
        return frames

    # --- encoding ---

    def encode(self, layout, values):
        """The bytes of these values. Lengths, types and constant texts need not be among them."""
        out = b""
        if "family" in layout:
            size = self.families[key(layout["family"])]["bits"] // 8
            out = values.get("type", layout["first"]).to_bytes(size, "big")
        bits, width = 0, 0
        for field in layout["fields"]:
            if field["kind"] != "bits":
                out += self.encode_field(field, values)
                continue
            bits = bits << field["width"] | self.number_of(field, values)
            width += field["width"]
            if width % 8 == 0:
                out += bits.to_bytes(width // 8, "big")
                bits, width = 0, 0
        return out

    def number_of(self, field, values):
        """A number field's value; a length is the size of what it is the length of."""
        if "derived" in field:
            return len(self.encode_field(field["derived"], values))
        return values[field["key"]]

    def encode_field(self, field, values):
        kind = field["kind"]
        if kind == "varint":
            return varint(self.number_of(field, values))
        if kind == "literal":
            return field["literal"]
        value = values[field["key"]]
        if kind == "embed":
            return self.encode(self.layout(field["struct"]), value)
        if isinstance(value, list):
            return b"".join(self.encode(self.layout(field["struct"]), item) for item in value)
        return bytes(value)


def varint(value):
    for size in (1, 2, 4, 8):
        if value < 2 ** (8 * size - 2):
            return (value + (size.bit_length() - 1) * 2 ** (8 * size - 2)).to_bytes(size, "big")
    raise Fault("RANGE", 0)
