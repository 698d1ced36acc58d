"""Devices and nodes of both implementations behind the same few methods."""
import base64
import collections
import ctypes
import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import time

BUILD = pathlib.Path(os.environ.get("BUILD", "build")).resolve()
PURELINK = BUILD / "purelink"
TRACED = BUILD / "interop"  # the product with tests/interop/trace.c
CROSSCHECK = BUILD / "crosscheck"
LIMIT_S = 90
END_S = 10
REFUSED = 78
SUITES = {1: "aes-128-gcm", 2: "chacha20-poly1305"}


def purelink(*args, **more):
    return subprocess.run([PURELINK, *map(str, args)], capture_output=True, timeout=LIMIT_S, **more)


def frame(records):
    return b"".join(struct.pack(">I", len(r)) + r for r in records)


def unframe(data):
    records, at = [], 0
    while at < len(data):
        size, = struct.unpack_from(">I", data, at)
        records.append(data[at + 4:at + 4 + size])
        at += 4 + size
    return records


def numbered(data):
    """xc-node's files: each record behind its number and its size."""
    records, at = [], 0
    while at < len(data):
        number, size = struct.unpack_from(">QI", data, at)
        records.append((number, data[at + 12:at + 12 + size]))
        at += 12 + size
    return records


class Key:
    def __init__(self, path):
        self.path = path
        purelink("genkey", path)
        self.public = purelink("pubkey", path).stdout.decode().strip()


class Side:
    """A process that ends with the test."""
    process = None

    def kill(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def end(self):
        """Lets it end by itself if it can: what it does then is part of the product too."""
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(END_S)
            except subprocess.TimeoutExpired:
                self.kill()

    def wait(self):
        return self.process.wait(LIMIT_S)


class Node(Side):
    """Listens on one port, the same after each start."""

    def __init__(self, cell):
        self.cell, self.port = cell, 0

    def launch(self, command):
        err = open(self.cell.dir / "node.err", "w+")
        self.process = subprocess.Popen([str(c) for c in command], stderr=err, env=self.cell.environment("node"))
        deadline = time.monotonic() + LIMIT_S
        while not re.search(": ready.*\n", said := pathlib.Path(err.name).read_text()):
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise AssertionError(f"the node is not ready: {said}")
            time.sleep(0.01)
        self.port = int(said.split("listening on ")[1].split()[0].rstrip(",").rsplit(":", 1)[1])

    def listen(self):
        return f"{self.cell.host}:{self.port}"


class ProductNode(Node):
    def start(self):
        senders = self.cell.dir / "senders"
        senders.write_text("".join(f"d{i} {key.public}\n" for i, key in enumerate(self.cell.keys)))
        self.launch([TRACED / "purelink", "serve", "--key", self.cell.node_key.path, "--senders", senders, "--store",
                     self.cell.dir / "store", "--listen", self.listen()])

    def held(self):
        """{(device, stream): [(number, record)]} in the order of storing; and the numbers that are lost."""
        held, lost = collections.defaultdict(list), []
        for line in purelink("tail", "--store", self.cell.dir / "store", "--json").stdout.splitlines():
            entry = json.loads(line)
            if entry.get("kind") == "lost":
                lost.append((entry["number"], entry["number_to"]))
                continue
            data = base64.b64decode(entry["base64"]) if "base64" in entry else entry["data"].encode()
            held[int(entry["name"][1:]), entry["stream"]].append((entry["number"], data))
        return dict(held), lost


class CrossNode(Node):
    def start(self):
        self.out = self.cell.dir / f"out{time.monotonic_ns()}"
        self.out.mkdir()
        more = [part for key in self.cell.keys for part in ("--peer-key", key.public)]
        self.launch([CROSSCHECK / "xc-node", "--key", self.cell.node_key.path, "--listen", self.listen(), "--suite",
                     self.cell.suite, "--out", self.out, "--store", self.cell.dir / "store", "--trace",
                     self.cell.new_trace(), *self.cell.options.get("node", []), *more])

    def held(self):
        self.process.terminate()
        if self.wait() != 0:
            raise AssertionError("xc-node: " + (self.cell.dir / "node.err").read_text())
        held = collections.defaultdict(list)
        for path in sorted(self.out.iterdir()):
            device, name, _ = path.name.split(".")
            held[int(device), bytes.fromhex(name).decode()] += numbered(path.read_bytes())
        said = [line.split() for line in (self.cell.dir / "node.err").read_text().splitlines() if " are lost" in line]
        return dict(held), [(int(words[6]), int(words[8])) for words in said]


class Device(Side):
    """start() begins to send the records of one device: {stream: [record]}; start() again goes on after a kill."""

    def __init__(self, cell, index):
        self.cell, self.index = cell, index

    def launch(self, command, stdin=subprocess.DEVNULL):
        err = open(self.cell.dir / f"device{self.index}.err", "a")
        self.process = subprocess.Popen([str(c) for c in command], stderr=err, stdin=stdin,
                                        env=self.cell.environment("device"))

    def target(self):
        return f"{self.cell.host}:{self.cell.to_port}"


class ProductDevice(Device):
    def start(self, streams, part="", timeout_s=LIMIT_S - 10):
        path = self.cell.dir / f"records{self.index}{part}"
        key, outbox = self.cell.keys[self.index].path, self.cell.dir / f"box{self.index}"
        options = self.cell.options
        upto = options.get("give_up", 0)
        if upto or options.get("patient") or len(streams) > 1:
            path.write_bytes(b"".join(frame([name.encode(), record]) for name, records in streams.items()
                                      for record in records))
            self.launch([sys.executable, __file__, key, self.target(), self.cell.node_key.public, outbox, path,
                         upto, SUITES[self.cell.suite], int(options.get("patient", False))])
            return
        (name, records), = streams.items()
        path.write_bytes(frame(records))
        self.launch([TRACED / "purelink", "send", "--key", key, "--node", self.target(), "--node-key",
                     self.cell.node_key.public, "--outbox", outbox, "--stream", name, "--timeout", timeout_s,
                     "--framed", "--resume", path, "--suite", SUITES[self.cell.suite]])


class CrossDevice(Device):
    def start(self, streams):
        names = list(streams)
        path = self.cell.dir / f"records{self.index}"
        longest = max(len(records) for records in streams.values())
        path.write_bytes(frame(records[i] for i in range(longest) for records in streams.values() if i < len(records)))
        many = ["--stream", names[0].rsplit("-", 1)[0], "--streams", len(names)] if len(names) > 1 else \
               ["--stream", names[0]]
        self.launch([CROSSCHECK / "xc-device", "--key", self.cell.keys[self.index].path, "--node", self.target(),
                     "--node-key", self.cell.node_key.public, "--suite", self.cell.suite, "--timeout",
                     self.cell.timeout_s, "--outbox", self.cell.dir / f"box{self.index}", "--trace",
                     self.cell.new_trace(), *self.cell.options.get("device", []), *many, path])


class Config(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("private_key", ctypes.c_char_p), ("node_key", ctypes.c_char_p),
                ("node", ctypes.c_char_p), ("outbox", ctypes.c_char_p), ("outbox_max_bytes", ctypes.c_uint64),
                ("poll_ms", ctypes.c_uint64), ("keylog", ctypes.c_char_p), ("suite", ctypes.c_char_p)]


def send_streams(key, node, node_key, outbox, path, upto, suite, patient):
    """A device of the product with many streams, or one that gives up what was refused: more than the command can,
    so the library."""
    library = ctypes.CDLL(str(TRACED / "libpurelink.so"))
    private, public = (base64.b64decode(text) for text in (pathlib.Path(key).read_text(), node_key))
    config = Config(ctypes.sizeof(Config), private, public, node.encode(), outbox.encode(), 0, 0, None, suite.encode())
    sender, reason = ctypes.c_void_p(), ctypes.create_string_buffer(240)
    if library.purelink_sender_open(ctypes.byref(sender), ctypes.byref(config), reason) != 0:
        raise SystemExit(reason.value.decode())
    parts = unframe(pathlib.Path(path).read_bytes())
    for name, record in zip(parts[::2], parts[1::2]):
        if library.purelink_sender_put(sender, name, record, ctypes.c_size_t(len(record))) != 0:
            raise SystemExit("not put: " + name.decode())
    status = library.purelink_sender_commit(sender, reason)
    status = status or library.purelink_sender_run(sender, ctypes.c_int64((LIMIT_S - 10) * 1000))
    deadline = time.monotonic() + LIMIT_S - 10
    while status == REFUSED and int(patient) and time.monotonic() < deadline:
        time.sleep(0.01)
        status = library.purelink_sender_run(sender, ctypes.c_int64(1000))
    if status == REFUSED and int(upto) > 0:
        status = library.purelink_sender_drop(sender, parts[0], ctypes.c_uint64(int(upto)), reason)
        status = status or library.purelink_sender_run(sender, ctypes.c_int64((LIMIT_S - 10) * 1000))
    library.purelink_sender_close(sender)
    return status


if __name__ == "__main__":
    sys.exit(send_streams(*sys.argv[1:]))
