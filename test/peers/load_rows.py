"""Loads an exported folder with the real `datasets`, as its README declares it: `python load_rows.py FOLDER CACHE`. One JSON object a row."""

import json
import os
import sys

os.environ["HF_HUB_OFFLINE"] = "1"

from datasets import load_dataset  # noqa: E402  (it reads the variable when it is imported)


def main() -> None:
    for row in load_dataset(sys.argv[1], split="train", cache_dir=sys.argv[2]):
        print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
