"""The dependency rule of docs/architecture.md: which folder may include which, which library belongs to whom,
and what the engine's archives may leave undefined.

    generated/link <- wire, crypto <- link <- {node, device} <- api <- cli
    generated/link <- wire, crypto <- capture <- cli
    store and io see only generated/link's errors and numbers; node and device use both.
"""
import subprocess
from pathlib import Path

import c_scan

BASE = {"generated"}
ENGINE = BASE | {"wire", "crypto", "link"}
# Folder -> what it may include beside its own folder: folders, or single headers.
MAY_INCLUDE = {
    "generated": set(),
    "wire": BASE,
    "crypto": BASE,
    "link": BASE | {"wire", "crypto"},
    "io": {"link/link_types.h", "link/link_limits.h", "link/link_varint.h"},
    "store": {"link/link_types.h", "link/link_limits.h", "link/link_varint.h", "io/text.h"},
    "node": ENGINE | {"store", "io"},
    "device": ENGINE | {"store", "io"},
    "api": ENGINE | {"store", "io", "node", "device", "purelink.h"},
    # Looking at captures: no part of the library, and nothing of it knows links, stores or sockets.
    "capture": BASE | {"wire", "crypto", "io/text.h", "io/file.h", "io/address.h", "io/keylog.h"},
    # The commands use the public interface; send reads its input by lines, which is no part of it.
    "cli": {"purelink.h", "store/inspect.h", "node/status.h", "io/lines.h", "io/place.h", "capture"},
}
# A foreign library's header -> the only folders that may include it.
OWNERS = {
    "openssl/": {"crypto"}, "lmdb.h": {"store"}, "nettle/": set(),
    "sys/socket.h": {"io"}, "netinet/": {"io"}, "netdb.h": {"io"}, "arpa/": {"io"}, "sys/epoll.h": {"io"},
}
# What a C compiler and <string.h>, <assert.h> may leave undefined; nothing here reads a clock, allocates or
# does I/O.
PURE_SYMBOLS = {"memcpy", "memmove", "memset", "memcmp", "memchr", "strlen", "__assert_fail",
                "__stack_chk_fail", "_GLOBAL_OFFSET_TABLE_", "__memcpy_chk", "__memset_chk", "__memmove_chk"}
# Archive -> archives that may define what it leaves undefined.
SANS_IO = {"wire": {"wire", "link_gen"}, "link": {"link", "wire", "crypto", "link_gen"}}


def layer_of(path):
    if path.startswith("generated/link/"):
        return "generated"
    parts = path.split("/")
    return parts[1] if parts[0] == "src" and len(parts) > 2 else None


def target_of(tree, header):
    """The layer an include names. generated/link and src/link share the prefix link/: the generated files are
    link_*.h, and no hand-written one may be called so."""
    if f"generated/{header}" in tree.paths or header.startswith("link/link_"):
        return "generated"
    return header.split("/")[0]


def dependencies(tree):
    found = []
    for path in (p for p in tree.paths if p.endswith((".c", ".h", ".rl")) and layer_of(p)):
        layer = layer_of(path)
        for line, is_system, header in c_scan.includes(tree.text(path)):
            if is_system:
                continue
            found += [f"{path}:{line}: {problem}" for problem in include_problems(tree, layer, header)]
    return found


def include_problems(tree, layer, header):
    if layer not in MAY_INCLUDE:
        return [f"src/{layer} is not a folder of docs/architecture.md"]
    allowed, target = MAY_INCLUDE[layer], target_of(tree, header)
    if header in allowed or target == layer or target in allowed:
        return []
    if layer == "generated" and "/" not in header:
        return []
    return [f"{layer} may not include {header}"]


def crosscheck_apart(tree):
    """The second implementation sees no header of the product, nor the product one of its."""
    own = {Path(p).name for p in tree.paths if p.startswith(("crosscheck/", "generated/crosscheck/"))}
    found = []
    for path in (p for p in tree.paths if p.endswith((".c", ".h"))):
        is_own = path.startswith(("crosscheck/", "generated/crosscheck/"))
        for line, is_system, header in c_scan.includes(tree.text(path)):
            if is_own and (header == "purelink.h" or not is_system and Path(header).name not in own):
                found.append(f"{path}:{line}: {header} is not of crosscheck/ or generated/crosscheck/")
            if not is_own and "crosscheck/" in header:
                found.append(f"{path}:{line}: {header} is the second implementation's")
    return found


def foreign_headers(tree):
    found = []
    for path in (p for p in tree.paths if p.endswith((".c", ".h", ".rl")) and layer_of(p)):
        for line, is_system, header in c_scan.includes(tree.text(path)):
            for prefix, owners in OWNERS.items():
                if is_system and header.startswith(prefix) and layer_of(path) not in owners:
                    owner = f"src/{', src/'.join(owners)}" if owners else "nobody"
                    found.append(f"{path}:{line}: <{header}> belongs to {owner}")
    return found


def symbols(archive, kinds):
    out = subprocess.run(["nm", "-P", "-g", str(archive)], check=True, capture_output=True, text=True).stdout
    rows = (line.split() for line in out.splitlines())
    return {row[0] for row in rows if len(row) > 1 and row[1] in kinds}


def undefined_symbols(tree, libraries):
    """`libraries` is the folder of the layer archives; one whose sources exist must have been built."""
    found = []
    for name, providers in SANS_IO.items():
        if not any(p.startswith(f"src/{name}/") and p.endswith(".c") for p in tree.paths):
            continue
        archive = Path(libraries, f"{name}.a")
        if not archive.exists():
            found.append(f"{name}.a: not built")
            continue
        provided = set().union(*(symbols(Path(libraries, f"{p}.a"), "TDBRVWC") for p in providers
                                 if Path(libraries, f"{p}.a").exists()))
        for symbol in sorted(symbols(archive, "U") - provided - PURE_SYMBOLS):
            found.append(f"{name}.a: needs {symbol}, which is in none of {', '.join(sorted(providers))}")
    return found
