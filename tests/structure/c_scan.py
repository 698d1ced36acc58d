"""A small C scanner: tokens with lines, function definitions with lengths, includes. No preprocessing."""
import functools
import re
from typing import NamedTuple

TOKEN = re.compile(r"""
    (?P<comment>/\*.*?\*/|//[^\n]*)
  | (?P<directive>^[ \t]*\#(?:[^\n\\]|\\.|\\\n)*)
  | (?P<string>"(?:[^"\\\n]|\\.)*")
  | (?P<char>'(?:[^'\\\n]|\\.)*')
  | (?P<number>\.?[0-9](?:[eEpP][+-]|[\w.])*)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<punct>->|<<=|>>=|<<|>>|[^\s\w])
""", re.VERBOSE | re.MULTILINE | re.DOTALL)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.MULTILINE)


class Token(NamedTuple):
    kind: str
    text: str
    line: int


class Function(NamedTuple):
    name: str
    line: int
    lines: int


@functools.lru_cache(maxsize=None)
def tokens(text):
    found, line, at = [], 1, 0
    for match in TOKEN.finditer(text):
        line += text.count("\n", at, match.start())
        at = match.start()
        found.append(Token(match.lastgroup, match.group(), line))
    return tuple(found)


@functools.lru_cache(maxsize=None)
def code_tokens(text):
    """Tokens without comments and directives; a directive's own text can be scanned with `tokens` again."""
    return tuple(t for t in tokens(text) if t.kind not in ("comment", "directive"))


def includes(text):
    """(line, is_system, path) of each include, comments left out."""
    without = re.sub(r"/\*.*?\*/", lambda m: "\n" * m.group().count("\n"), text, flags=re.DOTALL)
    return [(without.count("\n", 0, m.start(1)) + 1, m.group(1) == "<", m.group(2))
            for m in INCLUDE.finditer(without)]


def number_value(text):
    """The value of an integer literal, or None for a floating one."""
    bare = text.rstrip("uUlL")
    try:
        if re.fullmatch(r"0[0-7]*", bare):
            return int(bare, 8)
        return int(bare, 0)
    except ValueError:
        return None


def functions(text):
    """Definitions at file level: name, first line, lines from the head's first to the closing brace."""
    found, depth, head, name = [], 0, [], None
    for token in code_tokens(text):
        if token.text == "{" and depth == 0 and head and head[-1].kind == "string":
            head = []  # the brace of a C linkage block
            continue
        if token.text == "{":
            if depth == 0:
                name = defined_name(head)
            depth += 1
        elif token.text == "}":
            if depth == 1 and name:
                found.append(Function(name, head[0].line, token.line - head[0].line + 1))
                head, name = [], None
            depth = max(depth - 1, 0)
            if depth == 0 and name is None and not is_initialiser(head):
                head = []
            continue
        elif depth == 0:
            head = [] if token.text == ";" else head + [token]
    return found


def is_initialiser(head):
    return any(t.text == "=" for t in head)


def defined_name(head):
    """The name before the first parenthesis of a function's head; None when the brace opens anything else."""
    if not head or head[-1].text != ")" or is_initialiser(head):
        return None
    for before, token in zip(head, head[1:]):
        if token.text == "(" and before.kind == "name" and before.text != "__attribute__":
            return before.text
    return None
