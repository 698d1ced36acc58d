"""The text of a spec: its lines, its top-level items, and the errors found in it."""

from dataclasses import dataclass
import re

TOP_LEVEL = (
    "protocol",
    "flag",
    "limit",
    "text",
    "errors",
    "registry",
    "struct",
    "family",
    "case",
    "packet",
    "machine",
    "property",
    "vector",
    "reject",
)
MAX_BYTES = 1 << 20
MAX_ERRORS = 100


@dataclass(frozen=True)
class Span:
    """Where something stands: line and column count from 1."""

    line: int
    column: int


class SpecError(Exception):
    """The spec has errors; they are in the Diagnostics."""


class Source:
    """A spec's path (as the user typed it) and text."""

    def __init__(self, path, text):
        self.path = path
        self.text = text
        self.lines = text.split("\n")

    def where(self, span):
        return f"{self.path}:{span.line}"

    def items(self):
        """Cut the text before each line that begins with a top-level word (or with the docs above one).

        Yields (first line number, text). A syntax error spoils one item only."""
        starts = []
        docs_at = None
        for number, line in enumerate(self.lines):
            if line.startswith("///"):
                docs_at = number if docs_at is None else docs_at
                continue
            word = re.match(r"[A-Za-z_]*", line).group()
            if word and (word in TOP_LEVEL or docs_at is not None or self._starts_unknown(line)):
                starts.append(number if docs_at is None else docs_at)
            if line.strip():
                docs_at = None
        head = self.lines[: starts[0]] if starts else self.lines
        if any(line.strip() and not line.strip().startswith("//") for line in head):
            yield 1, "\n".join(head)
        for begin, end in zip(starts, starts[1:] + [len(self.lines)]):
            yield begin + 1, "\n".join(self.lines[begin:end])

    @staticmethod
    def _starts_unknown(line):
        return re.match(r"[a-z]+\s+[A-Za-z_]", line) is not None


class Diagnostics:
    """Collects errors; prints each with its line, a caret and a hint."""

    def __init__(self, source):
        self.source = source
        self.errors = []

    def error(self, span, message, hint=None, other=None):
        """`other` is a (span, text) of the second place that a conflict is about."""
        key = (span.line, span.column, message)
        if all(key != found[0] for found in self.errors) and len(self.errors) < MAX_ERRORS:
            self.errors.append((key, self._format(span, message, hint, other)))

    def stop_if_any(self):
        if self.errors:
            raise SpecError()

    def text(self):
        count = len(self.errors)
        lines = [text for _, text in sorted(self.errors)]
        if count >= MAX_ERRORS:
            lines.append(f"{self.source.path}: {MAX_ERRORS} errors; more may follow")
        return "\n".join(lines)

    def _format(self, span, message, hint, other):
        out = [f"{self.source.path}:{span.line}:{span.column}: error: {message}"]
        out += self._quote(span)
        if other:
            out.append(f"{self.source.path}:{other[0].line}:{other[0].column}: note: {other[1]}")
            out += self._quote(other[0])
        if hint:
            out.append(f"    hint: {hint}")
        return "\n".join(out)

    def _quote(self, span):
        if not 1 <= span.line <= len(self.source.lines):
            return []
        line = self.source.lines[span.line - 1]
        shown = "".join(c if c.isprintable() else " " for c in line)
        first = max(0, span.column - 1 - 80)
        shown = shown[first : first + 110]
        return [f"    {shown}", f"    {' ' * (span.column - 1 - first)}^"]


def load(path):
    """Read a spec; a file that is not one gives a SpecError with its reason."""
    source = Source(path, "")
    found = Diagnostics(source)
    try:
        with open(path, "rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        found.error(Span(1, 1), f"cannot be read: {error.strerror}")
        return source, found
    if len(data) > MAX_BYTES:
        found.error(Span(1, 1), f"larger than {MAX_BYTES} bytes")
        return source, found
    try:
        source.text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        found.error(Span(line, 1), "not UTF-8", "save the file as UTF-8 without control characters")
        return source, found
    source.text = source.text.replace("\r\n", "\n")
    source.lines = source.text.split("\n")
    for number, line in enumerate(source.lines, 1):
        bad = re.search(r"[\x00-\x08\x0b-\x1f\x7f]", line)
        if bad:
            found.error(
                Span(number, bad.start() + 1),
                "a control character",
                "remove it; only spaces, tabs and line ends are allowed",
            )
    return source, found
