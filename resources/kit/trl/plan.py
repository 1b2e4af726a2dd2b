"""Which groups have an expert: by a plan file, where one is named, in place of the curriculum that Interject serves. The file
is read again before every generation, so that whoever withdraws the expert only writes it.

A group is all with an expert or all without one: TRL compares the rollouts of a group with each other, and a rollout
without advice is no worse for what another earned with it.
"""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass
from pathlib import Path
from typing import Any

logger = logging.getLogger("kit")


@dataclass(frozen=True)
class Phase:
    expert_share: float
    """Of the groups, from 0 (none has the expert) to 1 (all have)."""
    format_error_rate_above: float | None = None
    """Format errors of the last step, as a share of its rollouts, above which this phase holds. None: always."""

    def __post_init__(self) -> None:
        if not 0 <= self.expert_share <= 1:
            raise ValueError(f"expert_share is a share of the groups, from 0 to 1, not {self.expert_share}")


@dataclass(frozen=True)
class Plan:
    """Phases in the order in which they are looked at; the last one always holds."""

    phases: tuple[Phase, ...]

    def __post_init__(self) -> None:
        thresholds = [phase.format_error_rate_above for phase in self.phases]
        if not thresholds or None in thresholds[:-1] or thresholds[-1] is not None:
            raise ValueError("every phase but the last needs format_error_rate_above, and the last has none")
        if thresholds[:-1] != sorted(thresholds[:-1], reverse=True):
            raise ValueError("phases come in order, the highest format_error_rate_above first")

    def share(self, format_error_rate: float | None) -> float:
        """The share of the groups to come that have an expert. Before anything was measured, the first phase's."""
        if format_error_rate is None:
            return self.phases[0].expert_share
        return next(
            phase.expert_share
            for phase in self.phases
            if phase.format_error_rate_above is None or format_error_rate > phase.format_error_rate_above
        )


class Arms:
    """Deals out the groups: each gets the expert or none, so that the share holds over many groups and evenly."""

    def __init__(self) -> None:
        self._owed = 0.5

    def deal(self, groups: int, share: float) -> list[bool]:
        dealt = []
        for _ in range(groups):
            self._owed += share
            dealt.append(self._owed >= 1)
            self._owed -= dealt[-1]
        return dealt


def read_plan(file: Path) -> Plan:
    """Raises ValueError when the file is no plan. What else stands in it is its writer's."""
    read = json.loads(file.read_text("utf-8"))
    if isinstance(read, dict) and _is_number(read.get("expert_share")):
        return Plan((Phase(read["expert_share"]),))
    phases = read.get("phases") if isinstance(read, dict) else None
    if not isinstance(phases, list) or not all(map(_is_phase, phases)):
        raise ValueError(f"{file} says neither expert_share, from 0 to 1, nor phases")
    return Plan(tuple(Phase(one["expert_share"], one.get("format_error_rate_above")) for one in phases))


def next_plan(file: Path, last: Plan) -> Plan:
    """The plan as the file has it now. A file that cannot be used leaves the last one."""
    try:
        return read_plan(file)
    except (OSError, ValueError) as error:
        logger.warning("%s is not followed: %s", file.name, error)
        return last


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_phase(value: Any) -> bool:
    if not isinstance(value, dict) or not _is_number(value.get("expert_share")):
        return False
    return "format_error_rate_above" not in value or _is_number(value["format_error_rate_above"])
