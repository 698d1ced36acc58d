"""The checked model of a spec: every name resolved, every size and range known."""

from dataclasses import dataclass, field
from typing import Any, Optional

from .source import Span
from .tree import Name

VARINT_MAX = 2**62 - 1
U64_MAX = 2**64 - 1

LANGUAGE_ERRORS = [
    (0, "OK", "no error"),
    (1, "TRUNCATED", "ends before a field does; the offset is the field's first byte"),
    (2, "NOT_SHORTEST", "an integer is not in its shortest form"),
    (3, "RANGE", "a value its constraint excludes"),
    (4, "UNKNOWN_TYPE", "a type that is not assigned"),
    (5, "NOT_ZERO", "reserved bits or padding that are not zero"),
    (6, "LIMIT", "more of something than its limit allows"),
    (7, "TRAILING", "bytes behind the end"),
    (8, "ROOM", "no room to write it"),
    (9, "EMPTY", "nothing where there must be something"),
]


@dataclass
class Const:
    """A number; `label` is the limit or registry entry it came from, as (kind, names)."""

    value: int
    label: Optional[tuple] = None


@dataclass
class Value:
    """The value of an integer field."""

    field: Any


@dataclass
class Length:
    """The number of bytes in a bytes field."""

    field: Any


@dataclass
class Sum:
    """The sum of `expr` over the items of `field`; stops growing at 2^62."""

    field: Any
    expr: Any


@dataclass
class Op:
    op: str
    left: Any
    right: Any


@dataclass
class Negate:
    operand: Any


@dataclass
class Check:
    """What must hold once the field it stands at was read."""

    expr: Any
    error: str
    span: Span
    text: str


@dataclass
class Field:
    """kind: uint, varint, fixed, literal, bytes, rest, zeros, embed, count, end, until, sized."""

    name: Name
    docs: list
    kind: str
    bits: int = 0
    shift: int = 0
    group: Optional["Group"] = None
    literal: bytes = b""
    least: int = 0
    item: Optional["Layout"] = None
    most: int = 0
    until: Any = None
    until_text: str = ""
    length_of: Optional["Field"] = None
    length: Optional["Field"] = None
    registry: Optional["Registry"] = None
    text: bool = False
    constant: Optional[Const] = None
    checks: list = field(default_factory=list)
    sums: list = field(default_factory=list)
    low: int = 0
    high: int = U64_MAX
    owner: Optional["Layout"] = None

    @property
    def member(self):
        return self.name.snake

    @property
    def is_member(self):
        """Whether the C struct holds it: derived lengths and literals are not held."""
        return self.kind != "literal" and self.length_of is None

    @property
    def is_repeat(self):
        return self.kind in ("count", "end", "until", "sized")

    @property
    def is_integer(self):
        return self.kind in ("uint", "varint")

    @property
    def bytes(self):
        return self.bits // 8


@dataclass
class Group:
    """Neighbouring fields that fill whole bytes together, read as one number."""

    fields: list
    bits: int

    @property
    def bytes(self):
        return self.bits // 8


@dataclass
class Layout:
    """A struct, or a case of a family (then `family` and the types are set)."""

    name: Name
    docs: list
    flags: list
    fields: list
    family: Optional["Family"] = None
    first: int = 0
    last: int = 0
    alias: Optional["Layout"] = None
    vectors: list = field(default_factory=list)
    rejects: list = field(default_factory=list)

    @property
    def is_case(self):
        return self.family is not None

    @property
    def is_range(self):
        return self.first != self.last

    @property
    def shape(self):
        return self.alias or self

    @property
    def members(self):
        return [f for f in self.fields if f.is_member]

    @property
    def tag_bytes(self):
        return self.family.bits // 8 if self.family else 0

    @property
    def fixed_size(self):
        """Bytes if all instances have one size, otherwise None; the tag counts."""
        total = self.tag_bytes
        for one in self.fields:
            size = field_size(one)
            if size is None:
                return None
            total += size
        return total

    @property
    def runs_to_end(self):
        return bool(self.fields) and self.fields[-1].kind in ("rest", "zeros", "end")


def field_size(one):
    """Bytes of a field of constant size; a bit field counts where its group begins."""
    if one.kind == "uint":
        return one.group.bytes if one.group.fields[0] is one else 0
    if one.kind in ("fixed", "literal"):
        return one.bytes
    if one.kind == "embed":
        return one.item.fixed_size
    return None


@dataclass
class Family:
    name: Name
    docs: list
    bits: int
    cases: list = field(default_factory=list)


@dataclass
class Entry:
    name: Name
    number: int
    doc: str
    mark: Optional[Name]
    span: Span


@dataclass
class Registry:
    name: Name
    docs: list
    closed: bool
    entries: list

    @property
    def count(self):
        return self.entries[-1].number + 1


@dataclass
class Limit:
    name: Name
    doc: str
    value: int
    formula: str


@dataclass
class Text:
    name: Name
    doc: str
    value: str


@dataclass
class Flag:
    name: Name
    doc: str


@dataclass
class Part:
    kind: str
    name: str
    docs: list
    layout: Any = None
    least: int = 0
    most: int = 0
    tag: str = ""
    bits: int = 0
    condition: str = ""
    test: Any = None


@dataclass
class Packet:
    name: Name
    docs: list
    flags: list
    parts: list


@dataclass
class Edge:
    """What a state does on an event, under a guard or always."""

    guard: Optional[tuple]
    target: int
    action: Optional[str]
    span: Span
    named: bool


@dataclass
class State:
    name: Name
    doc: str
    final: bool
    timer: Optional[tuple]


@dataclass
class Word:
    name: Name
    doc: str


@dataclass
class InState:
    """Whether a machine is in the state of this number."""

    number: int


@dataclass
class Fact:
    """Whether the fact of this number holds."""

    number: int


@dataclass
class Property:
    """Of a machine: `claim` always holds, or with `never` once it held that never does."""

    name: Name
    docs: list
    claim: Any
    never: Any
    text: str


@dataclass
class Machine:
    name: Name
    docs: list
    flags: list
    states: list
    initial: int
    events: list
    guards: list
    actions: list
    facts: list
    table: dict
    properties: list = field(default_factory=list)


@dataclass
class Vector:
    """A vector's bytes and its values as codec.decode gives them."""

    title: str
    data: bytes
    values: dict
    span: Span


@dataclass
class Reject:
    title: str
    data: bytes
    error: str
    offset: int
    span: Span


@dataclass
class Model:
    source: Any
    name: Name
    prefix: str
    title: str
    docs: list
    flags: list
    limits: list
    texts: list
    errors: list
    registries: list
    structs: list
    families: list
    packets: list
    machines: list

    @property
    def layouts(self):
        """Structs, then cases in the order of their types."""
        return self.structs + [case for family in self.families for case in family.cases]
