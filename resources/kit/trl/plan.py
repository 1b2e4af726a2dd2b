"""The plan file: how many rollouts of a group have an expert. Read again before every generation, so that whoever
withdraws the expert only writes the file."""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass
from pathlib import Path

logger = logging.getLogger("kit")


@dataclass(frozen=True)
class Plan:
    group_size: int
    expert: int

    def __post_init__(self) -> None:
        if self.group_size < 2 or not 0 <= self.expert <= self.group_size:
            raise ValueError(f"a group of {self.group_size} cannot have {self.expert} rollouts with an expert")


def read_plan(file: Path) -> Plan:
    """Raises ValueError when the file is no plan. What else stands in it is its writer's."""
    told = json.loads(file.read_text("utf-8"))
    if not isinstance(told, dict) or not all(isinstance(told.get(name), int) for name in ("group_size", "expert")):
        raise ValueError(f"{file} does not say group_size and expert")
    return Plan(told["group_size"], told["expert"])


def next_plan(file: Path, last: Plan) -> Plan:
    """The plan as the file has it now. A file that cannot be used, or another group size, leaves the last one."""
    try:
        plan = read_plan(file)
        if plan.group_size != last.group_size:
            raise ValueError(f"the group size is fixed at {last.group_size} when training starts")
        return plan
    except (OSError, ValueError) as error:
        logger.warning("%s is not followed: %s", file.name, error)
        return last
