"""Reads a split manifest as the public recipe's scripts do, and says what the kit makes of the rules of an export.

    read_split.py MANIFEST KIT DATA
"""

import json
import sys
from pathlib import Path

manifest, kit, data = sys.argv[1:]
sys.path.insert(0, kit)
from held_out import held_out, refuse_held_out  # noqa: E402

FIELDS = {
    "prefixes": list,
    "verifier_mode": str,
    "hf_repo_id": (str, type(None)),
    "hf_repo_type": (str, type(None)),
    "verifier_file": (str, type(None)),
    "max_tasks": (int, type(None)),
    "filtered": bool,
    "val_fraction": float,
    "seed": int,
    "num_train": int,
    "num_val": int,
}
read = json.loads(Path(manifest).read_text("utf-8"))
meta = read["meta"]
for name, kind in FIELDS.items():
    assert isinstance(meta[name], kind), (name, meta[name])
sides = {side: [(str(scenario), int(index)) for scenario, index in read[side]] for side in ("train", "val")}
assert (len(sides["train"]), len(sides["val"])) == (meta["num_train"], meta["num_val"])
assert not set(sides["train"]) & set(sides["val"])


def refused(scenario: str, index: int) -> bool:
    try:
        refuse_held_out(Path(data), scenario, [index])
    except SystemExit:
        return True
    return False


print(
    json.dumps(
        {
            "train": len(sides["train"]),
            "val": len(sides["val"]),
            "refused": {side: [refused(*task) for task in tasks] for side, tasks in sides.items()},
            "held_out": sorted(held_out(Path(data))),
        }
    )
)
