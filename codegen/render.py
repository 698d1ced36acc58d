"""Writes the output: templates filled with views, and what ragel makes of its input."""

import os
import re
import resource
import subprocess

import jinja2

from . import view_dissector, view_docs, view_fuzz, view_promela, view_states, view_table, view_tests
from .cnames import c_string
from .views import Views

TEMPLATES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "templates")
TOOL_BYTES = 1 << 30
TOOL_SECONDS = 60


class ToolError(Exception):
    """ragel or dot is missing or failed."""


def environment():
    env = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    env.filters["c_string"] = c_string
    env.filters["lua_string"] = view_dissector.lua_string
    env.filters["c_comment"] = lambda text: str(text).replace("*/", "* /").replace("/*", "/ *")
    return env


def tidy(text):
    """No trailing blanks, no two empty lines together, one line end at the end."""
    text = re.sub(r"[ \t]+\n", "\n", text)
    text = re.sub(r"\n{3,}", "\n\n", text)
    text = re.sub(r"\{\n\n", "{\n", text)
    text = re.sub(r"\n\n(\s*)\}", r"\n\1}", text)
    return wrap_long(text.strip("\n") + "\n")


def wrap_long(text, limit=110):
    """Break long lines of parameters and comments at a comma or blank."""
    out = []
    for line in text.split("\n"):
        while (
            len(line) > limit
            and "{{" not in line
            and not re.match(r"\s*(/\* \d|#|//|case|return \"|\{)", line)
        ):
            cut = best_cut(line, limit)
            if cut is None:
                break
            head, line = line[:cut].rstrip(), continuation(line, cut)
            out.append(head)
        out.append(line)
    return "\n".join(out)


def best_cut(line, limit):
    indent = len(line) - len(line.lstrip())
    if line.lstrip().startswith(("* ", "/* ")):
        cut = line.rfind(" ", indent + 8, limit)
        return cut if cut > 0 else None
    if '"' in line:
        return None
    comment = line.find("/*")
    for mark in (", ", " && ", " || ", " + "):
        cut = line.rfind(mark, indent + 20, limit if comment < 0 else min(limit, comment))
        if cut > 0:
            return cut + (2 if mark == ", " else 1)
    return None


def continuation(line, cut):
    rest = line[cut:].lstrip()
    indent = len(line) - len(line.lstrip())
    if line.lstrip().startswith(("* ", "/* ")):
        return " " * indent + (" * " if line.lstrip().startswith("/* ") else "* ") + rest
    open_at = line.rfind("(", 0, cut)
    depth = line[:cut].count("(") - line[:cut].count(")")
    while depth > 0 and open_at > 0 and line[open_at:cut].count(")") > line[open_at + 1 : cut].count("("):
        open_at = line.rfind("(", 0, open_at)
    column = open_at + 1 if depth > 0 and 0 < open_at < 80 else indent + 4
    return " " * column + rest


class Output:
    """Files written below one directory, in memory first."""

    def __init__(self):
        self.files = {}

    def add(self, path, text):
        self.files[path] = text

    def write(self, root):
        for path, text in sorted(self.files.items()):
            full = os.path.join(root, path)
            os.makedirs(os.path.dirname(full), exist_ok=True)
            with open(full, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)


C_FILES = (
    "types.h",
    "errors.c",
    "varint.h",
    "limits.h",
    "registry.c",
    "get.h",
    "put.h",
    "structs.h",
    "structs.c",
    "items.h",
    "items.c",
    "frames.h",
    "decode.rl",
    "encode.c",
    "size.c",
    "validate.c",
    "print.c",
)
STATE_FILES = ("states.h", "states.c")


def c_files(model, output):
    """All C but what ragel makes."""
    directory = model.name.snake
    views = Views(model, directory)
    env = environment()
    context = views.common()
    context["machines"] = [view_states.machine(m, views.names) for m in model.machines]
    context["use"] = printers_used(context)
    for name in C_FILES + (STATE_FILES if model.machines else ()):
        guard = f"{views.names.up}_{directory.upper()}_{name.split('.')[0].upper()}_H"
        text = env.get_template(name + ".j2").render(context | {"guard": guard})
        output.add(f"{directory}/{model.name.snake}_{name}", tidy(text))
    return views


TEST_FILES = (
    "vectors.h",
    "vectors.c",
    "vectors_test.c",
    "rejects_test.c",
    "borders_test.c",
    "states_test.c",
    "names_test.c",
)


def test_files(model, output):
    """Criterion tests of everything the spec says by example or by a border."""
    views = Views(model, model.name.snake)
    env = environment()
    context = views.common() | view_tests.TestViews(model).common()
    context["machines"] = [test_machine(m, views.names) for m in model.machines]
    for name in TEST_FILES:
        if name == "states_test.c" and not model.machines:
            continue
        guard = f"{views.names.up}_TESTS_{name.split('.')[0].upper()}_H"
        text = env.get_template(f"tests/{name}.j2").render(context | {"guard": guard})
        output.add(f"tests/{model.name.snake}_{name}", tidy(text))


def test_machine(machine, names):
    view = view_states.machine(machine, names)
    timed = {t["state"] for t in view["timers"]}
    return view | {
        "rows": view_tests.machine_rows(machine, view),
        "fact_rows": view_tests.fact_rows(machine, view),
        "untimed": [s["c"] for s in view["states"] if s["c"] not in timed],
        "initial_name": machine.states[machine.initial].name.text,
    }


def crosscheck_files(model, output):
    """The tables of the second codec."""
    text = environment().get_template("crosscheck/table.c.j2").render(view_table.Table(model).common())
    output.add(f"crosscheck/{model.name.snake}_table.c", tidy(text))


def dissector(model, output):
    """The Lua that Wireshark loads."""
    text = environment().get_template("wireshark/dissector.lua.j2").render(view_dissector.common(model))
    output.add(f"wireshark/{model.title}.lua", re.sub(r"\n{3,}", "\n\n", re.sub(r"[ \t]+\n", "\n", text)))


def promela(model, output):
    """The machines for Spin; none without machines."""
    if model.machines:
        names = Views(model, model.name.snake).names
        context = view_promela.common(model, names)
        text = environment().get_template("promela/machines.pml.j2").render(context)
        text = re.sub(r"\n{3,}", "\n\n", re.sub(r"[ \t]+\n", "\n", text))
        output.add(f"promela/{model.name.snake}.pml", text)


def fuzz_files(model, output):
    for path, text in view_fuzz.files(model).items():
        output.add(path, text)


def printers_used(context):
    lines = "\n".join(line for x in context["prints"] for line in x["prints"])
    return {kind: f"_print_{kind}(" in lines for kind in ("text", "uint", "code", "bytes", "string")}


def documents(model, output):
    """The reference, the diagrams' sources, and the model for other tools."""
    text = environment().get_template("reference.md.j2").render(view_docs.common(model))
    output.add(
        f"docs/{model.name.snake}.md",
        re.sub(r"\n{3,}", "\n\n", re.sub(r"[ \t]+\n", "\n", text)).strip("\n") + "\n",
    )
    for machine in model.machines:
        output.add(f"docs/{model.name.snake}_{machine.name.snake}.dot", view_docs.dot(machine))
    output.add(f"{model.name.snake}/{model.name.snake}_model.json", view_docs.to_json(model))


def diagrams(root, model):
    """Run dot on each machine's graph; the comment with Graphviz' version is left out."""
    for machine in model.machines:
        base = os.path.join(root, "docs", f"{model.name.snake}_{machine.name.snake}")
        done = run(["dot", "-Tsvg", base + ".dot"], root, "graphviz")
        svg = re.sub(r"<!-- Generated by graphviz.*?-->\n", "", done.stdout, flags=re.DOTALL)
        with open(base + ".svg", "w", encoding="utf-8", newline="\n") as file:
            file.write(svg)


def ragel(root, model, style="-G2"):
    """Run ragel on the decoder below root; its input's path must not show in the output."""
    name = f"{model.name.snake}_decode"
    directory = os.path.join(root, model.name.snake)
    command = ["ragel", "-C", style, "-L", "-o", f"{name}.c", f"{name}.rl"]
    run(command, directory, "ragel")


def run(command, directory, package):
    """Run a tool under limits of memory and time; its failure is a ToolError that says what to do."""
    tool = command[0]
    try:
        done = subprocess.run(
            command,
            cwd=directory,
            capture_output=True,
            text=True,
            timeout=TOOL_SECONDS,
            preexec_fn=limit_memory,
            check=False,
        )
    except FileNotFoundError:
        raise ToolError(f"{tool} is not installed (Debian: apt-get install {package})") from None
    except subprocess.TimeoutExpired:
        raise ToolError(f"{tool} took longer than {TOOL_SECONDS} s") from None
    if done.returncode != 0:
        raise ToolError(f"{tool} failed:\n{done.stderr.strip()}")
    return done


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (TOOL_BYTES, TOOL_BYTES))
