"""Ends with an error if the programs of the second implementation see anything of src/, or of OpenSSL."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "interop"))
import apart

found = list(apart.problems(pathlib.Path(sys.argv[1])))
print("\n".join(found) or "links nothing of src/, and no crypto library but nettle")
sys.exit(bool(found))
