"""Loads every exported folder with the real `datasets`, as its README declares it, and validates trajectories with the
real `atif`: `python check_exports.py FOLDER CACHE`. One JSON object a folder: its name, how many rows it has, the first
of them, and a digest of all of them."""

import hashlib
import json
import os
import sys
from pathlib import Path

os.environ["HF_HUB_OFFLINE"] = "1"

import pyarrow.parquet as parquet  # noqa: E402
from atif import Trajectory  # noqa: E402
from datasets import load_dataset  # noqa: E402  (it reads the variable when it is imported)


def main() -> None:
    for folder in sorted(Path(sys.argv[1]).iterdir()):
        # None where each row has a file of its own, in a folder.
        files = sorted((folder / "data").glob("*-train.*"))
        if folder.name.startswith("atif"):
            for line in files[0].read_text().splitlines():
                Trajectory.model_validate(json.loads(line))
        if files and files[0].suffix == ".parquet":
            assert parquet.read_table(files[0]).num_rows > 0
        rows = load_dataset(str(folder), split="train", cache_dir=sys.argv[2])
        digest = hashlib.sha256(json.dumps(list(rows), default=str).encode()).hexdigest()
        told = {"name": folder.name, "rows": len(rows), "first": rows[0], "digest": digest}
        print(json.dumps(told, default=str), flush=True)


if __name__ == "__main__":
    main()
