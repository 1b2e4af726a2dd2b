"""The rows of an export, as the loop reads them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def rows_in(folder: Path, name: str) -> list[dict[str, Any]]:
    files = sorted((folder / "data").glob(f"{name}-train*.jsonl"))
    return [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()]


def messages_of(row: dict[str, Any]) -> tuple[list[dict[str, Any]], int]:
    """The messages of a row, and from which of them on the agent's own are trained on."""
    return (row["messages"], 0) if "messages" in row else ([*row["prompt"], *row["completion"]], len(row["prompt"]))


def words_in(rows: list[dict[str, Any]]) -> Iterator[str]:
    """What a tokenizer is trained on: every message but the system's, which the student's format leaves out."""
    for row in rows:
        for said in row["messages"]:
            if said["role"] != "system":
                yield said["content"] + "".join(json.dumps(call["function"]) for call in said.get("tool_calls", []))
