"""A student without a network, for where torch is not: it remembers the replies of its rows, and does in a task that reads
like one of them what was done there, with what stands in the same places.

What it can do it has read in exported rows: one that never saw a crate moved moves none.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from exported import messages_of, rows_in

FILE = "table.json"
WORDS = re.compile(r"\w+|[^\w\s]")

Example = dict[str, Any]
"""A reply of a row, what it was said after (the task, the results so far), and how it is written."""


def write_new(folder: Path, rows: list[dict[str, Any]], **_: int) -> str:
    """Writes a student that knows nothing. Returns what it is, in words."""
    _write(folder, [])
    return "a table of no replies"


def train(
    students: dict[str, int], models: Path, start: str, data: Path, kind: str, log: Path, *, steps: int, batch: int, rate: float
) -> None:
    """Adds to what `start` knows the replies of as many rows as so many updates would read, drawn by each seed."""
    rows = rows_in(data, kind)
    for name, seed in students.items():
        drawn = random.Random(seed).choices(range(len(rows)), k=steps * batch)
        learned = [example for at in sorted(set(drawn)) for example in examples_in(rows[at])]
        _write(models / name, [*_read(models / start), *learned])


def trained_tokens(folder: Path, rows: list[dict[str, Any]]) -> int:
    """How many words of the agent's own the rows hold."""
    return sum(len(WORDS.findall(example["text"])) for row in rows for example in examples_in(row))


class Students:
    """Answers as the student of a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._tables: dict[str, list[Example]] = {}

    def reply(self, name: str, messages: list[dict[str, Any]]) -> tuple[str, int, int]:
        """What it says next, and how many words were read and written. Raises KeyError for a name that is no student."""
        if not re.fullmatch(r"[\w.-]+", name) or not (self._folder / name / FILE).is_file():
            raise KeyError(name)
        table = self._tables.setdefault(name, _read(self._folder / name))
        task, results = _seen(messages)
        alike = [example for example in table if len(example["results"]) == len(results)]
        nearest = max(alike, key=lambda example: _likeness(example["task"], task), default=None)
        text = "" if nearest is None else _written(nearest, task, results)
        return text, len(WORDS.findall(task)), len(WORDS.findall(text))


def examples_in(row: dict[str, Any]) -> Iterator[Example]:
    """The replies of a row that are trained on."""
    messages, first = messages_of(row)
    for at, said in enumerate(messages):
        if at < first or said["role"] != "assistant":
            continue
        task, results = _seen(messages[:at])
        yield {"task": task, "results": results, "text": _text_of(said)}


def _text_of(said: dict[str, Any]) -> str:
    calls = [call["function"] for call in said.get("tool_calls") or []]
    if not calls:
        return said["content"] or ""
    return "".join(
        f"<tool_call>{json.dumps({'name': call['name'], 'arguments': _parsed(call['arguments'])})}</tool_call>" for call in calls
    )


def _seen(messages: list[dict[str, Any]]) -> tuple[str, list[str]]:
    task = next((said["content"] for said in messages if said["role"] == "user"), "")
    return task, [said["content"] for said in messages if said["role"] == "tool"]


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, WORDS.findall(one), WORDS.findall(other), autojunk=False).ratio()


def _written(example: Example, task: str, results: list[str]) -> str:
    """The remembered reply, each of its values that stood in what came before replaced by what stands there now."""
    places = [(example["task"], task), *zip(example["results"], results, strict=True)]
    tag = re.compile(r"<tool_call>(.*?)</tool_call>", re.DOTALL)

    def now(found: re.Match[str]) -> str:
        call = json.loads(found[1])
        arguments = {name: _copied(value, places) for name, value in call["arguments"].items()}
        return f"<tool_call>{json.dumps({'name': call['name'], 'arguments': arguments})}</tool_call>"

    return tag.sub(now, example["text"])


def _copied(value: Any, places: list[tuple[str, str]]) -> Any:
    for then, now in places:
        found = _in_place(WORDS.findall(str(value)), WORDS.findall(then), WORDS.findall(now))
        if found is not None:
            return _parsed(found) if isinstance(value, int) else found
    return value


def _in_place(value: list[str], then: list[str], now: list[str]) -> str | None:
    """What stands in `now` where `value` stands in `then`; None where it does not stand there as a part of its own."""
    at = next((at for at in range(len(then) - len(value), -1, -1) if then[at : at + len(value)] == value), None)
    if at is None:
        return None
    first, last = None, None
    for what, start, end, other_start, other_end in SequenceMatcher(None, then, now, autojunk=False).get_opcodes():
        if start <= at < end:
            first = other_start + (at - start if what == "equal" else 0)
        if start < at + len(value) <= end:
            last = other_start + at + len(value) - start if what == "equal" else other_end
    return None if first is None or last is None else " ".join(now[first:last])


def _parsed(text: Any) -> Any:
    try:
        return json.loads(text) if isinstance(text, str) else text
    except ValueError:
        return text


def _read(folder: Path) -> list[Example]:
    return json.loads((folder / FILE).read_text("utf-8"))


def _write(folder: Path, table: list[Example]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / FILE).write_text(json.dumps(table), "utf-8")
