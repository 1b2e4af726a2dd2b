"""TRL's own checks on exported rows: `python kit_rows.py KIT WORK FOLDER:FORMAT…`. Prints JSON, an object a line.

Every chat template that TRL ships and itself calls fit for tools must render every row, with each tool call in it.
"""

import json
import os
import sys
from pathlib import Path

os.environ["HF_HUB_OFFLINE"] = "1"
kit, work, *exports = sys.argv[1:]
sys.path.insert(0, kit)

import trl  # noqa: E402
from transformers import AutoTokenizer  # noqa: E402
from trl.chat_template_utils import supports_tool_calling  # noqa: E402
from trl.data_utils import apply_chat_template, is_conversational  # noqa: E402

from rows import rows_of  # noqa: E402
from smoke import tiny  # noqa: E402

TEMPLATES = sorted((Path(trl.__file__).parent / "chat_templates").glob("*.jinja"))
COLUMNS = ("prompt", "completion", "chosen", "rejected", "messages", "tools")


def called(row: dict) -> set[str]:
    """Names of the tools that a row's conversation calls."""
    messages = [message for name in COLUMNS[:-1] for message in row.get(name) or []]
    return {call["function"]["name"] for message in messages for call in message.get("tool_calls") or []}


def problem(row: dict, tokenizer) -> str | None:
    try:
        texts = apply_chat_template({name: row[name] for name in COLUMNS if name in row}, tokenizer, row.get("tools"))
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    missing = {name for name in called(row) if not any(name in text for text in texts.values())}
    return f"left out: {sorted(missing)}" if missing else None


for export in exports:
    folder, name = export.rsplit(":", 1)
    rows = list(rows_of(folder, name)["train"])
    tokenizer = AutoTokenizer.from_pretrained(tiny(work, map(json.dumps, rows)))
    print(json.dumps({"format": name, "rows": len(rows), "conversational": sum(map(is_conversational, rows))}))
    for template in TEMPLATES:
        tokenizer.chat_template = template.read_text("utf-8")
        if not supports_tool_calling(tokenizer):
            continue
        problems = [found for row in rows if (found := problem(row, tokenizer)) is not None]
        print(json.dumps({"format": name, "template": template.stem, "problems": problems[:1]}))
