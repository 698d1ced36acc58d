"""From text to tree: parses each top-level item with Lark, so that one mistake spoils one item."""

import difflib
import functools
import os
import re

import lark

from . import tree
from .source import TOP_LEVEL, Span

GRAMMAR = os.path.join(os.path.dirname(os.path.abspath(__file__)), "grammar.lark")
MAX_NESTING = 40


@functools.cache
def parser():
    with open(GRAMMAR, encoding="utf-8") as file:
        return lark.Lark(
            file.read(), parser="lalr", lexer="basic", propagate_positions=True, maybe_placeholders=False
        )


def read(source, found):
    """Return a tree.Spec of the items that parse; the others are in `found`."""
    items = []
    for first_line, text in source.items():
        if nesting(text) > MAX_NESTING:
            found.error(Span(first_line, 1), f"more than {MAX_NESTING} brackets open at once")
            continue
        if not known_word(first_line, text, found):
            continue
        try:
            items.append(Build(first_line, found).transform(parser().parse(text)))
        except RecursionError:
            found.error(
                Span(first_line, 1), "this item is nested too deeply", "split its expressions into limits"
            )
        except lark.exceptions.UnexpectedInput as error:
            report(error, first_line, text, found)
    return tree.Spec([item for item in items if item is not None])


def known_word(first_line, text, found):
    """Whether an item begins with a top-level word; docs above it are skipped."""
    for number, line in enumerate(text.split("\n")):
        word = re.match(r"[A-Za-z_0-9]*", line).group()
        if not line.strip() or line.startswith("//"):
            continue
        if word in TOP_LEVEL:
            return True
        best = difflib.get_close_matches(word, TOP_LEVEL, 1, 0.6)
        hint = f"did you mean '{best[0]}'?" if best else "an item begins with one of: " + ", ".join(TOP_LEVEL)
        found.error(Span(first_line + number, 1), f"'{line.split()[0][:40]}' begins no item", hint)
        return False
    found.error(
        Span(first_line, 1), "docs without an item below them", "remove them, or write // for a comment"
    )
    return False


def nesting(text):
    depth = deepest = 0
    for char in text:
        depth += (char in "([{") - (char in ")]}")
        deepest = max(deepest, depth)
    return max(deepest, text.count("not "))


def report(error, first_line, text, found):
    if isinstance(error, lark.exceptions.UnexpectedCharacters):
        span = Span(error.line + first_line - 1, error.column)
        found.error(span, f"unexpected character {error.char!r}", hint_for(text, error.char))
        return
    token = getattr(error, "token", None)
    if token is None or token.type == "$END":
        lines = text.rstrip().split("\n")
        span = Span(first_line + len(lines) - 1, len(lines[-1]) + 1)
        message = "the item ends too early"
    else:
        span = Span(token.line + first_line - 1, token.column)
        message = f"unexpected '{token}'"
    if token is not None and token.type == "DOC":
        found.error(span, "docs that belong to nothing", "they stand above what they describe; // is a comment")
        return
    expected = sorted(
        name for name in map(shown, getattr(error, "expected", None) or error.accepts or ()) if name
    )
    hint = "expected " + ", ".join(expected[:12]) if expected else None
    found.error(span, message, hint)


def shown(terminal):
    known = {
        "WORD": "a name",
        "INT": "a number",
        "STRING": "a string",
        "BYTES": "<bytes>",
        "DOC": "",
        "$END": "",
        "RELOP": "a comparison",
        "SUMOP": "'+'",
        "STAR": "'*'",
        "POWOP": "'^'",
        "LBRACE": "'{'",
        "RBRACE": "'}'",
        "LPAR": "'('",
        "RPAR": "')'",
        "LSQB": "'['",
        "RSQB": "']'",
        "COMMA": "','",
        "SEMICOLON": "';'",
        "EQUAL": "'='",
        "DOT": "'.'",
        "SLASH": "'/'",
        "__ANON_0": "'..'",
        "__ANON_1": "'->'",
    }
    return known.get(terminal, f"'{terminal.lower()}'")


def hint_for(text, char):
    if char == '"':
        return "a string ends on its line; write \\\" for a quote in it"
    if char == "<":
        return "bytes are hexadecimal digits between < and >"
    return "see spec/README.md for what may stand here"


class Build(lark.Transformer):
    """Each method makes the node of the grammar rule of its name."""

    def __init__(self, first_line, found):
        super().__init__()
        self.first_line = first_line
        self.found = found

    def _at(self, token):
        return Span(token.line + self.first_line - 1, token.column)

    def _span(self, children):
        for child in children:
            if isinstance(child, lark.Token):
                return self._at(child)
            if getattr(child, "span", None) is not None:
                return child.span
        return Span(self.first_line, 1)

    def _int(self, token):
        digits = token.replace("_", "")
        if len(digits) > 40:
            self.found.error(self._at(token), "a number of more than 40 digits")
            return 0
        if re.fullmatch(r"0[0-9]+", digits):
            self.found.error(
                self._at(token), "a decimal number with a leading zero", "bytes stand between < and >"
            )
        return int(digits, 16) if digits.startswith("0x") else int(digits)

    @staticmethod
    def _string(token):
        return re.sub(r"\\(.)", r"\1", token[1:-1])

    def _bytes(self, token):
        digits = re.sub(r"\s", "", token[1:-1])
        if len(digits) % 2:
            self.found.error(
                self._at(token), "an odd number of hexadecimal digits", "write two digits for each byte"
            )
            return b""
        return bytes.fromhex(digits)

    def start(self, children):
        return children[0]

    def docs(self, children):
        return [line[3:].strip() for line in children]

    def name(self, children):
        return tree.Name(" ".join(children), self._at(children[0]))

    def flags(self, children):
        return children

    def mark(self, children):
        return ("mark", children[0])

    def protocol(self, c):
        return tree.Protocol(c[1].span, c[0], c[1], str(c[2]), self._doc(c[3:]))

    def flag(self, c):
        return tree.Flag(c[1].span, c[0], c[1])

    def limit(self, c):
        return tree.Limit(c[1].span, c[0], c[1], c[2], self._doc(c[3:]))

    def text(self, c):
        return tree.Text(c[1].span, c[0], c[1], self._string(c[2]), self._doc(c[3:]))

    def _doc(self, rest):
        return self._string(rest[0]) if rest else ""

    def errors(self, c):
        span = c[1].span if len(c) > 1 else Span(self.first_line, 1)
        return tree.Registry(span, c[0], tree.Name("Error", span), "errors", c[1:])

    def registry(self, c):
        return tree.Registry(c[1].span, c[0], c[1], c[2], c[3:])

    def openness(self, c):
        return str(c[0])

    def entry(self, c):
        doc = next((self._string(x) for x in c[3:] if isinstance(x, lark.Token)), "")
        mark = next((x[1] for x in c[3:] if isinstance(x, tuple)), None)
        return tree.Entry(self._at(c[1]), c[0], c[2], self._int(c[1]), doc, mark)

    def struct(self, c):
        return tree.Struct(c[1].span, c[0], c[1], c[2], c[3])

    def family(self, c):
        return tree.Family(c[1].span, c[0], c[1], self._int(c[2]), c[3])

    def alias(self, c):
        return ("as", c[0])

    def case(self, c):
        docs, name = c[0], c[1]
        numbers = [self._int(x) for x in c[2:] if isinstance(x, lark.Token) and x.type == "INT"]
        family = next(x for x in c[2:] if isinstance(x, tree.Name))
        alias = next((x[1] for x in c if isinstance(x, tuple)), None)
        flags, fields = [x for x in c[2:] if isinstance(x, list)]
        return tree.Case(name.span, docs, name, flags, fields, numbers[0], numbers[-1], family, alias)

    def fields(self, c):
        return c

    def value_field(self, c):
        width, least = c[2]
        return tree.Field(c[1].span, c[0], c[1], "value", width=width, least=least, suffixes=c[3:])

    def width_bits(self, c):
        return (c[0], None)

    def width_rest(self, c):
        return (None, c[0] if c else tree.Number(Span(self.first_line, 1), 0))

    def struct_field(self, c):
        return tree.Field(c[1].span, c[0], c[1], "struct", of=c[2])

    def repeat_field(self, c):
        extent, expr = c[2]
        return tree.Field(
            c[1].span,
            c[0],
            c[1],
            "repeat",
            of=c[3],
            extent=extent,
            extent_expr=expr,
            most=c[4],
            suffixes=c[5:],
        )

    def extent_count(self, c):
        return ("count", c[0])

    def extent_end(self, _):
        return ("end", None)

    def extent_until(self, c):
        return ("until", c[0])

    def extent_bytes(self, c):
        return ("bytes", c[0])

    def suffix_registry(self, c):
        return tree.Suffix(c[0].span, "registry", value=c[0])

    def suffix_text(self, _):
        return tree.Suffix(Span(self.first_line, 1), "text")

    def suffix_zeros(self, _):
        return tree.Suffix(Span(self.first_line, 1), "zeros")

    def suffix_compare(self, c):
        return tree.Suffix(c[0].span, "compare", op=c[0].text, value=c[1], error=c[2] if len(c) > 2 else None)

    def suffix_literal(self, c):
        return tree.Suffix(
            self._at(c[0]), "literal", value=self._string(c[0]), error=c[1] if len(c) > 1 else None
        )

    def suffix_where(self, c):
        return tree.Suffix(c[0].span, "where", value=c[0], error=c[1] if len(c) > 1 else None)

    def otherwise_error(self, c):
        return tree.Name(str(c[0]), self._at(c[0]))

    def relop(self, c):
        return tree.Name(str(c[0]), self._at(c[0]))

    def packet(self, c):
        return tree.Packet(c[1].span, c[0], c[1], c[2], c[3:])

    def part_clear(self, c):
        return tree.Part(c[1].span, c[0], c[1], "clear")

    def part_authenticated(self, c):
        return tree.Part(c[1].span, c[0], c[1], "authenticated")

    def part_sealed(self, c):
        return tree.Part(c[1].span, c[0], c[1], "sealed", least=c[2], most=c[3], tag=c[4], bits=c[5])

    def part_plain(self, c):
        return tree.Part(c[1].span, c[0], c[1], "plain", bits=c[2], condition=c[3] if len(c) > 3 else None)

    def initial(self, _):
        return "initial"

    def final(self, _):
        return "final"

    def negated(self, _):
        return "not"

    def after(self, c):
        return ("after", c[0], c[1])

    def state(self, c):
        timer = next(((x[1], x[2]) for x in c[2:] if isinstance(x, tuple)), None)
        doc = next((self._string(x) for x in c[2:] if isinstance(x, lark.Token)), "")
        words = [x for x in c[2:] if type(x) is str]
        return ("state", tree.State(c[1].span, c[0], c[1], doc, "initial" in words, "final" in words, timer))

    def event(self, c):
        return ("event", tree.Word(c[1].span, c[0], c[1], self._doc(c[2:])))

    def guard(self, c):
        return ("guard", tree.Word(c[1].span, c[0], c[1], self._doc(c[2:])))

    def action(self, c):
        return ("action", tree.Word(c[1].span, c[0], c[1], self._doc(c[2:])))

    def fact(self, c):
        return ("fact", tree.Word(c[1].span, c[0], c[1], self._doc(c[2:])))

    def name_list(self, c):
        return c

    def any_state(self, _):
        return None

    def sources(self, c):
        return c[0]

    def condition(self, c):
        return ("if", c[-1], c[0] != "not")

    def stay(self, _):
        return "stay"

    def transition(self, c):
        sources, events, rest = c[0], c[1], list(c[2:])
        guard = None
        if isinstance(rest[0], tuple):
            guard = rest.pop(0)[1:]
        target = None if rest[0] == "stay" else rest[0]
        action = rest[1] if len(rest) > 1 else None
        return ("transition", tree.Transition(events[0].span, sources, events, guard, target, action))

    def otherwise(self, c):
        target = None if c[0] == "stay" else c[0]
        return ("otherwise", tree.Otherwise(target.span if target else Span(self.first_line, 1), target))

    def machine(self, c):
        def pick(kind):
            return [x[1] for x in c[3:] if x[0] == kind]

        return tree.Machine(
            c[1].span,
            c[0],
            c[1],
            c[2],
            pick("state"),
            pick("event"),
            pick("guard"),
            pick("action"),
            pick("fact"),
            pick("transition"),
            pick("otherwise"),
        )

    def claim_always(self, c):
        return (c[0], None)

    def claim_once(self, c):
        return (c[0], c[1])

    def property(self, c):
        return tree.Property(c[1].span, c[0], c[1], c[2], *c[3])

    def vector(self, c):
        return tree.Vector(c[1].span, c[0], c[1], self._string(c[2]), self._bytes(c[3]), c[4])

    def reject(self, c):
        error = tree.Name(str(c[4]), self._at(c[4]))
        return tree.Reject(
            c[1].span, c[0], c[1], self._string(c[2]), self._bytes(c[3]), error, self._int(c[5])
        )

    def assigns(self, c):
        return c

    def assign(self, c):
        return tree.Assign(c[0].span, c[0], c[1])

    def int_value(self, c):
        return self._int(c[0])

    def bytes_value(self, c):
        return self._bytes(c[0])

    def string_value(self, c):
        return self._string(c[0]).encode()

    def struct_value(self, c):
        return c[0]

    def list_value(self, c):
        return ("list", c)

    def number(self, c):
        return tree.Number(self._at(c[0]), self._int(c[0]))

    def dotted(self, c):
        return tree.Ref(c[0].span, c[0], c[1] if len(c) > 1 else None)

    def size_of(self, c):
        return tree.Call(c[0].span, "size", c[0])

    def bytes_of(self, c):
        return tree.Call(c[0].span, "bytes", tree.Ref(c[0].span, c[0]))

    def sum_of(self, c):
        return tree.Call(c[0].span, "sum", c[0])

    def arith(self, c):
        return tree.Binary(c[0].span, str(c[1]), c[0], c[2])

    def compare(self, c):
        return tree.Binary(c[0].span, c[1].text, c[0], c[2])

    def implies(self, c):
        return tree.Binary(c[0].span, "implies", c[0], c[1])

    def or_(self, c):
        return tree.Binary(c[0].span, "or", c[0], c[1])

    def and_(self, c):
        return tree.Binary(c[0].span, "and", c[0], c[1])

    def not_(self, c):
        return tree.Not(c[0].span, c[0])
