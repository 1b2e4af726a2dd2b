"""The rows of an export, as the loop reads them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from transformers import AutoTokenizer


def rows_in(folder: Path, name: str) -> list[dict[str, Any]]:
    files = sorted((folder / "data").glob(f"{name}-train*.jsonl"))
    return [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()]


def words_in(rows: list[dict[str, Any]]) -> Iterator[str]:
    """What a tokenizer is trained on: every message but the system's, which the student's format leaves out."""
    for row in rows:
        for said in row["messages"]:
            if said["role"] != "system":
                yield said["content"] + "".join(json.dumps(call["function"]) for call in said.get("tool_calls", []))


def trained_tokens(student: Path, rows: list[dict[str, Any]]) -> int:
    """How many tokens of the agent's own words the rows hold: those that have a loss."""
    tokenizer = AutoTokenizer.from_pretrained(student)
    total = 0
    for row in rows:
        messages = row["messages"] if "messages" in row else [*row["prompt"], *row["completion"]]
        first = 0 if "messages" in row else len(row["prompt"])
        masked = tokenizer.apply_chat_template(messages, return_dict=True, return_assistant_tokens_mask=True)
        before = tokenizer.apply_chat_template(messages[:first], return_dict=True, return_assistant_tokens_mask=True) if first else {"assistant_masks": []}
        total += sum(masked["assistant_masks"]) - sum(before["assistant_masks"])
    return total
