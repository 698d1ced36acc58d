"""Rules on hand-written C: function lengths, a test for each source, banned functions, literals, line shape.

Each rule takes a Tree and returns findings, one line each: "path:line: what is wrong".
"""
import re
import statistics
from pathlib import PurePosixPath

import c_scan

MAX_FUNCTION_LINES = 70
MAX_MEDIAN_LINES = 15
MANY_LINES = 45
MAX_SHARE_MANY = 0.10
MAX_COLUMNS = 110
MAX_PLAIN_LITERAL = 8
NOTHING = c_scan.Token("", "", 0)
UNTESTED = "tests/structure/untested.txt"

# What to call instead; IO_ONLY are for src/io, everything else gets time and randomness as arguments.
BANNED = {
    "strcpy": "memcpy with a checked length", "strcat": "memcpy with a checked length",
    "strncpy": "memcpy with a checked length", "strncat": "memcpy with a checked length",
    "sprintf": "snprintf", "vsprintf": "vsnprintf", "gets": "getline", "strtok": "strtok_r",
    "atoi": "strtoull with its end checked", "atol": "strtoull with its end checked",
    "atoll": "strtoull with its end checked", "atof": "strtod with its end checked",
    "alloca": "a fixed buffer", "setjmp": "an error return", "longjmp": "an error return",
    "system": "posix_spawn", "popen": "posix_spawn", "tmpnam": "mkstemp", "mktemp": "mkstemp",
    "localtime": "localtime_r", "gmtime": "gmtime_r", "ctime": "strftime", "asctime": "strftime",
}
IO_ONLY = {
    "rand": "the caller's generator", "srand": "the caller's generator", "random": "the caller's generator",
    "drand48": "the caller's generator", "getrandom": "the caller's generator",
    "getentropy": "the caller's generator",
    "time": "a time argument", "gettimeofday": "a time argument", "clock_gettime": "a time argument",
    "clock": "a time argument",
}


def sources(tree, folder="src/"):
    return [p for p in tree.hand_written_c() if p.startswith(folder)]


def function_lengths(tree):
    found, lengths = [], []
    for path in tree.hand_written_c():
        for function in c_scan.functions(tree.text(path)):
            if path.startswith("src/"):
                lengths.append(function.lines)
            if function.lines > MAX_FUNCTION_LINES:
                found.append(f"{path}:{function.line}: {function.name} has {function.lines} lines; "
                             f"none may have more than {MAX_FUNCTION_LINES}")
    if lengths and statistics.median(lengths) > MAX_MEDIAN_LINES:
        found.append(f"src: the median function has {statistics.median(lengths)} lines; "
                     f"at most {MAX_MEDIAN_LINES}")
    many = sum(n > MANY_LINES for n in lengths)
    if many > MAX_SHARE_MANY * len(lengths):
        found.append(f"src: {many} of {len(lengths)} functions have more than {MANY_LINES} lines; "
                     "at most one in ten")
    return found


def wanted_test(path):
    name = PurePosixPath(path)
    return f"tests/unit/{name.parent.name}_{name.stem}_test.c"


def unit_tests(tree):
    """src/x/y.c has tests/unit/x_y_test.c; cli commands and Ragel output are tested as wholes. The list of
    exceptions may only shrink: an entry that is tested or gone is a finding."""
    excused = [line for line in tree.lines(UNTESTED) if line and not line.startswith("#")] \
        if UNTESTED in tree.paths else []
    needing = [p for p in sources(tree) if p.endswith(".c") and not p.startswith("src/cli/")]
    missing = [p for p in needing if wanted_test(p) not in tree.paths]
    return [f"{p}:1: has no {wanted_test(p)}" for p in missing if p not in excused] \
        + [f"{UNTESTED}:1: {p} needs no exception any more" for p in excused if p not in missing]


def banned_functions(tree):
    found = []
    for path in sources(tree):
        banned = BANNED if path.startswith("src/io/") else {**BANNED, **IO_ONLY}
        code = c_scan.code_tokens(tree.text(path))
        for before, token, after in zip((NOTHING, *code), code, code[1:]):
            if after.text == "(" and token.text in banned and before.text not in ("->", ".", "*"):
                found.append(f"{path}:{token.line}: calls {token.text}; use {banned[token.text]}")
    return found


def cites_rfc(lines, number):
    """Whether line `number` (from 1) or the comment just above it cites an RFC."""
    cite = re.compile(r"\bRFC \d+")
    if cite.search(lines[number - 1]):
        return True
    above = number - 2
    while above >= 0 and re.match(r"\s*(/\*|\*|//)", lines[above]):
        if cite.search(lines[above]):
            return True
        above -= 1
    return False


NAMED_CONSTANT = re.compile(
    r"^\s*(#\s*define\s+[A-Z]\w*\s|static\s+const\s|(enum\s*\{\s*)?[A-Z][A-Z0-9_]*\s*=)")


def literals(tree):
    """No number of the protocol is typed by hand in the engine: an integer above 8 is a shift count, or a
    named constant beside the RFC it comes from."""
    found = []
    for path in sources(tree, "src/wire/") + sources(tree, "src/link/"):
        lines = tree.lines(path)
        for before, token in numbers_with_before(tree.text(path)):
            value = c_scan.number_value(token.text)
            if value is None or value <= MAX_PLAIN_LITERAL or before in ("<<", ">>", "<<=", ">>="):
                continue
            if NAMED_CONSTANT.match(lines[token.line - 1]) and cites_rfc(lines, token.line):
                continue
            found.append(f"{path}:{token.line}: literal {token.text}: take it from generated/link, "
                         "or name a constant and cite its RFC")
    return found


def numbers_with_before(text):
    for token in c_scan.tokens(text):
        if token.kind == "directive":
            # A directive's body is C as well; blank the # so that it scans as such.
            for before, number in numbers_with_before(token.text.replace("#", " ", 1)):
                yield before, number._replace(line=number.line + token.line - 1)
    code = c_scan.code_tokens(text)
    for before, token in zip((NOTHING, *code), code):
        if token.kind == "number":
            yield before.text, token


def line_shape(tree):
    """At most so many columns, but for aligned tables, which stand under "clang-format off"."""
    found = []
    for path in tree.hand_written_c():
        is_table = False
        for number, line in enumerate(tree.lines(path), 1):
            if "clang-format o" in line:
                is_table = "clang-format off" in line
            if len(line) > MAX_COLUMNS and not is_table:
                found.append(f"{path}:{number}: {len(line)} columns; at most {MAX_COLUMNS}")
            if "\t" in line or line != line.rstrip():
                found.append(f"{path}:{number}: tab or trailing blank")
    return found


LEFT_OPEN = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")


def left_open(tree):
    return [f"{path}:{number}: {LEFT_OPEN.search(line).group()} left open" for path in tree.hand_written_c()
            for number, line in enumerate(tree.lines(path), 1) if LEFT_OPEN.search(line)]


def header_guards(tree):
    found = []
    for path in sources(tree):
        if path.endswith(".h"):
            name = PurePosixPath(path)
            guard = f"PL_{name.parent.name}_{name.stem}_H".upper().replace("-", "_")
            if not re.search(rf"^#ifndef {guard}\n#define {guard}$", tree.text(path), re.MULTILINE):
                found.append(f"{path}:1: has no guard {guard}")
    return found
