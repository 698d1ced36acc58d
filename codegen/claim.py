"""What properties claim of a machine: conditions over its states and facts, evaluated and printed."""

from .model import Fact, InState, Negate

def evaluate(expr, state, facts):
    """Whether a claim holds in a state, given the facts that hold as bits."""
    if isinstance(expr, InState):
        return state == expr.number
    if isinstance(expr, Fact):
        return bool(facts >> expr.number & 1)
    if isinstance(expr, Negate):
        return not evaluate(expr.operand, state, facts)
    left, right = evaluate(expr.left, state, facts), evaluate(expr.right, state, facts)
    return {
        "and": left and right,
        "or": left or right,
        "implies": not left or right,
        "iff": left == right,
    }[expr.op]


def to_c(expr, state, facts, view, wanted=True, inner=False):
    """That a claim is true, or false, in C and Promela; `state` and `facts` are their names for these."""
    if isinstance(expr, InState):
        return bracketed(f"{state} {'==' if wanted else '!='} {view['states'][expr.number]['c']}", inner)
    if isinstance(expr, Fact):
        return bracketed(f"({facts} & {view['facts'][expr.number]['c']}) {'!=' if wanted else '=='} 0", inner)
    if isinstance(expr, Negate):
        return to_c(expr.operand, state, facts, view, not wanted, inner)
    alike = expr.op == "iff"
    left = to_c(expr.left, state, facts, view, alike or wanted != (expr.op == "implies"), True)
    right = to_c(expr.right, state, facts, view, alike or wanted, True)
    op = ("==" if wanted else "!=") if alike else "&&" if (expr.op == "and") == wanted else "||"
    return bracketed(f"{left} {op} {right}", inner)


def bracketed(text, inner):
    return f"({text})" if inner else text
