"""Captures for the tests of `purelink decode`: a relay that keeps what it carries, and files of each kind made of that."""
import socket
import struct
import threading
import time

ETHERNET, RAW, LOOP, NULL, SLL, SLL2 = 1, 101, 108, 0, 113, 276
NODE_PORT, DEVICE_PORT = 4500, 40001


class Kept:
    """A datagram with when it came, whence, and where to."""

    def __init__(self, time_ns, to_node, data):
        self.time_ns, self.to_node, self.data = time_ns, to_node, data


class Relay(threading.Thread):
    """Between one device and the node."""

    def __init__(self, node_port, host="127.0.0.1"):
        super().__init__(daemon=True)
        self.family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self.node = (host.strip("[]"), node_port)
        self.front, self.back = self._socket(), self._socket()
        self.front.bind((self.node[0], 0))
        self.port = self.front.getsockname()[1]
        self.device, self.kept, self.ending = None, [], False
        self.threads = [threading.Thread(target=self._carry, args=(to_node,), daemon=True) for to_node in (True, False)]
        self.start()

    def _socket(self):
        s = socket.socket(self.family, socket.SOCK_DGRAM)
        s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)
        s.settimeout(0.1)
        return s

    def run(self):
        self.back.sendto(b"", self.node)
        for thread in self.threads:
            thread.start()

    def _carry(self, to_node):
        while not self.ending:
            try:
                data, source = (self.front if to_node else self.back).recvfrom(65536)
            except OSError:
                continue
            self.kept.append(Kept(time.time_ns(), to_node, data))
            if to_node:
                self.device = source
                self.back.sendto(data, self.node)
            elif self.device:
                self.front.sendto(data, self.device)

    def end(self):
        self.ending = True
        self.join()
        for thread in self.threads:
            thread.join()
        self.front.close()
        self.back.close()


def trains(kept):
    """The same, with neighbours of one size and run joined, as a host sees what one call of its kernel sends."""
    out, size = [], 0
    for one in kept:
        last = out[-1] if out else None
        fits = last and last.to_node == one.to_node and last.data[:14] == one.data[:14] and \
            len(last.data) % size == 0 and len(one.data) <= size and len(last.data) + size < 60000
        if fits:
            out[-1] = Kept(last.time_ns, last.to_node, last.data + one.data)
        else:
            out.append(one)
            size = len(one.data)
    return out


def udp(kept):
    ports = (DEVICE_PORT, NODE_PORT) if kept.to_node else (NODE_PORT, DEVICE_PORT)
    return struct.pack(">HHHH", *ports, 8 + len(kept.data), 0) + kept.data


def ipv4(kept, options=b"", fragment=0):
    device, node = bytes([192, 0, 2, 1]), bytes([198, 51, 100, 7])
    body, ends = udp(kept), (device + node if kept.to_node else node + device)
    return struct.pack(">BBHHHBBH", 0x45 + len(options) // 4, 0, 20 + len(options) + len(body), 1, fragment, 64, 17, 0) + \
        ends + options + body


def ipv6(kept, extensions=b"", first=17):
    device, node = bytes.fromhex("20010db8" + "00" * 11 + "01"), bytes.fromhex("20010db8" + "00" * 11 + "02")
    body, ends = extensions + udp(kept), (device + node if kept.to_node else node + device)
    return struct.pack(">IHBB", 6 << 28, len(body), first, 64) + ends + body


# Hop-by-hop, then destination options, then an atomic fragment header: all before UDP.
EXTENSIONS = bytes([60, 0]) + bytes(6) + bytes([44, 1]) + bytes(14) + bytes([17, 0]) + bytes(6)


def framed(link_type, packet):
    """The IP packet behind the header of a link."""
    kind = b"\x86\xdd" if packet[0] >> 4 == 6 else b"\x08\x00"
    return {
        ETHERNET: bytes(12) + b"\x81\x00\x00\x07" + kind + packet + bytes(max(0, 46 - len(packet))),
        RAW: packet, LOOP: b"\0\0\0\2" + packet, NULL: b"\2\0\0\0" + packet,
        SLL: bytes(14) + kind + packet, SLL2: kind + bytes(18) + packet,
    }[link_type]


def pcap(path, frames, link_type=RAW, order="<", nano=True, snap=None):
    """frames: (time_ns, bytes)."""
    with open(path, "wb") as f:
        f.write(struct.pack(order + "IHHiIII", 0xA1B23C4D if nano else 0xA1B2C3D4, 2, 4, 0, 0, snap or 262144, link_type))
        for time_ns, frame in frames:
            fraction = time_ns % 10**9 // (1 if nano else 1000)
            f.write(struct.pack(order + "IIII", time_ns // 10**9, fraction, len(frame[:snap]), len(frame)) + frame[:snap])


def block(order, kind, body):
    body += bytes(-len(body) % 4)
    size = struct.pack(order + "I", 12 + len(body))
    return struct.pack(order + "I", kind) + size + body + size


def pcapng(path, frames, link_types=(RAW,), order="<", simple=False):
    """Frame i goes to interface i modulo their number; times are in nanoseconds; a block nobody knows is between."""
    with open(path, "wb") as f:
        f.write(block(order, 0x0A0D0D0A, struct.pack(order + "IHHq", 0x1A2B3C4D, 1, 0, -1)))
        for link_type in link_types:
            options = struct.pack(order + "HHB3xHH", 9, 1, 9, 0, 0)
            f.write(block(order, 1, struct.pack(order + "HHI", link_type, 0, 0) + options))
        f.write(block(order, 0x0BAD, b"skip"))
        for number, (time_ns, frame) in enumerate(frames):
            if simple:
                f.write(block(order, 3, struct.pack(order + "I", len(frame)) + frame))
                continue
            head = struct.pack(order + "IIIII", number % len(link_types), time_ns >> 32, time_ns & 0xFFFFFFFF, len(frame),
                               len(frame))
            f.write(block(order, 6, head + frame + bytes(-len(frame) % 4) + struct.pack(order + "HH", 0, 0)))
