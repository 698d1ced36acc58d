"""The source tree as the checks see it: files by their path from the root, tracked or not yet tracked."""
import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SKIPPED_DIRECTORIES = {".git", "__pycache__"}


class Tree:
    """A root folder and the text files below it. `paths` are relative, with forward slashes, sorted."""

    def __init__(self, root):
        self.root = Path(root)
        self.paths = self._tracked() if (self.root / ".git").exists() else self._walked()

    def _tracked(self):
        command = ["git", "-C", str(self.root), "-c", f"safe.directory={self.root}", "ls-files", "-z",
                   "--cached", "--others", "--exclude-standard"]
        out = subprocess.run(command, check=True, capture_output=True).stdout
        return sorted({p for p in out.decode().split("\0") if p and (self.root / p).is_file()})

    def _walked(self):
        found = []
        for folder, folders, files in os.walk(self.root):
            folders[:] = [f for f in folders if f not in SKIPPED_DIRECTORIES and not f.startswith("build")]
            found += [Path(folder, f).relative_to(self.root).as_posix() for f in files]
        return sorted(found)

    def bytes(self, path):
        return (self.root / path).read_bytes()

    def text(self, path):
        return self.bytes(path).decode("utf-8", "replace")

    def lines(self, path):
        return self.text(path).split("\n")

    def hand_written_c(self):
        """Every C source and header a person wrote."""
        return [p for p in self.paths if p.endswith((".c", ".h")) and not p.startswith("generated/")
                and not p.endswith("_ragel.c")]
