"""Checks the properties of machines: the table decides some of them, the others must be able to fail."""

from . import claim as claims, tree
from .constants import near
from .expr import LOGIC, to_text
from .model import Fact, InState, Negate, Op, Property


def attach(spec, machines, found):
    """Give each machine its properties; `machines` holds None for those that have errors."""
    known = {m.name.snake: m for m in machines if m is not None}
    for item in spec.all(tree.Property):
        if item.machine.snake in known:
            Check(item, known[item.machine.snake], found).run()
        elif all(m.name.snake != item.machine.snake for m in spec.all(tree.Machine)):
            found.error(
                item.machine.span,
                f"no machine is called '{item.machine.text}'",
                near(item.machine.text, spec.all(tree.Machine)),
            )
    used = {
        (one.machine.snake, name)
        for one in spec.all(tree.Property)
        for claim in (one.claim, one.never)
        for name in names(claim)
    }
    for machine in known.values():
        for fact in machine.facts:
            if (machine.name.snake, fact.name.snake) not in used:
                found.error(fact.name.span, f"fact '{fact.name.text}' is never used", "remove it")


def names(node):
    """The names in an expression of the tree."""
    if isinstance(node, tree.Ref):
        return {node.name.snake}
    parts = [getattr(node, part, None) for part in ("left", "right", "operand")]
    return set().union(*(names(part) for part in parts if part is not None))


class Check:
    """One property against the table of its machine."""

    def __init__(self, item, machine, found):
        self.item, self.machine, self.found = item, machine, found
        self.numbers = range(len(machine.states))

    def run(self):
        claim = self.resolve(self.item.claim)
        never = self.resolve(self.item.never) if self.item.never is not None else None
        if claim is None or self.item.never is not None and never is None:
            return
        good = self.always(claim) if never is None else self.once(claim, never)
        if good:
            text = f"always {to_text(self.item.claim)}"
            if never is not None:
                text = f"once {to_text(self.item.claim)} never {to_text(self.item.never)}"
            self.machine.properties.append(Property(self.item.name, self.item.docs, claim, never, text))

    def resolve(self, node):
        """The model's expression, or None after an error."""
        if isinstance(node, tree.Ref) and node.member is None:
            return self.word(node.name)
        if isinstance(node, tree.Not):
            operand = self.resolve(node.operand)
            return operand and Negate(operand)
        if isinstance(node, tree.Binary) and node.op in (*LOGIC, "="):
            left, right = self.resolve(node.left), self.resolve(node.right)
            return left and right and Op("iff" if node.op == "=" else node.op, left, right)
        self.found.error(
            node.span,
            "a state or a fact is needed here",
            "join states and facts with and, or, not, implies and =",
        )
        return None

    def word(self, name):
        for number, state in enumerate(self.machine.states):
            if state.name.snake == name.snake:
                return InState(number)
        for number, fact in enumerate(self.machine.facts):
            if fact.name.snake == name.snake:
                return Fact(number)
        self.found.error(
            name.span,
            f"'{self.machine.name.text}' has no state and no fact '{name.text}'",
            near(name.text, self.machine.states + self.machine.facts),
        )
        return None

    def truths(self, expr, state):
        """The values of an expression in a state, over all that the facts may be."""
        return {claims.evaluate(expr, state, facts) for facts in range(1 << len(self.machine.facts))}

    def always(self, claim):
        seen = [self.truths(claim, number) for number in self.numbers]
        if all(truths == {True} for truths in seen):
            return self.refuse("always true", "it says nothing that could fail")
        for number in self.numbers:
            if seen[number] == {False}:
                return self.refuse(
                    f"never true in state '{self.machine.states[number].name.text}'",
                    "every state is reached; use facts for what a state demands",
                )
        for facts in range(1 << len(self.machine.facts)):
            if len({claims.evaluate(claim, number, facts) for number in self.numbers}) > 1:
                break
        else:
            return self.refuse("the same in every state", "name the states in which it must hold")
        return True

    def once(self, claim, never):
        if any(self.truths(e, n) == {False, True} for e in (claim, never) for n in self.numbers):
            return self.refuse("a fact in once ... never", "the table decides; facts stand in always")
        begin = [n for n in self.numbers if self.truths(claim, n) == {True}]
        bad = {n for n in self.numbers if self.truths(never, n) == {True}}
        for what, states in (("once", begin), ("never", bad)):
            if not states:
                return self.refuse(f"no state makes true what stands behind '{what}'", "name one")
        paths = self.paths(begin)
        broken = next((paths[n] for n in sorted(paths) if n in bad), None)
        if broken is not None:
            return self.refuse(f"it does not hold: {broken}", "correct the property or the machine")
        if set(paths) == set(begin) and all(self.machine.states[n].final for n in begin):
            return self.refuse("always true", "a final state is never left")
        return True

    def paths(self, begin):
        """{state: how it is reached} from some states by any events."""
        found = {number: f"'{self.machine.states[number].name.text}'" for number in begin}
        todo = list(begin)
        while todo:
            state = todo.pop(0)
            for event, word in enumerate(self.machine.events):
                for edge in self.machine.table[state, event]:
                    if edge.target not in found:
                        name = self.machine.states[edge.target].name.text
                        found[edge.target] = f"{found[state]} on '{word.name.text}' -> '{name}'"
                        todo.append(edge.target)
        return found

    def refuse(self, message, hint):
        self.found.error(self.item.claim.span, message, hint)
        return False
