"""Writes three depots of the loop into a folder, twice: `python write_depots.py KIT FOLDER`. Prints a line of JSON."""

import json
import sys
from pathlib import Path

sys.path.insert(0, sys.argv[1])
from depot import Names, write_pack  # noqa: E402

for again in ("first", "second"):
    for at, is_ambiguous in enumerate((False, True, True)):
        folder = Path(sys.argv[2]) / again
        write_pack(folder, f"depot_{at}", seed=at, names=Names(at, 4), count=30, is_ambiguous=is_ambiguous)
print(json.dumps({"shared_names": len({*Names(0, 4).all()} & {*Names(1, 4).all()} | {*Names(1, 4).all()} & {*Names(2, 4).all()})}))
