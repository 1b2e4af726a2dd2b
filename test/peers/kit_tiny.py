"""The kit's tiny random model, made of the words of a data set: `python kit_tiny.py KIT INTO DATA`."""

import sys
from pathlib import Path

kit, into, data = sys.argv[1:]
sys.path.insert(0, kit)

from smoke import tiny  # noqa: E402

tiny(into, (file.read_text("utf-8") for file in Path(data).rglob("*.jsonl")))
