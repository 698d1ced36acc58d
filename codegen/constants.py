"""Numbers known when the spec is read: limits, sizes of structs, entries of registries."""

from . import tree

MAX_VALUE = 2**64 - 1
MAX_SHIFT = 64


class Constants:
    """Evaluates constant expressions; limits may stand in any order but not in a circle."""

    def __init__(self, spec, found):
        self.found = found
        self.limits = {item.name.snake: item for item in spec.all(tree.Limit)}
        self.layouts = {item.name.snake: item for item in spec.all(tree.Struct) + spec.all(tree.Case)}
        self.families = {item.name.snake: item for item in spec.all(tree.Family)}
        self.registries = {item.name.snake: item for item in spec.all(tree.Registry)}
        self.values = {}
        self.open = []

    def limit(self, name):
        """Value of a limit by its name, or None after an error."""
        item = self.limits[name.snake]
        if name.snake in self.values:
            return self.values[name.snake]
        if name.snake in self.open:
            self.found.error(item.span, f"'{item.name.text}' is defined by itself", "break the circle")
            self.values[name.snake] = None
            return None
        self.open.append(name.snake)
        value = self.evaluate(item.expr)
        self.open.pop()
        self.values[name.snake] = value
        return value

    def entry(self, ref):
        """The entry that Registry.ENTRY means, or None."""
        registry = self.registries.get(ref.name.snake)
        if registry is None:
            return None
        return next((e for e in registry.entries if e.name.snake == ref.member.snake), None)

    def evaluate(self, expr):
        """The value of a constant expression, or None after an error was reported."""
        if isinstance(expr, tree.Number):
            return expr.value
        if isinstance(expr, tree.Ref):
            return self._reference(expr)
        if isinstance(expr, tree.Call) and expr.function == "size":
            return self._size(expr)
        if isinstance(expr, tree.Binary) and expr.op in "+-*/^":
            return self._arithmetic(expr)
        self.found.error(expr.span, "not a constant", "use numbers, limits, size(...) and + - * / ^")
        return None

    def _reference(self, ref):
        if ref.member is not None:
            entry = self.entry(ref)
            if entry:
                return entry.number
            self.found.error(ref.span, f"no entry '{ref.member.text}' in a registry '{ref.name.text}'")
            return None
        if ref.name.snake in self.limits:
            return self.limit(ref.name)
        self.found.error(
            ref.span, f"no limit is called '{ref.name.text}'", near(ref.name.text, self.limits.values())
        )
        return None

    def _arithmetic(self, expr):
        left, right = self.evaluate(expr.left), self.evaluate(expr.right)
        if left is None or right is None:
            return None
        if expr.op == "/" and right == 0:
            self.found.error(expr.span, "division by zero")
            return None
        if expr.op == "^" and (right > MAX_SHIFT or left > MAX_VALUE):
            self.found.error(expr.span, "too large", "a constant is below 2^64")
            return None
        value = {
            "+": lambda: left + right,
            "-": lambda: left - right,
            "*": lambda: left * right,
            "/": lambda: left // right,
            "^": lambda: left**right,
        }[expr.op]()
        if expr.op == "^" and left == 2 and right == MAX_SHIFT:
            return value
        if not 0 <= value <= MAX_VALUE + 1:
            self.found.error(
                expr.span,
                f"{value if value < 0 else 'the result'} is out of range",
                "a constant is from 0 to 2^64 - 1",
            )
            return None
        return value

    def _size(self, call):
        name, member = call.argument.name, call.argument.member
        layout = self.layouts.get(name.snake)
        if layout is None:
            self.found.error(
                name.span,
                f"no struct or case is called '{name.text}'",
                near(name.text, self.layouts.values()),
            )
            return None
        if ("size", name.snake) in self.open:
            self.found.error(name.span, f"the size of '{name.text}' depends on itself")
            return None
        self.open.append(("size", name.snake))
        bits = self._bits(layout, member, name)
        self.open.pop()
        if bits is not None and bits % 8:
            self.found.error(name.span, "not a whole number of bytes")
            return None
        return None if bits is None else bits // 8

    def _bits(self, layout, member, name):
        fields = layout.fields
        if member is not None:
            fields = [f for f in fields if f.name.snake == member.snake]
            if not fields:
                self.found.error(
                    member.span,
                    f"'{name.text}' has no field '{member.text}'",
                    near(member.text, layout.fields),
                )
                return None
        total = 0
        if member is None and isinstance(layout, tree.Case):
            family = self.families.get(layout.family.snake)
            total = family.bits if family else 0
        for one in fields:
            width = self._field_bits(one, name)
            if width is None:
                return None
            total += width
        return total

    def _field_bits(self, one, name):
        if one.kind == "struct" and one.of.snake in self.layouts:
            size = self._size(tree.Call(one.span, "size", tree.Ref(one.span, one.of)))
            return None if size is None else 8 * size
        if (
            one.kind == "value"
            and one.width is not None
            and not is_varint(one.width)
            and not names_field(one.width, self)
        ):
            return self.evaluate(one.width)
        self.found.error(
            name.span, f"'{one.name.text}' has no fixed size", "size(...) takes what has one size only"
        )
        return None


def is_varint(width):
    """(i): the variable-length integer."""
    return isinstance(width, tree.Ref) and width.member is None and width.name.text == "i"


def names_field(expr, constants):
    """Whether an expression names something that is no limit: a field."""
    if isinstance(expr, tree.Ref):
        return expr.member is None and expr.name.snake not in constants.limits
    if isinstance(expr, tree.Binary):
        return names_field(expr.left, constants) or names_field(expr.right, constants)
    return False


def near(word, items):
    """A hint that names the most similar of the things there are."""
    import difflib

    names = [item.name.text for item in items]
    best = difflib.get_close_matches(word, names, 1, 0.6)
    return f"did you mean '{best[0]}'?" if best else None
