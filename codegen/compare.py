"""Compares freshly generated files with the committed ones: python3 -m codegen.compare FRESH COMMITTED."""

import difflib
import os
import sys

SHOWN_LINES = 20


def files(root):
    return {
        os.path.relpath(os.path.join(folder, name), root)
        for folder, _, names in os.walk(root)
        for name in names
    }


def read(root, path):
    with open(os.path.join(root, path), "rb") as file:
        return file.read()


def differences(fresh, committed):
    """One text for each file that is missing, extra or different.

    SVG differs with the version of Graphviz and the fonts: the .dot beside it counts."""
    here, there = files(fresh), files(committed)
    out = [f"{path}: not committed" for path in sorted(here - there)]
    out += [f"{path}: no longer generated; remove it" for path in sorted(there - here)]
    for path in sorted(here & there):
        new, old = read(fresh, path), read(committed, path)
        if new != old and not path.endswith(".svg"):
            lines = difflib.unified_diff(
                old.decode(errors="replace").splitlines(),
                new.decode(errors="replace").splitlines(),
                "committed",
                "fresh",
                lineterm="",
                n=1,
            )
            out.append("\n  ".join([f"{path}: differs"] + list(lines)[:SHOWN_LINES]))
    return out


def main():
    found = differences(sys.argv[1], sys.argv[2])
    for text in found:
        print(text)
    if found:
        print(f"{len(found)} generated files are stale: run make generate and commit them", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
