"""Bars as SVG: a few groups, a few bars each, a line for a goal. The same figures give the same bytes."""
from xml.sax.saxutils import escape

COLOURS = ("#2b6cb0", "#90cdf4", "#a0aec0", "#dd6b20", "#38a169", "#805ad5")
WIDTH, BAR, GAP, LEFT, RIGHT, HEAD = 720, 18, 14, 150, 110, 56
FONT = 'font-family="DejaVu Sans, sans-serif"'


def _text(x, y, text, size=12, anchor="start", weight="normal"):
    return (f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" font-weight="{weight}" '
            f'fill="#1a202c" {FONT}>{escape(text)}</text>')


def _legend(series):
    x, parts = LEFT, []
    for name, colour in zip(series, COLOURS):
        parts.append(f'<rect x="{x:.1f}" y="30" width="12" height="12" fill="{colour}"/>')
        parts.append(_text(x + 17, 41, name))
        x += 34 + 7.2 * len(name)
    return parts


def _frame(title, height, parts):
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
            f'viewBox="0 0 {WIDTH} {height}" role="img">')
    return "\n".join([head, f"<title>{escape(title)}</title>", f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
                      _text(12, 20, title, 14, weight="bold"), *parts, "</svg>"]) + "\n"


def _goal(goal, scale, bottom):
    x = LEFT + goal * scale
    return [f'<line x1="{x:.1f}" y1="{HEAD - 4}" x2="{x:.1f}" y2="{bottom}" stroke="#c53030" stroke-dasharray="4 3"/>',
            _text(x, bottom + 14, f"goal {goal:g}", 11, "middle")]


def bars(title, series, groups, goal=None, label="{:.2f}"):
    """groups: (name, a value for each of `series`; None where there is none) each."""
    values = [v for _, row in groups for v in row if v is not None] + ([goal] if goal else [])
    scale = (WIDTH - LEFT - RIGHT) / max(max(values), 1e-9)
    parts, y = _legend(series) if len(series) > 1 else [], HEAD
    for name, row in groups:
        parts.append(_text(LEFT - 8, y + len(row) * BAR / 2 + 4, name, anchor="end"))
        for value, colour in zip(row, COLOURS):
            if value is not None:
                parts.append(f'<rect x="{LEFT}" y="{y}" width="{value * scale:.1f}" height="{BAR - 3}" fill="{colour}"/>')
                parts.append(_text(LEFT + value * scale + 5, y + 12, label.format(value), 11))
            y += BAR
        y += GAP
    if goal:
        parts += _goal(goal, scale, y - GAP)
    return _frame(title, y + 14, parts)


def stacks(title, series, groups, label="{:.0f}"):
    """One bar a group, its parts behind one another."""
    scale = (WIDTH - LEFT - RIGHT) / max(max(sum(row) for _, row in groups), 1e-9)
    parts, y = _legend(series), HEAD
    for name, row in groups:
        x = LEFT
        parts.append(_text(LEFT - 8, y + 13, name, anchor="end"))
        for value, colour in zip(row, COLOURS):
            parts.append(f'<rect x="{x:.1f}" y="{y}" width="{value * scale:.1f}" height="{BAR - 3}" fill="{colour}"/>')
            x += value * scale
        parts.append(_text(x + 5, y + 12, label.format(sum(row)), 11))
        y += BAR + GAP // 2
    return _frame(title, y + 10, parts)
