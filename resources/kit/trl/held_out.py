"""The tasks that the data set's own rules hold out: what is measured on them must never have been trained on."""

from __future__ import annotations

import json
import re
from pathlib import Path


def held_out(data: Path) -> set[tuple[str, int]]:
    """Of the rules that lie beside the rows; none where there are no rules.

    The environment of a task is left aside: what is held out in one of them is not trained on in any.
    """
    try:
        rules = json.loads((data / "rules.json").read_text("utf-8"))["rules"]
    except FileNotFoundError:
        return set()
    return {(scenario_key(scenario), index) for scenario, index, *_ in rules.get("held_out", [])}


def scenario_key(name: str) -> str:
    """A scenario as Agent World Model joins names across files."""
    return re.sub("_+", "_", re.sub("[^a-z0-9_]", "_", name.lower())).strip("_")


def refuse_held_out(data: Path, scenario: str, tasks: list[int]) -> None:
    """Ends the program where a task that is named to train on is held out."""
    kept = held_out(data)
    if named := [index for index in tasks if (scenario_key(scenario), index) in kept]:
        raise SystemExit(f"{scenario}: tasks {', '.join(map(str, named))} are held out of training. Leave them out of --tasks.")
