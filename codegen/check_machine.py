"""Checks state machines: one answer for every state and event, every state reachable."""

from .constants import near
from .model import Edge, Machine, State, Word

MAX_STATES = 64
MAX_BITS = 8


def build(item, constants, found, flag_names):
    """The model of one machine, or None when its words are wrong."""
    states = unique(item.states, "state", found)
    events = unique(item.events, "event", found)
    guards = unique(item.guards, "guard", found)
    actions = unique(item.actions, "action", found)
    facts = unique(item.facts, "fact", found)
    for key in facts:
        if key in states:
            found.error(
                facts[key].span,
                f"fact '{facts[key].name.text}' is called like a state",
                "choose another name",
                (states[key].span, "this one"),
            )
    if not states or not events:
        found.error(item.span, f"machine '{item.name.text}' needs states and events")
        return None
    if max(len(states), len(events)) > MAX_STATES or max(len(guards), len(facts)) > MAX_BITS:
        found.error(
            item.span, f"more than {MAX_STATES} states or events, or more than {MAX_BITS} guards or facts"
        )
        return None
    initial = [s for s in item.states if s.initial]
    if len(initial) != 1:
        found.error(item.span, f"{len(initial)} initial states", "say initial of exactly one state")
        return None
    table = Table(item, found, states, events, guards, actions).fill()
    if table is None:
        return None
    made = [State(s.name, s.doc, s.final, timer(s, constants, events, found)) for s in item.states]
    names = list(states)
    machine = Machine(
        item.name,
        item.docs,
        flag_names(item.flags),
        made,
        names.index(initial[0].name.snake),
        [Word(e.name, e.doc) for e in item.events],
        [Word(g.name, g.doc) for g in item.guards],
        [Word(a.name, a.doc) for a in item.actions],
        [Word(f.name, f.doc) for f in facts.values()],
        table,
    )
    check_reachable(machine, found)
    check_timers(machine, found)
    return machine


def unique(words, what, found):
    out = {}
    for word in words:
        if word.name.snake in out:
            found.error(
                word.span,
                f"{what} '{word.name.text}' stands here twice",
                None,
                (out[word.name.snake].span, "the first one"),
            )
        out.setdefault(word.name.snake, word)
    return out


def timer(state, constants, events, found):
    if state.timer is None:
        return None
    limit, event = state.timer
    if limit.snake not in constants.limits:
        found.error(
            limit.span, f"no limit is called '{limit.text}'", near(limit.text, constants.limits.values())
        )
        return None
    if event.snake not in events:
        found.error(event.span, f"no event is called '{event.text}'", near(event.text, events.values()))
        return None
    events[event.snake].used = True
    return limit, event


class Table:
    """(state index, event index) -> list of Edge, guarded ones first."""

    def __init__(self, item, found, states, events, guards, actions):
        self.item = item
        self.found = found
        self.words = {"state": states, "event": events, "guard": guards, "action": actions}
        self.used = {"state": set(), "event": set(), "guard": set(), "action": set()}
        self.table = {}

    def index(self, what, name):
        if name.snake not in self.words[what]:
            self.found.error(
                name.span, f"no {what} is called '{name.text}'", near(name.text, self.words[what].values())
            )
            return None
        self.used[what].add(name.snake)
        return list(self.words[what]).index(name.snake)

    def fill(self):
        for line in self.item.transitions:
            self._line(line)
        self._otherwise()
        self._unused()
        return self.table

    def _line(self, line):
        sources = [self.index("state", n) for n in line.sources] if line.sources is not None else None
        events = [self.index("event", n) for n in line.events]
        target = self.index("state", line.target) if line.target else None
        action = line.action and line.action.snake
        if line.action:
            self.index("action", line.action)
        guard = None
        if line.guard:
            number = self.index("guard", line.guard[0])
            guard = (number, line.guard[1])
        if sources is None:
            sources = [i for i, s in enumerate(self.item.states) if not s.final]
        for state in sources:
            for event in events:
                if None not in (state, event):
                    self._put(
                        state,
                        event,
                        Edge(guard, state if target is None else target, action, line.span, True),
                    )

    def _put(self, state, event, edge):
        if self.item.states[state].final and edge.target != state:
            self.found.error(
                edge.span,
                f"'{self.item.states[state].name.text}' is final but left here",
                "a final state stays on every event",
            )
        edges = self.table.setdefault((state, event), [])
        for other in edges:
            if other.guard == edge.guard or both_may_hold(other.guard, edge.guard):
                both = "" if other.guard == edge.guard else " where both guards hold"
                self.found.error(
                    edge.span,
                    f"two answers for {self._pair(state, event)}{both}",
                    "remove one of them",
                    (other.span, "the other one"),
                )
                return
        edges.append(edge)
        edges.sort(key=lambda e: e.guard is None)

    def _pair(self, state, event):
        return f"'{self.item.states[state].name.text}' on '{self.item.events[event].name.text}'"

    def _otherwise(self):
        rules = self.item.otherwise
        if len(rules) > 1:
            self.found.error(rules[1].span, "a second otherwise", None, (rules[0].span, "the first one"))
        target = self.index("state", rules[0].target) if rules and rules[0].target else None
        missing = []
        for state in range(len(self.item.states)):
            for event in range(len(self.item.events)):
                edges = self.table.setdefault((state, event), [])
                if complete(edges[:-1]) and edges[-1].guard is None:
                    self.found.error(
                        edges[-1].span,
                        f"never reached: {self._pair(state, event)} is answered under a guard and its opposite",
                        "remove it",
                    )
                if complete(edges):
                    continue
                missing.append((state, event))
                final = self.item.states[state].final
                goal = state if target is None or final else target
                edges.append(Edge(None, goal, None, self.item.span, False))
        if missing and not rules:
            self._report(missing)
        if rules and not missing:
            self.found.error(rules[0].span, "otherwise is never reached: every pair is named", "remove it")

    def _report(self, missing):
        pairs = [self._pair(*pair) for pair in missing]
        more = f" and {len(pairs) - 4} more" if len(pairs) > 4 else ""
        self.found.error(
            self.item.span,
            f"no answer for {', '.join(pairs[:4])}{more}",
            "name every pair, or end with: otherwise stay;",
        )

    def _unused(self):
        for what in ("event", "guard", "action"):
            for key, word in self.words[what].items():
                if key not in self.used[what] and not getattr(word, "used", False):
                    self.found.error(word.span, f"{what} '{word.name.text}' is never used", "remove it")


def both_may_hold(one, other):
    """Whether two guards are of different words, so that neither excludes the other."""
    return None not in (one, other) and one[0] != other[0]


def complete(edges):
    guards = {e.guard for e in edges}
    return None in guards or any((g[0], not g[1]) in guards for g in guards if g)


def check_reachable(machine, found):
    seen, todo = {machine.initial}, [machine.initial]
    while todo:
        state = todo.pop()
        for event in range(len(machine.events)):
            for edge in machine.table[state, event]:
                if edge.target not in seen:
                    seen.add(edge.target)
                    todo.append(edge.target)
    for number, state in enumerate(machine.states):
        if number not in seen:
            found.error(
                state.name.span, f"state '{state.name.text}' is never reached", "add a transition to it"
            )
        leaves = any(
            e.target != number for k, edges in machine.table.items() if k[0] == number for e in edges
        )
        if not leaves and not state.final and number in seen:
            found.error(state.name.span, f"state '{state.name.text}' is never left", "say final of it")


def check_timers(machine, found):
    """A timer whose event does nothing is a mistake."""
    events = [e.name.snake for e in machine.events]
    for number, state in enumerate(machine.states):
        if state.timer is not None:
            edges = machine.table[number, events.index(state.timer[1].snake)]
            if all(e.target == number and e.action is None for e in edges):
                found.error(
                    state.timer[1].span,
                    f"'{state.timer[1].text}' does nothing in '{state.name.text}'",
                    "remove the timer, or say where it leads",
                )
