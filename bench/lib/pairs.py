"""What the comparisons share: programs run pinned, their RESULTs read, ratios taken within pairs, medians and ranges.

Absolute times drift on a shared machine; two programs that run right after one another drift alike. So what is compared
runs in turn, A B A B, and a ratio is taken within each round.
"""
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
BUILD = os.path.join(ROOT, os.environ.get("BUILD", "build-bench"))
RIVALS = os.environ.get("RIVALS_DIR", os.path.join(ROOT, "build", "rivals"))
QUINN = os.path.join(RIVALS, "quinn", "release", "rival-quinn")
SMALL = os.environ.get("SIZE") == "small"
MIX = os.path.join(ROOT, "bench", "mix", "apt-history.sizes")
TMPFS = "/dev/shm"


def program(name):
    path = os.path.join(BUILD, "bench", name)
    if not os.path.exists(path):
        sys.exit(f"{os.path.basename(sys.argv[0])}: {path} is not built: make benches")
    return path


def has_quinn():
    return os.path.exists(QUINN)


def say_rivals():
    """Tells what is missing where quinn is not built."""
    if not has_quinn():
        print("quinn is not built, so nothing is compared with it: `make rivals` (needs cargo and the crates registry)\n")


def many_files():
    """A socket for each of 1,000 and more devices."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def result_of(text, who):
    lines = [line for line in text.splitlines() if line.startswith("RESULT ")]
    if not lines:
        sys.exit(f"{who} ended without a RESULT:\n{text}")
    return json.loads(lines[-1][len("RESULT "):])


def run(name, *options, aead=None, env=None):
    """The RESULT of one of our programs, which pins its processes itself."""
    extra = dict(env or {}, **({"AEAD": aead} if aead else {}))
    done = subprocess.run([program(name), *map(str, options)], stdout=subprocess.PIPE, text=True, check=False,
                          env={**os.environ, **extra})
    if done.returncode != 0:
        sys.exit(f"{name} {' '.join(map(str, options))} ended with {done.returncode}")
    return result_of(done.stdout, name)


def pinned(core, *command):
    cores = sorted(os.sched_getaffinity(0))
    return ["taskset", "-c", str(cores[core % len(cores)]), *map(str, command)] if shutil.which("taskset") else \
        [*map(str, command)]


def quinn(role, *options, service=()):
    """RESULTs of client and service of the rival, a core each."""
    with tempfile.TemporaryDirectory() as scratch:
        common = ["--certificate", os.path.join(scratch, "certificate.der"), *options]
        server = subprocess.Popen(pinned(1, QUINN, "service", *common, *service), stdout=subprocess.PIPE, text=True)
        line = server.stdout.readline().split()
        if len(line) != 2:
            sys.exit("the rival's service did not start")
        client = subprocess.run(pinned(0, QUINN, role, *common, "--port", line[1]), stdout=subprocess.PIPE, text=True,
                                check=False)
        if client.returncode != 0:
            server.kill()
            sys.exit(f"the rival's client ended with {client.returncode}")
        theirs = result_of(server.stdout.read(), "the rival's service")
        if server.wait() != 0:
            sys.exit("the rival's service failed")
    return result_of(client.stdout, "the rival's client"), theirs


def median(values):
    return statistics.median(values)


def spread(values, digits=2):
    """median (lowest to highest)"""
    return f"{median(values):.{digits}f} ({min(values):.{digits}f} to {max(values):.{digits}f})"


def busy_jiffies():
    """Of all processors together, from /proc/stat: idle and waiting for disks left out."""
    with open("/proc/stat", encoding="ascii") as stat:
        fields = [int(n) for n in stat.readline().split()[1:9]]
    return sum(fields) - fields[3] - fields[4]


class Busy:
    """How long all processors together were busy meanwhile, beside what the programs used themselves."""

    def __init__(self):
        self.before, self.counted_ns = busy_jiffies(), 0.0

    def count(self, ns_each, count):
        self.counted_ns += ns_each * count

    def line(self):
        busy = (busy_jiffies() - self.before) / os.sysconf("SC_CLK_TCK")
        return (f"/proc/stat: all processors together were busy for {busy:.1f} s; what is counted above, of user + system "
                f"time, is {self.counted_ns / 1e9:.1f} s (start, key exchange and clean-up are not).")


def table(head, rows):
    """A Markdown table, the first column to the left."""
    print("| " + " | ".join(head) + " |")
    print("|:---|" + "---:|" * (len(head) - 1))
    for row in rows:
        print("| " + " | ".join(row) + " |", flush=True)
    print()


def judged(value, goal, at_least=False, digits=2):
    """A figure beside its goal, with what became of it."""
    met = value >= goal if at_least else value <= goal
    return f"{value:.{digits}f}", f"{'>=' if at_least else '<='} {goal:g}", "met" if met else "missed"


def finish(result):
    print("RESULT " + json.dumps(result))
