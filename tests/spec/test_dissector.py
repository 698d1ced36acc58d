"""The Wireshark dissector under tshark: every field it shows is what print says, every error is where it is.

Without tshark the tests are skipped and say how to get it; scripts/check installs it."""

import os
import re
import shutil
import struct
import subprocess
import unittest
import xml.etree.ElementTree

import build
import language
import readings
from language import LINK, SPECS
from readings import Reading, key

PORT = 20000
LOCALHOST = b"\x7f\0\0\1"
PACKET_PORT = 7000
CHANGED = 600
HEADER = bytes.fromhex("1400a1a2a3a4010203040506070800000007")
TAG_SIZE = 16


def capture(path, datagrams):
    """A pcap file of (port, bytes) as IPv4 and UDP."""
    with open(path, "wb") as file:
        file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 101))
        for number, (port, data) in enumerate(datagrams):
            udp = struct.pack(">HHHH", 9, port, 8 + len(data), 0) + data
            packet = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(udp), 1, 0, 64, 17, 0) + LOCALHOST * 2 + udp
            file.write(struct.pack("<IIII", number, 0, len(packet), len(packet)) + packet)


class Shown:
    """What tshark shows of one packet."""

    def __init__(self, packet, title):
        self.title = title
        tops = [p for p in packet.iter("proto") if p.get("name") == title]
        self.fields = [f for top in tops for f in top.iter("field")]
        self.wrong = [f.get("show") for f in packet.iter("field") if f.get("name") == "_ws.expert.message"]

    def lines(self):
        """The labels of structs and cases that are not inside another one."""
        names = re.compile(rf"{self.title}\.[a-z0-9_]+$")
        outer = [f for f in self.fields if names.match(f.get("name") or "") and f.get("name").count(".") == 1]
        inside = {id(x) for f in outer for x in f.iter("field") if x is not f}
        outer = [f for f in outer if id(f) not in inside and not self.part(f)]
        return [f.get("showname") or f.get("show") or "" for f in outer]

    def part(self, field):
        return field.get("name") in (f"{self.title}.{x}" for x in ("part-tag", "part-sealed", "part-plain"))

    def named(self, name):
        return [f.get("show") for f in self.fields if f.get("name") == f"{self.title}.{name}"]


def dissected(root, reading, datagrams):
    title, path = reading.title, os.path.join(root, "some.pcap")
    capture(path, datagrams)
    command = ["tshark", "-r", path, "-T", "pdml", "-o", f"{title}.port:{PACKET_PORT}"]
    for script in (os.path.join(root, "wireshark", title + ".lua"), "tests/spec/dissect_as.lua"):
        command += ["-X", "lua_script:" + script]
    given = {"TITLE": title, "SUBJECTS": " ".join(reading.subjects), "HOME": root, "XDG_CONFIG_HOME": root}
    done = subprocess.run(command, env=os.environ | given, capture_output=True, check=False, timeout=300)
    said = done.stderr.decode(errors="replace")
    assert done.returncode == 0 and "Lua" not in said, said
    # Characters that XML does not know come through from texts.
    text = re.sub(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]", b"?", done.stdout)
    return [Shown(p, title) for p in xml.etree.ElementTree.fromstring(text).iter("packet")]


def same_value(value, show):
    """Whether what tshark shows of a field is this value."""
    if isinstance(value, int):
        return int(show, 0) == value
    return show.replace(":", "") == value.hex()


def same_line(labels, line):
    """Whether these labels are that line; Wireshark cuts a label after some 240 characters and says so."""
    parts = line.split(" | ") if line else [""] * len(labels)
    if len(parts) != len(labels):
        return False
    for label, part in zip(labels, parts):
        cut = re.match(r" ?\[truncated\] ?(.*)", label)
        if not (part.startswith(cut.group(1).rstrip()) and len(part) > 200 if cut else label == part):
            return False
    return True


@unittest.skipUnless(shutil.which("tshark"), "tshark is not installed (Debian: apt-get install tshark)")
class Dissector(unittest.TestCase):
    def check(self, spec):
        reading = Reading(spec)
        inputs = reading.examples() + list(readings.mutated_subjects(reading, CHANGED))
        # Wireshark hands no empty datagram to a dissector.
        inputs = [(subject, data) for subject, data in inputs if data]
        with language.folder() as root:
            build.generated(spec, root, tools=False)
            shown = dissected(root, reading, [(PORT + subject, data) for subject, data in inputs])
        self.assertEqual(len(shown), len(inputs))
        good = 0
        for (subject, data), packet in zip(inputs, shown):
            good += self.same(reading, reading.judged(subject, data), packet, data)
        self.assertGreater(min(good, len(inputs) - good), 20)
        for vector, packet in zip([v for v in reading.spec.vectors if v["bytes"]], shown):
            self.fields(reading, vector, packet)

    def same(self, reading, verdict, packet, data):
        """The dissector's labels or its complaint against the oracle's line."""
        word, place, *line = verdict.split(" ", 2)
        if word != "OK":
            self.assertEqual(packet.wrong, [f"{word} at {place}"], data.hex())
            return False
        self.assertEqual(packet.wrong, [], data.hex())
        self.assertTrue(same_line(packet.lines(), line[0] if line else ""), (data.hex(), packet.lines()))
        return True

    def fields(self, reading, vector, packet):
        """Every field of a vector that is a number or bytes, by the name that filters use."""
        layout = reading.spec.layout(vector["of"])
        for field in layout["fields"]:
            value = vector["values"].get(field["key"])
            if not isinstance(value, (int, bytes)) or field.get("text") or value == b"":
                continue
            show = packet.named(f"{key(vector['of'])}.{field['key']}")
            self.assertEqual(len(show), 1, field["key"])
            self.assertTrue(same_value(value, show[0]), (vector["title"], field["key"], value, show))

    def test_every_spec(self):
        for spec in SPECS:
            with self.subTest(spec):
                self.check(spec)

    def test_packets(self):
        """Whole packets: sealed, unsealed, malformed, with a cookie, another version, too short."""
        reading = Reading(LINK)
        payloads = [data for _, data in readings.mutated_payloads(reading, CHANGED) if data]
        others = [
            HEADER + b"\x55" * 40,
            b"\x16" + HEADER[1:] + b"\x01" + bytes(TAG_SIZE) + b"c" * 16,
            b"\x24" + HEADER[1:] + b"\x01" + bytes(TAG_SIZE),
            HEADER[:9],
        ]
        packets = [HEADER + data + bytes(TAG_SIZE) for data in payloads] + others
        with language.folder() as root:
            build.generated(LINK, root, tools=False)
            shown = dissected(root, reading, [(PACKET_PORT, data) for data in packets])
        header = "version=1 suite=1(AES_128_GCM) cookie=0 reserved=0 own_epoch=0 peer_epoch=0 "
        for data, packet in zip(payloads, shown):
            self.assertTrue(packet.lines()[0].startswith(header))
            verdict = reading.judged("*", data)
            if verdict.startswith("OK "):
                self.assertTrue(same_line(packet.lines()[1:], verdict.split(" ", 2)[2]), data.hex())
            else:
                self.assertEqual(packet.wrong, [" at ".join(verdict.split(" "))], data.hex())
        sealed, cookie, version, short = shown[-len(others) :]
        self.assertEqual((len(sealed.lines()), sealed.wrong), (1, []))
        self.assertEqual(sealed.named("part-sealed"), [":".join(["55"] * 24)])
        self.assertEqual((cookie.lines()[1:], len(cookie.named("part-plain")), cookie.wrong), (["PING"], 1, []))
        self.assertEqual(version.wrong, ["VERSION at 0"])
        self.assertEqual(short.wrong, ["TRUNCATED at 6"])


if __name__ == "__main__":
    unittest.main()
