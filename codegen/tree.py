"""What the reader makes of a spec's text: one node for each construct, each with its place."""

from dataclasses import dataclass, field
from typing import Any, Optional

from .source import Span


@dataclass(frozen=True)
class Name:
    """One or more words. Two names are the same thing if their snake form is."""

    text: str
    span: Span

    @property
    def snake(self):
        return self.text.lower().replace(" ", "_")

    @property
    def upper(self):
        return self.snake.upper()


@dataclass
class Node:
    span: Span


@dataclass
class Number(Node):
    value: int


@dataclass
class Ref(Node):
    """A field, a limit, or with `member` an entry of a registry."""

    name: Name
    member: Optional[Name] = None


@dataclass
class Call(Node):
    """size(Struct.Field), bytes(Field) or sum(expression over one item)."""

    function: str
    argument: Any


@dataclass
class Binary(Node):
    op: str
    left: Any
    right: Any


@dataclass
class Not(Node):
    operand: Any


@dataclass
class Item(Node):
    docs: list
    name: Optional[Name]


@dataclass
class Protocol(Item):
    prefix: str
    title: str = ""


@dataclass
class Flag(Item):
    pass


@dataclass
class Limit(Item):
    expr: Any
    doc: str


@dataclass
class Text(Item):
    value: str
    doc: str


@dataclass
class Entry(Item):
    number: int
    doc: str
    mark: Optional[Name]


@dataclass
class Registry(Item):
    """`openness` is "open", "closed", or "errors" for the library's own errors."""

    openness: str
    entries: list


@dataclass
class Suffix(Node):
    """kind: compare (op, value), literal (value), where (value), registry (value), text, zeros."""

    kind: str
    op: str = ""
    value: Any = None
    error: Optional[Name] = None


@dataclass
class Field(Item):
    """kind: value (width: expr, or None with `least` for the rest), struct (of), repeat (of, extent)."""

    kind: str
    width: Any = None
    least: Any = None
    of: Optional[Name] = None
    extent: str = ""
    extent_expr: Any = None
    most: Any = None
    suffixes: list = field(default_factory=list)


@dataclass
class Struct(Item):
    flags: list
    fields: list


@dataclass
class Family(Item):
    bits: int
    flags: list


@dataclass
class Case(Struct):
    first: int
    last: int
    family: Name
    alias: Optional[Name]


@dataclass
class Part(Item):
    """kind: clear or authenticated (name is a struct), sealed (family, least, most, tag), plain (bits)."""

    kind: str
    least: Any = None
    most: Any = None
    tag: Optional[Name] = None
    bits: Any = None
    condition: Any = None


@dataclass
class Packet(Item):
    flags: list
    parts: list


@dataclass
class State(Item):
    doc: str
    initial: bool
    final: bool
    timer: Optional[tuple]


@dataclass
class Word(Item):
    """An event, guard, action or fact of a machine."""

    doc: str


@dataclass
class Transition(Node):
    """sources None: any state. target None: stay. guard: (name, wanted truth) or None."""

    sources: Optional[list]
    events: list
    guard: Optional[tuple]
    target: Optional[Name]
    action: Optional[Name]


@dataclass
class Otherwise(Node):
    target: Optional[Name]


@dataclass
class Machine(Item):
    flags: list
    states: list
    events: list
    guards: list
    actions: list
    facts: list
    transitions: list
    otherwise: list


@dataclass
class Property(Item):
    """Of a machine: `claim` always holds, or with `never` once it held that never does."""

    machine: Name
    claim: Any
    never: Any


@dataclass
class Assign(Node):
    name: Name
    value: Any


@dataclass
class Vector(Item):
    title: str
    data: bytes
    assigns: list


@dataclass
class Reject(Item):
    title: str
    data: bytes
    error: Name
    offset: int


@dataclass
class Spec:
    """All items of a file, in its order."""

    items: list

    def all(self, kind):
        return [item for item in self.items if type(item) is kind]
