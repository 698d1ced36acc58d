"""Reads the text of a spec: tokens, then items. Written from spec/README.md; shares nothing with codegen/.

Only what says how bytes are laid out is kept. Flags, docs, machines and their properties are passed
over. The spec is taken to
be free of errors: finding those is the generator's work.
"""

import re

TOKEN = re.compile(
    r"""(?P<blank>\s+|//[^\n]*)
      | (?P<bytes><[0-9a-fA-F\s]*>)
      | (?P<string>"(?:[^"\\\n]|\\.)*")
      | (?P<number>0x[0-9a-fA-F_]+|[0-9][0-9_]*)
      | (?P<word>[A-Za-z_]\w*)
      | (?P<mark>\.\.|->|<=|>=|!=|[-+*/^=<>(){}\[\],.;])""",
    re.VERBOSE,
)
# Words that end a name where one may stand.
KEYWORDS = set(
    "of as at most text zeros where else and or not implies until bytes size sum by if"
    " authenticated clear sealed plain open closed prefix".split()
)


class Unreadable(Exception):
    """The text is not what the manual describes, or uses what this reader does not know."""


def tokens(text):
    """List of (kind, value, line); numbers, strings and bytes as values."""
    out, at, line = [], 0, 1
    while at < len(text):
        found = TOKEN.match(text, at)
        if not found:
            raise Unreadable(f"line {line}: cannot read {text[at]!r}")
        kind, value = found.lastgroup, found.group()
        # A word in the first column begins an item; it never continues a name.
        if kind == "word" and (at == 0 or text[at - 1] == "\n"):
            kind = "item"
        if kind != "blank":
            out.append((kind, meaning(kind, value), line))
        line += value.count("\n")
        at = found.end()
    return out


def meaning(kind, text):
    if kind == "bytes":
        return bytes.fromhex(re.sub(r"\s", "", text[1:-1]))
    if kind == "string":
        return re.sub(r"\\(.)", r"\1", text[1:-1]).encode()
    if kind == "number":
        return int(text.replace("_", ""), 0) if text.startswith("0x") else int(text.replace("_", ""))
    return text


def key(name):
    """Names are the same if they are in C: 'Range Count' and 'range count'."""
    return name.lower().replace(" ", "_")


class Reader:
    """Walks over the tokens of a spec and collects its items."""

    def __init__(self, text):
        self.left = tokens(text)
        self.at = 0

    # --- single tokens ---

    def peek(self, ahead=0):
        place = self.at + ahead
        return self.left[place][:2] if place < len(self.left) else ("end", None)

    def fail(self, wanted):
        line = self.left[min(self.at, len(self.left) - 1)][2] if self.left else 1
        raise Unreadable(f"line {line}: {wanted} expected, not {self.peek()[1]!r}")

    def take(self, kind):
        if self.peek()[0] != kind:
            self.fail(kind)
        self.at += 1
        return self.left[self.at - 1][1]

    def skip(self, value):
        """Whether the next token is this word or mark; then it is behind us."""
        if self.peek() in (("word", value), ("mark", value)):
            self.at += 1
            return True
        return False

    def need(self, value):
        if not self.skip(value):
            self.fail(repr(value))

    def name(self):
        words = []
        while self.peek()[0] == "word" and self.peek()[1] not in KEYWORDS:
            words.append(self.take("word"))
        if not words:
            self.fail("a name")
        return " ".join(words)

    def listed(self, closing, read):
        """read() again and again with commas between, up to the closing mark; a comma may stand before it."""
        out = []
        while not self.skip(closing):
            out.append(read())
            if not self.skip(","):
                self.need(closing)
                break
        return out

    # --- items ---

    def items(self):
        """List of dictionaries, each with 'item', the word it begins with."""
        out = []
        while self.peek()[0] != "end":
            word = self.take("item")
            read = getattr(self, "item_" + word, None)
            if read is None:
                self.at -= 1
                self.fail("an item")
            found = read()
            if found is not None:
                out.append({"item": word} | found)
        return out

    def item_protocol(self):
        self.name()
        self.need("prefix")
        self.take("word")
        if self.peek()[0] == "string":
            self.take("string")

    def item_flag(self):
        self.name()

    def item_text(self):
        self.name()
        self.need("=")
        while self.peek()[0] == "string":
            self.take("string")

    def item_machine(self):
        while not self.skip("{"):
            self.at += 1
        while not self.skip("}"):
            self.at += 1

    def item_property(self):
        while self.peek()[0] not in ("item", "end"):
            self.at += 1

    def item_limit(self):
        name = self.name()
        self.need("=")
        value = self.expression()
        if self.peek()[0] == "string":
            self.take("string")
        return {"name": name, "value": value}

    def item_errors(self):
        self.need("{")
        self.listed("}", self.entry)

    def item_registry(self):
        name = self.name()
        closed = self.skip("closed") or not self.skip("open")
        self.need("{")
        return {"name": name, "closed": closed, "entries": self.listed("}", self.entry)}

    def entry(self):
        number = self.take("number")
        self.need("=")
        name = self.take("word")
        if self.peek()[0] == "string":
            self.take("string")
        if self.peek()[0] == "word":
            self.name()
        return {"number": number, "name": name}

    def flags(self):
        while self.skip(","):
            self.name()

    def item_struct(self):
        name = self.name()
        self.flags()
        self.need("{")
        return {"name": name, "fields": self.listed("}", self.field)}

    def item_family(self):
        name = self.name()
        self.need("(")
        bits = self.take("number")
        self.need(")")
        self.flags()
        return {"name": name, "bits": bits}

    def item_case(self):
        name = self.name()
        self.need("(")
        first = last = self.take("number")
        if self.skip(".."):
            last = self.take("number")
        self.need(")")
        self.need("of")
        family = self.name()
        self.flags()
        if self.skip("as"):
            self.name()
        self.need("{")
        fields = self.listed("}", self.field)
        return {"name": name, "first": first, "last": last, "family": family, "fields": fields}

    def item_packet(self):
        name = self.name()
        self.flags()
        self.need("{")
        return {"name": name, "parts": self.listed("}", self.part)}

    def part(self):
        kind = self.take("word")
        part = {"kind": kind, "name": self.name()}
        if kind == "sealed":
            part["least"] = self.sum()
            self.need("..")
            part["most"] = self.sum()
            self.need("by")
            self.name()
        if kind in ("sealed", "plain"):
            self.need("(")
            part["bits"] = self.expression()
            self.need(")")
        if self.skip("if"):
            part["if"] = self.expression()
        return part

    def item_vector(self):
        found = {"of": self.name(), "title": self.take("string").decode(), "bytes": self.take("bytes")}
        return found | {"values": self.value()}

    def item_reject(self):
        found = {"of": self.name(), "title": self.take("string").decode(), "bytes": self.take("bytes")}
        found["error"] = self.take("word")
        self.need("at")
        return found | {"offset": self.take("number")}

    # --- fields ---

    def field(self):
        field = {"name": self.name(), "tests": []}
        if self.skip("of"):
            return field | {"kind": "embed", "struct": self.name()}
        if self.skip("["):
            self.repetition(field)
        else:
            self.need("(")
            self.width(field)
            self.need(")")
        while not (self.peek() in (("mark", ","), ("mark", "}"))):
            self.suffix(field)
        return field

    def width(self, field):
        if self.skip(".."):
            field.update(kind="rest", least=("number", 0))
        elif self.peek() == ("word", "i") and self.peek(1) == ("mark", ")"):
            self.need("i")
            field["kind"] = "varint"
        else:
            bits = self.expression()
            field.update(kind="rest", least=bits) if self.skip("..") else field.update(kind="bits", bits=bits)

    def repetition(self, field):
        if self.skip(".."):
            field["kind"] = "to end"
        elif self.skip("until"):
            field.update(kind="until", until=self.expression())
        else:
            field.update(kind="count", count=self.expression())
            if self.skip("bytes"):
                field["kind"] = "sized"
        self.need("]")
        self.need("of")
        field["struct"] = self.name()
        self.need("at")
        self.need("most")
        field["most"] = self.expression()

    def suffix(self, field):
        if self.skip("of"):
            field["registry"] = self.name()
        elif self.skip("text"):
            field["text"] = True
        elif self.skip("zeros"):
            field["zeros"] = True
        elif self.skip("where"):
            field["tests"].append({"condition": self.expression(), "error": self.otherwise()})
        elif self.peek() == ("mark", "=") and self.peek(1)[0] == "string":
            self.need("=")
            field.update(literal=self.take("string"), error=self.otherwise())
        else:
            mark = self.take("mark")
            field["tests"].append({"own": mark, "than": self.sum(), "error": self.otherwise()})

    def otherwise(self):
        return self.take("word") if self.skip("else") else "RANGE"

    # --- values of vectors ---

    def value(self):
        kind = self.peek()[0]
        if kind in ("number", "string", "bytes"):
            return self.take(kind)
        if self.skip("["):
            return self.listed("]", self.value)
        self.need("{")
        return dict(self.listed("}", self.assignment))

    def assignment(self):
        name = key(self.name())
        self.need("=")
        return name, self.value()

    # --- expressions, from the weakest operator to the strongest ---

    def expression(self):
        left = self.joined("or", self.conjunction)
        return ("implies", left, self.joined("or", self.conjunction)) if self.skip("implies") else left

    def conjunction(self):
        return self.joined("and", self.negation)

    def joined(self, word, read):
        left = read()
        while self.skip(word):
            left = (word, left, read())
        return left

    def negation(self):
        return ("not", self.negation()) if self.skip("not") else self.comparison()

    def comparison(self):
        left = self.sum()
        for mark in ("=", "!=", "<=", ">=", "<", ">"):
            if self.skip(mark):
                return (mark, left, self.sum())
        return left

    def sum(self):
        left = self.product()
        while self.peek() in (("mark", "+"), ("mark", "-")):
            left = (self.take("mark"), left, self.product())
        return left

    def product(self):
        left = self.power()
        while self.peek() in (("mark", "*"), ("mark", "/")):
            left = (self.take("mark"), left, self.power())
        return left

    def power(self):
        left = self.atom()
        return ("^", left, self.atom()) if self.skip("^") else left

    def atom(self):
        if self.peek()[0] == "number":
            return ("number", self.take("number"))
        if self.skip("("):
            inner = self.expression()
            self.need(")")
            return inner
        for word in ("bytes", "size", "sum"):
            if self.peek() == ("word", word):
                self.need(word)
                self.need("(")
                inner = self.sum() if word == "sum" else self.dotted()
                self.need(")")
                return (word, inner)
        return self.dotted()

    def dotted(self):
        name = self.name()
        return ("entry", name, self.name()) if self.skip(".") else ("name", name)
