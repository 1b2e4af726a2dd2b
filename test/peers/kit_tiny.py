"""The kit's tiny random model, its tokenizer trained on the words of a folder: `python kit_tiny.py KIT INTO FOLDER`."""

import sys
from pathlib import Path

kit, into, folder = sys.argv[1:]
sys.path.insert(0, kit)

from smoke import tiny  # noqa: E402

tiny(into, (file.read_text("utf-8") for file in Path(folder).rglob("*.json*")))
