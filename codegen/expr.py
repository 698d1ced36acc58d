"""Expressions over fields: resolved from the tree, bounded by intervals, evaluated, printed as C."""

from . import tree
from .constants import near
from .model import U64_MAX, Const, Length, Negate, Op, Sum, Value

COMPARE = ("=", "!=", "<", "<=", ">", ">=")
LOGIC = ("and", "or", "implies", "iff")
SUM_MAX = 2**62
# What the interpreter of the second codec has room for.
STACK_MAX = 16


class Resolve:
    """Turns a tree expression into a model expression; reports what cannot be."""

    def __init__(self, constants, found, fields, repeat=None):
        self.constants = constants
        self.found = found
        self.fields = fields
        self.repeat = repeat

    def boolean(self, node):
        return self._want(node, bool, "a condition", "compare two numbers")

    def integer(self, node):
        return self._want(node, int, "a number", "a condition cannot stand here")

    def comparison(self, one, suffix, node):
        """`field op value`, where the value is over what stands before the field."""
        earlier = Resolve(self.constants, self.found, [f for f in self.fields if f is not one])
        right = earlier.integer(suffix.value)
        if right is None:
            return None
        return self._shallow(node, self._judged(node, Op(suffix.op, Value(one), right)))

    def _want(self, node, kind, what, hint):
        made = self.any(node)
        if made is not None and type_of(made) is not kind:
            self.found.error(node.span, f"{what} is needed here", hint)
            return None
        return made and self._shallow(node, made)

    def _shallow(self, node, made):
        if stack_depth(made) > STACK_MAX:
            self.found.error(
                node.span, "needs more than 16 numbers at a time", "bracket it from the left, or split it"
            )
            return None
        return made

    def any(self, node):
        if isinstance(node, tree.Number):
            return self._number(node)
        if isinstance(node, tree.Ref):
            return self._reference(node)
        if isinstance(node, tree.Call):
            return self._call(node)
        if isinstance(node, tree.Not):
            operand = self.boolean(node.operand)
            return operand and Negate(operand)
        return self._binary(node)

    def _number(self, node):
        if node.value > U64_MAX:
            self.found.error(node.span, "larger than 2^64 - 1")
            return None
        return Const(node.value)

    def _reference(self, node):
        name = node.name
        if node.member is not None:
            entry = self.constants.entry(node)
            if entry:
                return Const(entry.number, ("entry", (name, node.member)))
            self.found.error(node.span, f"no entry '{node.member.text}' in a registry '{name.text}'")
            return None
        for one in self.fields:
            if one.name.snake == name.snake:
                if one.is_integer:
                    return Value(one)
                self.found.error(
                    node.span, f"'{name.text}' is not a number", "bytes(Field) is the number of its bytes"
                )
                return None
        if name.snake in self.constants.limits:
            value = self.constants.limit(name)
            return None if value is None else Const(value, ("limit", (name,)))
        self.found.error(
            node.span,
            f"no field before this and no limit is called '{name.text}'",
            near(name.text, list(self.fields) + list(self.constants.limits.values())),
        )
        return None

    def _call(self, node):
        if node.function == "size":
            value = self.constants.evaluate(node)
            return None if value is None else Const(value)
        if node.function == "sum":
            return self._sum(node)
        name = node.argument.name
        one = next((f for f in self.fields if f.name.snake == name.snake), None)
        if one is None or one.kind not in ("bytes", "rest"):
            self.found.error(node.span, f"'{name.text}' is no bytes field before this")
            return None
        return Length(one)

    def _sum(self, node):
        if self.repeat is None:
            self.found.error(node.span, "sum(...) stands in the constraint of a repeated field only")
            return None
        inner = Resolve(self.constants, self.found, self.repeat.item.fields)
        expr = inner.integer(node.argument)
        if expr is None:
            return None
        made = Sum(self.repeat, expr)
        self.repeat.sums.append(made)
        return made

    def _binary(self, node):
        left, right = self.any(node.left), self.any(node.right)
        if left is None or right is None:
            return None
        op, kinds = node.op, {type_of(left), type_of(right)}
        if op == "=" and kinds == {bool}:
            return self._judged(node, Op("iff", left, right))
        if op in LOGIC:
            if kinds != {bool}:
                self.found.error(node.span, f"'{op}' joins conditions, not numbers")
                return None
            return self._judged(node, Op(op, left, right))
        if kinds != {int}:
            self.found.error(node.span, f"'{op}' takes numbers, not conditions")
            return None
        if op in COMPARE:
            return self._judged(node, Op(op, left, right))
        return self._arithmetic(node, Op(op, left, right))

    def _judged(self, node, made):
        truth = bounds(made)
        if truth[0] == truth[1]:
            self.found.error(
                node.span,
                f"always {'true' if truth[0] else 'false'}",
                "the fields' widths and earlier constraints already say so",
            )
        return made

    def _arithmetic(self, node, made):
        if isinstance(made.left, Const) and isinstance(made.right, Const):
            value = self.constants.evaluate(node)
            return None if value is None else Const(value)
        if made.op in "/^":
            self.found.error(node.span, f"'{made.op}' is for constants", "use + - * with fields")
            return None
        low, high = bounds(made)
        if low < 0:
            self.found.error(
                node.span, "may be below zero", "add on the other side of the comparison instead"
            )
            return None
        if high > U64_MAX:
            self.found.error(node.span, "may exceed 2^64 - 1", "constrain the fields first")
            return None
        return made


def stack_depth(expr):
    """How many numbers are kept while it is computed, operands before operators."""
    if isinstance(expr, Negate):
        return stack_depth(expr.operand)
    if isinstance(expr, Op):
        return max(stack_depth(expr.left), 1 + stack_depth(expr.right))
    return 1


def type_of(expr):
    if isinstance(expr, Negate) or isinstance(expr, Op) and expr.op in COMPARE + LOGIC:
        return bool
    return int


def bounds(expr):
    """(lowest, highest) value; for a condition False and True count as 0 and 1."""
    if isinstance(expr, Const):
        return expr.value, expr.value
    if isinstance(expr, Value):
        return expr.field.low, expr.field.high
    if isinstance(expr, Length):
        return expr.field.least, SUM_MAX
    if isinstance(expr, Sum):
        return 0, SUM_MAX
    if isinstance(expr, Negate):
        low, high = bounds(expr.operand)
        return 1 - high, 1 - low
    return operator_bounds(expr.op, bounds(expr.left), bounds(expr.right))


def operator_bounds(op, left, right):
    (a, b), (c, d) = left, right
    if op == "+":
        return a + c, b + d
    if op == "-":
        return a - d, b - c
    if op == "*":
        return a * c, b * d
    if op == "and":
        return min(a, c), min(b, d)
    if op == "or":
        return max(a, c), max(b, d)
    if op == "implies":
        return max(1 - b, c), max(1 - a, d)
    if op in ("=", "iff"):
        return int(a == b == c == d), int(not (b < c or d < a))
    if op == "!=":
        low, high = operator_bounds("=", left, right)
        return 1 - high, 1 - low
    if op in (">", ">="):
        return operator_bounds({">": "<", ">=": "<="}[op], right, left)
    if op == "<":
        return int(b < c), int(a < d)
    return int(b <= c), int(a <= d)


def narrow(one, check):
    """After `field op constant` the field's range is known better."""
    expr = check.expr
    if not (
        isinstance(expr, Op)
        and isinstance(expr.left, Value)
        and expr.left.field is one
        and isinstance(expr.right, Const)
    ):
        return
    value = expr.right.value
    if expr.op in ("=", "<=") or expr.op == "<":
        one.high = min(one.high, value - (expr.op == "<"))
    if expr.op in ("=", ">=") or expr.op == ">":
        one.low = max(one.low, value + (expr.op == ">"))
    if expr.op == "!=" and value == one.low:
        one.low += 1
    if expr.op == "!=" and value == one.high:
        one.high -= 1


def evaluate(expr, values):
    """Value of an expression; `values` maps members to int, bytes or lists of such maps."""
    if isinstance(expr, Const):
        return expr.value
    if isinstance(expr, Value):
        return values[expr.field.member]
    if isinstance(expr, Length):
        return len(values[expr.field.member])
    if isinstance(expr, Sum):
        return min(SUM_MAX, sum(evaluate(expr.expr, item) for item in values[expr.field.member]))
    if isinstance(expr, Negate):
        return not evaluate(expr.operand, values)
    a, b = evaluate(expr.left, values), evaluate(expr.right, values)
    return {
        "+": lambda: a + b,
        "-": lambda: a - b,
        "*": lambda: a * b,
        "and": lambda: a and b,
        "or": lambda: a or b,
        "implies": lambda: not a or b,
        "iff": lambda: bool(a) == bool(b),
        "=": lambda: a == b,
        "!=": lambda: a != b,
        "<": lambda: a < b,
        "<=": lambda: a <= b,
        ">": lambda: a > b,
        ">=": lambda: a >= b,
    }[expr.op]()


C_OPS = {"=": "==", "and": "&&", "or": "||", "iff": "=="}
STRENGTH = {
    "*": 6,
    "+": 5,
    "-": 5,
    "<": 4,
    "<=": 4,
    ">": 4,
    ">=": 4,
    "==": 3,
    "!=": 3,
    "&&": 2,
    "||": 1,
    "": 0,
}


def to_c(expr, place, const, outer=""):
    """C text of an expression.

    place(field) is the C of a field's value, place(expr) of a Length or Sum; const(Const) of a number."""
    if isinstance(expr, Const):
        return const(expr)
    if isinstance(expr, Value):
        wide = outer in ("+", "-", "*") and expr.field.kind == "uint" and expr.field.bits <= 32
        return ("(uint64_t)" if wide else "") + place(expr.field)
    if isinstance(expr, (Length, Sum)):
        return place(expr)
    if isinstance(expr, Negate):
        return f"!({to_c(expr.operand, place, const)})"
    if expr.op == "implies":
        text = f"!({to_c(expr.left, place, const)}) || {to_c(expr.right, place, const, '||')}"
        return f"({text})" if outer and outer != "||" else text
    op = C_OPS.get(expr.op, expr.op)
    right = to_c(expr.right, place, const, op)
    if op == "-" and isinstance(expr.right, Op):
        right = f"({right})"
    text = f"{to_c(expr.left, place, const, op)} {op} {right}"
    return f"({text})" if needs_brackets(op, outer) else text


def needs_brackets(op, outer):
    """Whether `op` inside `outer` is bracketed: where C needs it, and where a reader would have to think."""
    if outer in ("==", "!=") and STRENGTH[op] <= 4 or outer == "||" and op == "&&":
        return True
    return STRENGTH[op] < STRENGTH[outer]


def to_negated_c(expr, place, const):
    """C text of the opposite, with the comparison turned where that reads better."""
    turned = {"=": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<", "iff": "!="}
    if isinstance(expr, Op) and expr.op in turned:
        op = turned[expr.op]
        return f"{to_c(expr.left, place, const, op)} {op} {to_c(expr.right, place, const, op)}"
    if isinstance(expr, Op) and expr.op == "or" and type_of(expr.left) is bool:
        return (
            f"{to_negated_c(expr.left, place, const)} && {to_negated_c(expr.right, place, const)}"
            if simple(expr.left) and simple(expr.right)
            else f"!({to_c(expr, place, const)})"
        )
    return f"!({to_c(expr, place, const)})"


def simple(expr):
    return isinstance(expr, Op) and expr.op in COMPARE


def to_text(node, outer=""):
    """A tree expression as its author would write it."""
    if isinstance(node, tree.Number):
        return f"0x{node.value:x}" if node.value > 65536 and node.value % 65536 == 0 else str(node.value)
    if isinstance(node, tree.Ref):
        return node.name.text + (f".{node.member.text}" if node.member else "")
    if isinstance(node, tree.Call):
        return f"{node.function}({to_text(node.argument)})"
    if isinstance(node, tree.Not):
        text = to_text(node.operand)
        return f"not {text}" if isinstance(node.operand, tree.Ref) else f"not ({text})"
    op = (
        "=="
        if node.op == "="
        else {"and": "&&", "or": "||", "implies": "||", "/": "*", "^": "*"}.get(node.op, node.op)
    )
    space = "" if node.op == "^" else " "
    text = f"{to_text(node.left, op)}{space}{node.op}{space}{to_text(node.right, op)}"
    return f"({text})" if needs_brackets(op, outer) else text
