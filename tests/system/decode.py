"""`purelink decode` on what a real device and node said to each other: with the key log of either end, from captures of
each kind, it prints what was sent; the unsealed capture it writes is dissected to the same lines and bytes."""
import os
import pathlib
import random
import re
import resource
import shutil
import stat
import struct
import subprocess
import unittest
import xml.etree.ElementTree

import lib_captures as captures
from lib_captures import ETHERNET, LOOP, NODE_PORT, NULL, RAW, SLL, SLL2, Kept, Relay, framed, ipv4, ipv6, pcap, pcapng
from lib import FAILED, USAGE, Site, folder, lines, run, run_tests, wait_for

DIR = folder()
SEED = int(os.environ.get("SEED", 1))
HEAD = re.compile(r"(\S+) (\S+) > (\S+) (device>node|node>device|-)"
                  r"(?: key_id=0x([0-9a-f]{8}) run=0x([0-9a-f]{16}) packet_number=0x([0-9a-f]{8}))? (.*)")


class Line:
    def __init__(self, text):
        found = HEAD.fullmatch(text)
        if not found:
            raise AssertionError(f"not a line of decode: {text!r}")
        self.time, self.source, self.to, self.sides, self.key_id, self.run, self.number, self.text = found.groups()


def varint(value):
    for bits, mark in ((6, 0), (14, 1), (30, 2)):
        if value < 1 << bits:
            size = (bits + 2) // 8
            return (value | mark << bits).to_bytes(size, "big")
    raise AssertionError(value)


class Conversation:
    """Once for all tests: a few records, then a few hundred kilobytes, then another stream; both ends log keys."""

    def __init__(self):
        self.site = Site(DIR / "site")
        self.records = [line for line in lines(3000, 120).split(b"\n")[:-1]]
        node = self.site.serve("--keylog", DIR / "node.keys")
        relay = Relay(self.site.port)
        first = self.site.send("--keylog", DIR / "device.keys", input=b"hello\n", port=relay.port, stream="greetings")
        self.site.send("--keylog", DIR / "device.keys", input=b"\n".join(self.records) + b"\n", port=relay.port,
                       stream="bulk")
        self.site.send(input=b"not logged here\n", port=relay.port, stream="bulk")
        self.site.send("--keylog", DIR / "device.keys", "--suite", "chacha20-poly1305", input=b"other suite\n",
                       port=relay.port, stream="greetings")
        relay.end()
        self.warnings = first + node.said()
        node.stop()
        self.kept = [k for k in relay.kept if k.data]
        self.frames = [(k.time_ns, ipv4(k)) for k in self.kept]
        pcap(DIR / "all.pcap", self.frames)

    def framed(self):
        """The bytes of the stream "bulk" as they are cut into pieces."""
        return b"".join(varint(len(r)) + r for r in self.records)


def decoded(capture, *more, keys="node.keys", status=0, port=None):
    """The lines, and what was said on standard error."""
    options = ["--port", port] if port else []
    result = run("decode", "--keylog", DIR / keys, *options, *more, capture)
    if result.returncode != status:
        raise AssertionError(f"decode ended with {result.returncode}, not {status}: {result.stderr.decode()}")
    return [Line(text) for text in result.stdout.decode().splitlines()], result.stderr.decode()


class DecodeTest(unittest.TestCase):
    maxDiff = 2000

    @classmethod
    def setUpClass(cls):
        cls.talk = Conversation()
        cls.lines, cls.said = decoded(DIR / "all.pcap")

    def texts(self, found):
        return [(x.sides, x.run, x.number, x.text) for x in found]

    def test_key_logs_are_warned_of_and_private(self):
        self.assertEqual(2, self.talk.warnings.count("warning: keys are written to"))
        for name in ("node.keys", "device.keys"):
            self.assertEqual(0o600, stat.S_IMODE(os.stat(DIR / name).st_mode))
            suites = set()
            for line in (DIR / name).read_text().splitlines():
                found = re.fullmatch(r"PURELINK_(DEVICE|NODE)_RUN [0-9a-f]{8} [0-9a-f]{16} ([12]) 00 ([0-9a-f]+)", line)
                self.assertEqual(56 if found[2] == "1" else 88, len(found[3]))
                suites.add((found[1], found[2]))
            self.assertTrue({("DEVICE", "1"), ("DEVICE", "2"), ("NODE", "1")} <= suites)

    def test_every_packet_opens(self):
        opened = {(x.run, x.number) for x in self.lines}
        self.assertEqual(len(opened), len(self.talk.kept))
        self.assertIn(f"packets opened {len(self.talk.kept)} (malformed 0), without a key 0, forged or damaged 0, "
                      "not read 0; fragments 0, other frames 0", self.said)
        for line in self.lines:
            to_node = line.sides == "device>node"
            self.assertEqual((line.source, line.to),
                             ("192.0.2.1:40001", "198.51.100.7:4500") if to_node else ("198.51.100.7:4500", "192.0.2.1:40001"))
        first = self.talk.kept[0]
        self.assertTrue(self.lines[0].time.endswith("%09dZ" % (first.time_ns % 10**9)))
        self.assertEqual(first.data[2:18].hex(), self.lines[0].key_id + self.lines[0].run + self.lines[0].number)

    def test_it_says_what_was_sent(self):
        texts = [x.text for x in self.lines]
        self.assertTrue(any(re.match(r'STREAM life=0x\w+ first_number=1 .* name="greetings"', t) for t in texts))
        bulk = next(re.match(r'STREAM life=0x(\w+) first_number=1 .* name="bulk"', t) for t in texts if 'name="bulk"' in t)
        self.assertTrue(any(re.match(rf"STORED life=0x{bulk[1]} number={len(self.talk.records)} ", t) for t in texts))
        sent = self.talk.framed()
        covered = bytearray(len(sent))
        for text in texts:
            piece = re.match(rf"RECORDS(?:_LENGTH)? life=0x{bulk[1]} offset=(\d+) .*bytes=(\d+):([0-9a-f]*)", text)
            if piece:
                at, size = int(piece[1]), int(piece[2])
                self.assertEqual(sent[at:at + min(size, 16)].hex(), piece[3])
                covered[at:at + size] = b"\1" * size
        self.assertEqual(len(sent), covered.count(1))

    def test_the_devices_log_has_what_it_logged(self):
        found, said = decoded(DIR / "all.pcap", keys="device.keys")
        missing = [x for x in found if x.text.startswith("not opened: no key")]
        self.assertTrue(missing and len(missing) < len(found))
        opened = [x for x in self.texts(found) if not x[3].startswith("not opened")]
        self.assertEqual(opened, [x for x in self.texts(self.lines) if x[:3] in {o[:3] for o in opened}])

    def test_joined_logs(self):
        (DIR / "both.keys").write_bytes((DIR / "device.keys").read_bytes() + b"# the other end\n\nrubbish\n" +
                                        (DIR / "node.keys").read_bytes())
        found, said = decoded(DIR / "all.pcap", keys="both.keys")
        self.assertEqual(self.texts(self.lines), self.texts(found))
        self.assertIn("1 lines skipped, the first is line", said)

    def same(self, name, write, frames, simple=False, micro=False, address="192.0.2.1"):
        write(DIR / name, frames)
        found, _ = decoded(DIR / name)
        self.assertEqual(self.texts(self.lines), self.texts(found), name)
        self.assertIn(address, found[0].source)
        times = ["-" if simple else x.time[:-4] + "000Z" if micro else x.time for x in self.lines]
        self.assertEqual(times, [x.time for x in found], name)

    def test_all_kinds_of_captures(self):
        times = [t for t, _ in self.talk.frames]
        for order in "<>":
            for link in (ETHERNET, RAW, LOOP, NULL, SLL, SLL2):
                frames = [(t, framed(link, p)) for t, p in self.talk.frames]
                self.same("some.pcap", lambda p, f: pcap(p, f, link, order, True), frames)
            self.same("micro.pcap", lambda p, f: pcap(p, f, RAW, order, False), self.talk.frames, micro=True)
            mixed = (ETHERNET, SLL2, NULL)
            frames = [(t, framed(mixed[i % 3], p)) for i, (t, p) in enumerate(self.talk.frames)]
            self.same("mixed.pcapng", lambda p, f: pcapng(p, f, mixed, order), frames)
            self.same("simple.pcapng", lambda p, f: pcapng(p, f, (RAW,), order, True), self.talk.frames, simple=True)
            frames = list(zip(times, [ipv6(k) for k in self.talk.kept]))
            self.same("six.pcap", lambda p, f: pcap(p, f, RAW, order), frames, address="[2001:db8::1]")
            frames = list(zip(times, [ipv6(k, captures.EXTENSIONS, 0) for k in self.talk.kept]))
            self.same("extended.pcap", lambda p, f: pcap(p, f, RAW, order), frames, address="[2001:db8::1]")
            frames = list(zip(times, [ipv4(k, b"\1\1\1\0") for k in self.talk.kept]))
            self.same("options.pcap", lambda p, f: pcap(p, f, RAW, order), frames)

    def test_standard_input_and_a_pipe(self):
        command = f"cat '{DIR}/all.pcap' | '{os.environ['PURELINK']}' decode --keylog '{DIR}/node.keys' - | head -n 3"
        done = subprocess.run(command, shell=True, capture_output=True, timeout=60, check=True)
        self.assertEqual(3, done.stdout.count(b"\n"))
        with open("/dev/full", "wb") as full:
            done = subprocess.run([os.environ["PURELINK"], "decode", "--keylog", DIR / "node.keys", "--write", DIR / "full.plain",
                                   DIR / "all.pcap"], stdout=full, stderr=subprocess.PIPE, timeout=60, check=False)
        self.assertEqual((FAILED, b"purelink decode: standard output: No space left on device\n"),
                         (done.returncode, done.stderr))

    def test_trains(self):
        joined = captures.trains(self.talk.kept)
        self.assertLess(len(joined), len(self.talk.kept))
        pcap(DIR / "trains.pcap", [(k.time_ns, ipv4(k)) for k in joined])
        found, _ = decoded(DIR / "trains.pcap", "--write", DIR / "trains.plain")
        self.assertEqual(self.texts(self.lines), self.texts(found))
        decoded(DIR / "all.pcap", "--write", DIR / "single.plain")
        self.assertEqual(len(self.packets("single.plain")), len(self.packets("trains.plain")))
        self.assertEqual([p[20:] for p in self.packets("single.plain")], [p[20:] for p in self.packets("trains.plain")])

    @staticmethod
    def packets(name):
        data, at, out = (DIR / name).read_bytes(), 24, []
        while at < len(data):
            size = struct.unpack_from("=I", data, at + 8)[0]
            out.append(data[at + 16:at + 16 + size])
            at += 16 + size
        return out

    def test_what_cannot_be_opened(self):
        kept = self.talk.kept[:6]
        forged = [Kept(k.time_ns, k.to_node, k.data[:-1] + bytes([k.data[-1] ^ 1])) for k in kept[:1]]
        foreign = [Kept(0, True, b"\x24" + kept[0].data[1:]), Kept(0, True, b"\x14\0sho"), Kept(0, True, kept[0].data[:34])]
        other_run = [Kept(0, True, kept[0].data[:6] + b"anothrun" + kept[0].data[14:])]
        frames = [(k.time_ns, ipv4(k)) for k in forged + foreign + other_run]
        frames += [(0, ipv4(kept[1], fragment=0x2000)), (0, ipv4(kept[1], fragment=7)), (0, b"\x45" + bytes(30))]
        pcap(DIR / "odd.pcap", frames)
        found, said = decoded(DIR / "odd.pcap", port=NODE_PORT)
        self.assertEqual([x.text for x in found], [
            "not opened: forged, damaged or sealed with another key", "not a packet: VERSION at 0",
            "not a packet: TRUNCATED at 2", "not a packet: 34 bytes are too short for one",
            "not opened: no key of its run in the key log", "fragment, not reassembled", "fragment, not reassembled"])
        self.assertIn("fragments 2, other frames 1", said)
        by_key_id, _ = decoded(DIR / "odd.pcap")
        self.assertEqual(6, len(by_key_id))
        pcap(DIR / "cut.pcap", self.talk.frames, snap=60)
        cut, _ = decoded(DIR / "cut.pcap")
        self.assertTrue(all(x.text.startswith("not opened: only 32 of") for x in cut))
        pcap(DIR / "cut.pcap", self.talk.frames, snap=24)
        self.assertIn(f"{len(self.talk.kept)} frames were cut before their UDP payload", decoded(DIR / "cut.pcap")[1])
        pcap(DIR / "strange.pcap", self.talk.frames, link_type=147)
        self.assertIn("link types not read (the first: 147)", decoded(DIR / "strange.pcap")[1])

    def test_damaged_files(self):
        whole = (DIR / "all.pcap").read_bytes()
        (DIR / "short.pcap").write_bytes(whole[:-1])
        found, said = decoded(DIR / "short.pcap", status=FAILED)
        self.assertEqual(self.texts(self.lines)[:len(found)], self.texts(found))
        self.assertRegex(said, r"short.pcap: at offset \d+: the file ends within what begins here")
        for name, content, status, reason in [
                ("empty", b"", USAGE, "empty: no capture in it"), ("text", b"hello, world", USAGE, "not a pcap or pcapng"),
                ("large", whole[:24] + struct.pack("<IIII", 0, 0, 1 << 20, 1 << 20), FAILED, "more than 262144 bytes")]:
            (DIR / name).write_bytes(content)
            self.assertIn(reason, decoded(DIR / name, status=status)[1])
        self.assertIn("No such file", decoded(DIR / "missing", status=USAGE)[1])
        self.assertIn("no key in it", decoded(DIR / "all.pcap", keys="empty", status=USAGE)[1])
        decoded(DIR / "all.pcap", "--write", DIR / "there", status=0)
        self.assertIn("File exists", decoded(DIR / "all.pcap", "--write", DIR / "there", status=USAGE)[1])
        self.assertEqual(0o600, stat.S_IMODE(os.stat(DIR / "there").st_mode))

    def test_hostile_files(self):
        """Mutated captures and key logs: an end with a known status, never a crash. Memory is bounded by a limit."""
        chance = random.Random(SEED)
        pcapng(DIR / "seed.pcapng", self.talk.frames[:40], (RAW,))
        pcap(DIR / "seed.pcap", self.talk.frames[:40])
        seeds = [(DIR / "seed.pcap").read_bytes(), (DIR / "seed.pcapng").read_bytes()]
        keys = (DIR / "node.keys").read_bytes()
        statuses = set()
        for turn in range(150):
            sample, log = bytearray(seeds[turn % 2]), bytearray(keys)
            for changed in (sample, log) if turn % 5 == 0 else (sample,):
                for _ in range(chance.choice([1, 2, 8])):
                    changed[chance.randrange(min(len(changed), chance.choice([64, 400, 1 << 20])))] = chance.choice(
                        [0, 255, 128, chance.randrange(256)])
            (DIR / "mutated").write_bytes(sample[:chance.randrange(len(sample))] if turn % 7 == 0 else sample)
            (DIR / "mutated.keys").write_bytes(log)
            done = subprocess.run([os.environ["PURELINK"], "decode", "--keylog", DIR / "mutated.keys", DIR / "mutated"],
                                  capture_output=True, timeout=60, check=False)
            self.assertIn(done.returncode, (0, USAGE, FAILED), done.stderr)
            statuses.add(done.returncode)
        self.assertTrue({0, FAILED} <= statuses)

    def test_memory_is_bounded(self):
        """A capture of 100 MB through 64 MB of address space."""
        whole = (DIR / "all.pcap").read_bytes()
        times = (100 << 20) // len(whole)
        process = subprocess.Popen([os.environ["PURELINK"], "decode", "--keylog", DIR / "node.keys", "-"],
                                   stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (64 << 20, 64 << 20)))
        process.stdin.write(whole)
        for _ in range(times - 1):
            process.stdin.write(whole[24:])
        _, said = process.communicate(timeout=120)
        self.assertEqual(0, process.returncode, said)
        self.assertIn(b"packets opened %d " % (times * len(self.talk.kept)), said)

    @unittest.skipUnless(shutil.which("tshark"), "tshark is not installed (Debian: apt-get install tshark)")
    def test_dissector_shows_the_same(self):
        decoded(DIR / "all.pcap", "--write", DIR / "plain.pcap")
        lua = pathlib.Path(__file__).resolve().parents[2] / "generated/wireshark/purelink.lua"
        command = ["tshark", "-r", DIR / "plain.pcap", "-T", "pdml", "-X", f"lua_script:{lua}", "-o",
                   f"purelink.port:{NODE_PORT}", "-o", "ip.check_checksum:TRUE", "-o", "udp.check_checksum:TRUE"]
        done = subprocess.run(list(map(str, command)), capture_output=True, timeout=300, check=True,
                              env=os.environ | {"HOME": str(DIR), "XDG_CONFIG_HOME": str(DIR)})
        packets = list(xml.etree.ElementTree.fromstring(done.stdout).iter("packet"))
        self.assertEqual(len(self.talk.kept), len(packets))
        self.assertNotIn(b"purelink.part-malformed", done.stdout)
        wanted = {}
        for line in self.lines:
            wanted.setdefault((line.run, line.number), []).append(line.text)
        for packet in packets:
            fields = {f.get("name"): f.get("show") for f in packet.iter("field")}
            self.assertEqual("1", fields["ip.checksum.status"])
            self.assertEqual("1", fields["udp.checksum.status"])
            key = tuple("%0*x" % (n, int(fields[f"purelink.header.{f}"], 0)) for f, n in (("run", 16), ("packet_number", 8)))
            top = next(p for p in packet.iter("proto") if p.get("name") == "purelink")
            shown = [f.get("showname") or f.get("show") for f in top if re.fullmatch(r"purelink\.\w+", f.get("name"))]
            self.assertEqual(len(shown), len(wanted[key]) + 1)
            for label, text in zip(shown[1:], wanted[key]):
                cut = re.match(r" ?\[truncated\] ?(.*)", label)
                self.assertTrue(text.startswith(cut[1].rstrip()) if cut else label == text, (label, text))
        self.whole_bytes(packets)

    def whole_bytes(self, packets):
        """What lines leave out: all bytes of the pieces are what was sent."""
        sent = self.talk.framed()
        got = bytearray(len(sent))
        life = next(re.match(r'STREAM life=(\w+) first_number=1 .* name="bulk"', x.text)[1] for x in self.lines
                    if 'name="bulk"' in x.text)
        for field in (f for p in packets for f in p.iter("field")):
            named = {f.get("name").split(".")[-1]: f for f in field if f.get("name", "").startswith("purelink.records")}
            if "bytes" in named and int(named["life"].get("show"), 0) == int(life, 16):
                at, piece = int(named["offset"].get("show")), bytes.fromhex(named["bytes"].get("value"))
                got[at:at + len(piece)] = piece
        self.assertEqual(sent, bytes(got))


class KeylogTest(unittest.TestCase):
    def test_one_that_others_may_read_is_refused(self):
        site = Site(DIR / "refused")
        (DIR / "open.keys").write_text("")
        os.chmod(DIR / "open.keys", 0o644)
        self.assertIn("chmod 600", site.send("--keylog", DIR / "open.keys", input=b"x\n", status=USAGE))
        result = run(*["serve", *site.serve_options("--keylog", DIR / "no/such.keys")])
        self.assertIn("No such file", result.stderr.decode())
        self.assertNotEqual(0, result.returncode)

    def test_none_by_default_nor_by_the_environment(self):
        site = Site(DIR / "quiet")
        os.environ.update({"SSLKEYLOGFILE": str(DIR / "env.keys"), "PURELINK_KEYLOG": str(DIR / "env.keys")})
        node = site.serve()
        site.send(input=b"x\n")
        node.stop()
        self.assertFalse((DIR / "env.keys").exists())
        self.assertEqual([], list((DIR / "quiet").rglob("*.keys")))

    @unittest.skipUnless(os.geteuid() == 0, "needs root, to mount a small file system")
    def test_a_full_disk_loses_keys_and_no_records(self):
        small = DIR / "small"
        small.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8k", "tmpfs", small], check=False).returncode != 0:
            self.skipTest("needs the right to mount a small file system")
        try:
            (small / "filler").write_bytes(bytes(4096))
            (small / "keys").touch(mode=0o600)
            (small / "keys").write_bytes(b"#" * 4095 + b"\n")
            site = Site(DIR / "full")
            node = site.serve("--keylog", small / "keys")
            said = site.send("--keylog", small / "keys", input=b"kept all the same\n")
            self.assertIn("keys are missing from the key log", said)
            self.assertIn("No space left", said)
            self.assertEqual(b"kept all the same\n", site.tail())
            wait_for("report", lambda: "keys are missing from the key log" in node.said())
            node.stop()
        finally:
            subprocess.run(["umount", small], check=True)


if __name__ == "__main__":
    run_tests()
