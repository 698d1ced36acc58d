"""What may happen between a device and a node, and what must be held then: the cells of `make interop`. The judge:
what the node holds is what was given, per stream, in order, once."""
import collections
import os
import random
import shutil
import time

import sides
from proxy import Proxy

DEVICES = {"product": sides.ProductDevice, "crosscheck": sides.CrossDevice}
NODES = {"product": sides.ProductNode, "crosscheck": sides.CrossNode}
PAIRS = [(device, node) for device in DEVICES for node in NODES]
EDGES = [0, 1, 63, 64, 300, 16_383, 16_384, 70_000, 1 << 20]


def one_stream(seed, more=0):
    """One device, one stream: every size at an edge up to 1 MiB, in any order, and small ones between."""
    r = random.Random(seed)
    sizes = EDGES + [r.randrange(200) for _ in range(200)] + [r.randrange(20_000) for _ in range(more)]
    r.shuffle(sizes)
    return [{"s": [r.randbytes(size) for size in sizes]}]


def hundred_streams(seed):
    """A link has at most 64 streams, so two devices with fifty each."""
    r = random.Random(seed)
    return [{f"s-{i}": [r.randbytes(r.randrange(3000))] for i in range(50)} for _ in range(2)]


def expect_same(given, held, lost):
    """{(device, stream): [(number, record)]} on both sides: the same streams, records and numbers in that order."""
    for where in sorted(given.keys() | held.keys()):
        want, have = given.get(where, []), held.get(where, [])
        at = next((i for i, (a, b) in enumerate(zip(want, have)) if a != b), min(len(want), len(have)))
        assert want == have, f"{where}: {len(have)} records instead of {len(want)}; record {at + 1} differs"
    assert not lost, f"lost: {lost}"


def blind_spots():
    """Faults that the judge does not see; none."""
    good = [(1, b"a"), (2, b"b"), (3, b"c")]
    faults = {"lost at the end": (good[:2], []), "lost": (good[:1] + good[2:], []), "twice": (good + good[2:], []),
              "out of order": ([good[1], good[0], good[2]], []), "altered": (good[:2] + [(3, b"C")], []),
              "numbered anew": ([(n + 1, r) for n, r in good], []), "told as lost": (good, [(4, 4)])}
    for name, (held, lost) in [*faults.items(), ("another stream", (good, []))]:
        try:
            expect_same({(0, "s"): good}, {(0, "t" if name == "another stream" else "s"): held}, lost)
        except AssertionError:
            continue
        yield name
    expect_same({(0, "s"): good}, {(0, "s"): good}, [])


class Cell:
    """One device and node, in a folder of its own, with what they share."""

    def __init__(self, directory, device, node, data, host="127.0.0.1", suite=1, rough=False, timeout_s=80, seed=1,
                 slow_s=0, options=()):
        self.dir, self.data, self.host, self.suite, self.timeout_s = directory, data, host, suite, timeout_s
        self.traces, self.options = [], dict(options)  # frames as xc-node and xc-device saw them
        self.started = 0
        self.node_key = sides.Key(directory / "node.key")
        self.keys = [sides.Key(directory / f"d{i}.key") for i in range(len(data))]
        self.node = NODES[node](self)
        self.node.start()
        self.proxy = Proxy(host, self.node.port, rough, seed, slow_s)
        self.to_port = self.proxy.port if "direct" not in self.options else self.node.port
        self.devices = [DEVICES[device](self, i) for i in range(len(data))]

    def new_trace(self):
        self.traces.append(self.dir / f"trace{len(self.traces)}")
        return self.traces[-1]

    def environment(self, side):
        """Of a process of the product: where it notes its transitions, and limits that the cell sets."""
        self.started += 1
        limits = {**self.options.get("limits", {}), **self.options.get(side + " limits", {})}
        if self.options.get("full"):
            limits["FULL"] = self.dir / "full"
        return {**os.environ, "PURELINK_TRACE": str(self.dir / f"states-{self.started}"),
                **{f"PURELINK_TRACE_{name}": str(value) for name, value in limits.items()}}

    def start(self):
        for device, streams in zip(self.devices, self.data):
            device.start(streams)

    def finish(self, status=0):
        for device in self.devices:
            ended = device.wait()
            said = (self.dir / f"device{device.index}.err").read_text()
            assert ended == status, f"the device ended with {ended}, not {status}: {said}"

    def judge(self, data=None):
        given = {(i, name): list(enumerate(records, 1)) for i, streams in enumerate(data or self.data)
                 for name, records in streams.items()}
        expect_same(given, *self.node.held())

    def close(self):
        for side in [*self.devices, self.node]:
            side.end()
        self.proxy.close()


# ---- What may happen ----

def plain(cell):
    cell.start()
    cell.finish()
    cell.judge()


def after_packets(cell, count):
    """Starts the devices if none was; the proxy stands still when so many more packets went to the node."""
    passed = cell.proxy.when_passed(count)
    if all(device.process is None for device in cell.devices):
        cell.start()
    assert passed.wait(sides.LIMIT_S), "nothing in flight"


def node_restarts(cell):
    """Killed twice in mid-flight; the store is kept."""
    for packets in (150, 400):
        after_packets(cell, packets)
        cell.node.kill()
        cell.node.start()
        cell.proxy.go()
    cell.finish()
    cell.judge()


def device_restarts(cell):
    """Killed twice in mid-flight; the outbox is kept."""
    for packets in (150, 400):
        cell.devices[0].process = None
        after_packets(cell, packets)
        cell.devices[0].kill()
        cell.proxy.go()
    plain(cell)


def forget(path):
    shutil.rmtree(path) if path.is_dir() else path.unlink()


def store_lost(cell):
    """The node begins anew with nothing, in mid-flight: what it had is told as lost, the rest is stored."""
    after_packets(cell, 600)
    cell.node.kill()
    forget(cell.dir / "store")
    cell.node.start()
    cell.proxy.go()
    cell.finish()
    held, lost = cell.node.held()
    (_, have), = held.items()
    want = list(enumerate(cell.data[0]["s"], 1))
    assert lost and lost[0][0] == 1, f"nothing is told as lost: {lost}"
    assert len(lost) == 1 and have == want[lost[0][1]:], f"lost {lost}, held {len(have)} from {have[0][0]}"


def outbox_restored(cell):
    """An outbox goes back to a copy: what is given then is refused as forked, and stored under a new birth."""
    records = cell.data[0]["s"]
    first, second, third = records[:70], records[70:140], records[140:]
    box, copy = cell.dir / "box0", cell.dir / "copy"
    cell.devices[0].start({"s": first}, "first")
    cell.finish()
    shutil.copytree(box, copy)
    cell.devices[0].start({"s": second}, "second")
    cell.finish()
    shutil.rmtree(box)
    copy.rename(box)
    cell.devices[0].start({"s": third}, "third")
    cell.finish()
    held, lost = cell.node.held()
    (_, have), = held.items()
    births = [list(enumerate(first + second, 1)), list(enumerate(third, 1))]
    assert not lost and have in (births[0] + births[1], births[1] + births[0]), f"{len(have)} records, lost {lost}"


def too_large(cell):
    """A record above 1 MiB: what is before it is stored, and the stream stops."""
    cell.start()
    cell.finish(65)
    cell.judge([{"s": cell.data[0]["s"][:20]}])


def given_up(cell):
    """The same, and the device gives that record up: it is told as lost, what is behind it is stored."""
    cell.start()
    cell.finish()
    held, lost = cell.node.held()
    want = list(enumerate(cell.data[0]["s"], 1))
    assert lost == [(21, 21)] and held[0, "s"] == want[:20] + want[21:], f"lost {lost}, held {len(held[0, 's'])}"


def too_many_streams(cell):
    """Seventy streams: sixty-four are stored, the others wait."""
    cell.start()
    cell.finish(75)
    held, lost = cell.node.held()
    assert len(held) == 64 and not lost, f"{len(held)} streams"
    for (_, name), have in held.items():
        assert have == list(enumerate(cell.data[0][name], 1)), name


def reborn(cell):
    """The node says 'forked' once without a reason: what it had stored stays, the rest comes under a new birth."""
    cell.start()
    cell.finish()
    held, lost = cell.node.held()
    (_, have), = held.items()
    want = cell.data[0]["s"]
    starts = [i for i, (number, _) in enumerate(have) if number == 1]
    assert len(starts) == 2 and not lost, f"{len(starts)} births, lost {lost}"
    births = sorted([have[:starts[1]], have[starts[1]:]], key=lambda birth: birth[0] != (1, want[0]))
    first, second = ([record for _, record in birth] for birth in births)
    assert first == want[:len(first)] and second == want[-len(second):], f"{len(first)} and {len(second)} records"
    assert len(want) <= len(first) + len(second) < 2 * len(want), f"{len(first)} and {len(second)} records"


def two_with_one_key(cell):
    """Two outboxes at work with one key, both moving: the node asks both who they are, and takes now the one's run
    for the current one, now the other's."""
    cell.devices.append(sides.ProductDevice(cell, 1))
    cell.keys.append(cell.keys[0])
    records = cell.data[0]["s"]
    for device, name in zip(cell.devices, ("s", "t")):
        device.start({name: records})
    for packets in (300, 300, 300):
        after_packets(cell, packets)
        cell.proxy.move()
        cell.proxy.go()
    cell.finish()
    held, lost = cell.node.held()
    want = list(enumerate(records, 1))
    assert held == {(0, "s"): want, (0, "t"): want} and not lost, f"{[len(h) for h in held.values()]}, lost {lost}"


def several_openings(cell):
    """Given in five openings of the outbox while there is no way to the node: five lives."""
    records, to_port = cell.data[0]["s"], cell.to_port
    parts = [records[i::5] for i in range(5)]
    cell.to_port = 9
    for i, part in enumerate(parts[:4]):
        cell.devices[0].start({"s": part}, f"part{i}", 0)
        cell.finish(75)
    cell.to_port = to_port
    cell.devices[0].start({"s": parts[4]}, "part4")
    cell.finish()
    cell.judge([{"s": sum(parts, [])}])


def restored_and_more(cell):
    """As outbox_restored, but two lives wait when the node says that the first is forked."""
    records, box, copy, to_port = cell.data[0]["s"], cell.dir / "box0", cell.dir / "copy", cell.to_port
    parts = [records[i * 50:(i + 1) * 50] for i in range(4)]
    cell.devices[0].start({"s": parts[0]}, "first")
    cell.finish()
    shutil.copytree(box, copy)
    cell.devices[0].start({"s": parts[1]}, "second")
    cell.finish()
    forget(box)
    copy.rename(box)
    cell.to_port = 9
    cell.devices[0].start({"s": parts[2]}, "third", 0)
    cell.finish(75)
    cell.to_port = to_port
    cell.devices[0].start({"s": parts[3]}, "fourth")
    cell.finish()
    held, lost = cell.node.held()
    (_, have), = held.items()
    births = [list(enumerate(parts[0] + parts[1], 1)), list(enumerate(parts[2] + parts[3], 1))]
    assert not lost and have in (births[0] + births[1], births[1] + births[0]), f"{len(have)} records, lost {lost}"


def address_changes(cell):
    for packets in (100, 200, 200):
        after_packets(cell, packets)
        cell.proxy.move()
        cell.proxy.go()
    cell.finish()
    time.sleep(4)  # three time-outs of the node, which has no round trip measured: then the old address is dead
    cell.judge()


def told_too_late(cell):
    """What the node stored last it could not say before it was killed: the next process says it."""
    after_packets(cell, 600)
    cell.proxy.deaf = True
    cell.proxy.go()
    time.sleep(0.05)
    cell.node.kill()
    cell.node.start()
    cell.proxy.deaf = False
    cell.finish()
    cell.judge()


def node_comes_late(cell):
    """The node is away until the device has taken it for unreachable, and drawn another run."""
    cell.node.kill()
    cell.start()
    time.sleep(18)
    cell.node.start()
    cell.finish()
    cell.judge()


def store_full(cell):
    """There is no room until the device has heard of it for a while."""
    full = cell.dir / "full"
    after_packets(cell, 100)
    full.touch()
    cell.proxy.go()
    time.sleep(3)
    full.unlink()
    cell.finish()
    cell.judge()


def forged_at_first(cell):
    """Packets in the name of the device's first run, which is ignored before it is proven."""
    cell.proxy.spoils_first = FORGED
    plain(cell)


def forged_later(cell):
    """In the name of the current run, and, once the device was started anew, of the run before."""
    after_packets(cell, 100)
    cell.proxy.forge(-1, FORGED)
    cell.proxy.go()
    after_packets(cell, 200)
    cell.devices[0].kill()
    cell.devices[0].start(cell.data[0])
    cell.proxy.go()
    after_packets(cell, 200)
    cell.proxy.forge(-2, FORGED)
    cell.proxy.go()
    cell.finish()
    cell.judge()


def first_too_large(cell):
    cell.start()
    cell.finish(65)
    cell.judge([{}])


def oversized(seed):
    r = random.Random(seed)
    return [{"s": [r.randbytes(100) for _ in range(20)] + [bytes((1 << 20) + 1)] + [b"after"] * 3}]


def oversized_at_once(_):
    return [{"s": [bytes((1 << 20) + 1), b"after"]}]


def oversized_for_node(seed):
    r = random.Random(seed)
    return [{"s": [r.randbytes(100) for _ in range(20)] + [bytes(5000)] + [r.randbytes(100) for _ in range(100)]}]


def seventy_streams(seed):
    return [{f"s-{i}": [b"%d" % seed] for i in range(70)}]


def five_records(seed):
    return [{"s": [b"%d-%d" % (seed, i) for i in range(5)]}]


def one_record(seed):
    return [{"s": [b"%d" % seed]}]


def thousand_bytes_each(seed):
    r = random.Random(seed)
    return [{"s": [r.randbytes(1000) for _ in range(200)]}]


def megabytes(seed):
    """Long enough for what happens in mid-flight."""
    r = random.Random(seed)
    return [{"s": [r.randbytes(r.randrange(20_000)) for _ in range(300)]}]


Scenario = collections.namedtuple("Scenario", "name data act more pairs seconds", defaults=[5])
ALL, FORGED = PAIRS, 200
CROSS = [pair for pair in PAIRS if "crosscheck" in pair]
CROSS_DEVICE = [pair for pair in PAIRS if pair[0] == "crosscheck"]
PRODUCT_DEVICE = [pair for pair in PAIRS if pair[0] == "product"]
PRODUCT_NODE = [pair for pair in PAIRS if pair[1] == "product"]
TOLD = [("product", "crosscheck")]
EXTRAS = {"direct": True, "node": ["--extras"], "device": ["--extras"]}  # the proxy takes marks away
LIVES = {"device": ["--life", 7]}
EVERYTHING = {"host": "[::1]", "suite": 2}


def rough_too(name, data, act, more, pairs, seconds=5):
    return [Scenario("clean, " + name, data, act, more, pairs, seconds),
            Scenario("rough, " + name, data, act, {**more, "rough": True}, pairs, 2 * seconds)]


def limits(side="", **values):
    """Of the product's processes, see trace.c."""
    return {"options": {(side + " limits").strip(): values}}


def says(codes, **more):
    """xc-node refuses without a reason, with a code an answer; 0 is the truth. A patient device goes on when it was
    refused for good."""
    return {"options": {"node": ["--say", codes], **more}}


SCENARIOS = [
    *rough_too("one stream, 0 B to 1 MiB", one_stream, plain, {}, ALL),
    *rough_too("IPv6", one_stream, plain, {"host": "[::1]"}, ALL),
    *rough_too("a hundred streams", hundred_streams, plain, {}, ALL),
    *rough_too("ChaCha20-Poly1305", one_stream, plain, {"suite": 2}, ALL),
    *rough_too("a hundred streams, ChaCha20-Poly1305, IPv6", hundred_streams, plain, EVERYTHING, ALL),
    *rough_too("node killed twice in mid-flight", one_stream, node_restarts, {}, ALL),
    *rough_too("device killed twice in mid-flight", one_stream, device_restarts, {}, ALL),
    *rough_too("node killed, ChaCha20-Poly1305, IPv6", one_stream, node_restarts, EVERYTHING, ALL),
    *rough_too("device killed, ChaCha20-Poly1305, IPv6", one_stream, device_restarts, EVERYTHING, ALL),
    Scenario("direct, with ECT(0) marks, PADDING and unknown extensions", one_stream, plain, {"options": EXTRAS},
             CROSS),
    *rough_too("device's address changes", megabytes, address_changes, {}, ALL),
    Scenario("node's store lost in mid-flight", one_stream, store_lost, {}, ALL),
    Scenario("node killed before it could say what it stored", megabytes, told_too_late, {"slow_s": 0.1}, ALL),
    Scenario("node away until it is taken for unreachable", thousand_bytes_each, node_comes_late,
             limits("device", IDLE_MS=3000), PRODUCT_DEVICE, 60),
    Scenario("node's store full for a while", megabytes, store_full, {"options": {"full": True}}, PRODUCT_NODE),
    Scenario("outbox restored from a copy", one_stream, outbox_restored, {}, PRODUCT_DEVICE),
    Scenario("outbox restored from a copy, two lives wait", thousand_bytes_each, restored_and_more, {},
             PRODUCT_DEVICE),
    *rough_too("a life each seven records", one_stream, plain, {"options": LIVES}, CROSS_DEVICE),
    Scenario("a life each seven records, node killed twice", one_stream, node_restarts, {"options": LIVES},
             CROSS_DEVICE),
    Scenario("five openings of the outbox, one packet", five_records, several_openings, {}, PRODUCT_DEVICE),
    *rough_too("five openings of the outbox", thousand_bytes_each, several_openings, {}, PRODUCT_DEVICE),
    *rough_too("runs of 300 packets", megabytes, plain, limits("device", RUN_PACKETS=300), PRODUCT_DEVICE),
    Scenario("runs of 16 answers", megabytes, plain, {**limits("node", RUN_PACKETS=16), "slow_s": 0.01}, PRODUCT_NODE),
    Scenario("rough, runs of 60 answers", megabytes, plain, {**limits("node", RUN_PACKETS=60), "rough": True},
             PRODUCT_NODE, 10),
    *rough_too("forged packets of a new run", thousand_bytes_each, forged_at_first, limits("node", FAILURES=100),
               [("product", "product")], 30),
    *rough_too("forged packets of the current run and the one before", megabytes, forged_later,
               limits("node", FAILURES=100), [("product", "product")], 30),
    Scenario("a record above 1 MiB, given up", oversized, given_up, {"options": {"device": ["--drop-refused"]}},
             CROSS_DEVICE),
    *rough_too("a record above what xc-node takes, given up", oversized_for_node, given_up,
               {"options": {"node": ["--record-max", 1000], "give_up": 21}}, TOLD),
    Scenario("a record above 1 MiB", oversized, too_large, {}, CROSS_DEVICE),
    Scenario("a record above 1 MiB is the first one", oversized_at_once, first_too_large, {}, CROSS_DEVICE),
    Scenario("seventy streams on a link", seventy_streams, too_many_streams, {"timeout_s": 3}, CROSS_DEVICE),
    Scenario("told that a packet was malformed: silent for a minute", thousand_bytes_each, plain, says("7"), TOLD,
             70),
    Scenario("told that a packet was malformed, and that all is stored", one_record, plain, says("7+0"), TOLD),
    Scenario("refused for now", thousand_bytes_each, plain, says("5,0"), TOLD),
    Scenario("refused for good, then taken", thousand_bytes_each, plain, says("2,0", patient=True), TOLD),
    Scenario("refused for now and for good, then taken", thousand_bytes_each, plain, says("5+2,0", patient=True), TOLD),
    Scenario("refused for now, all was stored", one_record, plain, says("5+0"), TOLD),
    Scenario("refused for good, all was stored", one_record, plain, says("2+0"), TOLD),
    Scenario("refused for now and as forked", thousand_bytes_each, reborn, says("5+1"), TOLD),
    Scenario("refused for good and as forked", thousand_bytes_each, reborn, says("2+1"), TOLD),
    Scenario("refused as forked when something is stored", thousand_bytes_each, reborn, says("0,0,1"), TOLD),
    Scenario("told that nothing is bound", thousand_bytes_each, plain, says("unbound,0"), TOLD),
    Scenario("told that nothing is bound, five lives", thousand_bytes_each, several_openings,
             says("0,unbound,0,unbound"), TOLD),
    Scenario("told that nothing is bound, five lives in a packet", five_records, several_openings,
             says("unbound,0"), TOLD),
    Scenario("two devices with one key", megabytes, two_with_one_key, {}, [("product", "product")]),
    Scenario("one record", one_record, plain, {}, ALL),
]
CHANCY = ("two devices with one key", "rough, runs of 60 answers", "rough, device's address changes",
          "node killed before it could say what it stored", "clean, five openings of the outbox",
          "rough, node killed twice in mid-flight")
