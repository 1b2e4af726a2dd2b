"""Loads rows as the kit does: `python load_kit_rows.py KIT FOLDER FORMAT`. One JSON object a row, or what the kit said."""

import json
import os
import sys

os.environ["HF_HUB_OFFLINE"] = "1"
kit, folder, name = sys.argv[1:]
sys.path.insert(0, kit)

from rows import rows_of  # noqa: E402

try:
    for row in rows_of(folder, name)["train"]:
        print(json.dumps(row))
except SystemExit as refused:
    print(json.dumps({"refused": str(refused)}))
