"""Writes three depots of the loop into a folder, twice: `python write_depots.py KIT FOLDER`. Prints a line of JSON: how many
names stand in two of all the depots there can be, and what is said when more are asked for."""

import json
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, sys.argv[1])
from depot import PARTS, names_of, write_pack  # noqa: E402

depots = {kind: names_of(kind, len(parts)) for kind, parts in PARTS.items()}
for again in ("first", "second"):
    for at, (kind, moves) in enumerate((("warm", 0.0), ("train", 0.5), ("held", 0.5))):
        names = depots[kind][0]
        folder = Path(sys.argv[2]) / again
        write_pack(folder, f"depot_{at}", seed=at, names=names, count=30, is_ambiguous=at > 0, moves=moves)
stands = Counter(name for kind in depots.values() for names in kind for name in names.all())
try:
    names_of("warm", len(PARTS["warm"]) + 1)
    said = "nothing"
except ValueError as refused:
    said = str(refused)
print(json.dumps({"shared_names": sum(count > 1 for count in stands.values()), "said": said}))
