"""Command line: python3 -m codegen SPEC --out DIR [--check-only] [--no-tools], or diff OLD NEW."""

import argparse
import os
import sys

from . import checker, diff, reader, render, source


def load(path):
    """The checked model of a spec, or SpecError after its errors were printed."""
    text, found = source.load(path)
    try:
        found.stop_if_any()
        spec = reader.read(text, found)
        return checker.check(spec, text, found)
    except source.SpecError:
        print(found.text(), file=sys.stderr)
        raise


def generate(model, out, tools=True):
    output = render.Output()
    render.c_files(model, output)
    render.test_files(model, output)
    render.crosscheck_files(model, output)
    render.dissector(model, output)
    render.fuzz_files(model, output)
    render.promela(model, output)
    render.documents(model, output)
    output.write(out)
    if tools:
        render.ragel(out, model)
        render.diagrams(os.path.abspath(out), model)


def main_diff(arguments):
    """0: nothing breaks; 1: something does; 2: a spec is wrong or missing."""
    parser = argparse.ArgumentParser(
        prog="codegen diff", description="Tell what a change of a spec breaks, with witnesses in hex."
    )
    parser.add_argument("old")
    parser.add_argument("new")
    options = parser.parse_args(arguments)
    try:
        breaks, notes = diff.compare(load(options.old), load(options.new))
    except source.SpecError:
        return 2
    except OSError as error:
        print(f"codegen: error: {error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    print("\n".join(diff.report(breaks, notes)))
    return 1 if breaks else 0


def main(arguments=None):
    arguments = sys.argv[1:] if arguments is None else arguments
    if arguments[:1] == ["diff"]:
        return main_diff(arguments[1:])
    parser = argparse.ArgumentParser(
        prog="codegen", description="Generate C, tests and documents from a wire spec."
    )
    parser.add_argument("spec", help="the spec, such as spec/link.wire")
    parser.add_argument("--out", default="generated", help="where the output goes (default: generated)")
    parser.add_argument("--check-only", action="store_true", help="check the spec and write nothing")
    parser.add_argument("--no-tools", action="store_true", help="do not run ragel and dot")
    options = parser.parse_args(arguments)
    try:
        model = load(options.spec)
        if not options.check_only:
            generate(model, options.out, not options.no_tools)
    except source.SpecError:
        return 1
    except render.ToolError as error:
        print(f"codegen: error: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"codegen: error: {error.filename}: {error.strerror}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
