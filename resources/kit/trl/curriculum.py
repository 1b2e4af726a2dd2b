"""The curriculum that Interject serves: with how much help the next step is played, and what it is told of the run.

Asked once a step; the same step always has the same answer, so every process may ask. What came of rollouts through the
tap Interject knows by itself: told are the tasks, and the trainer's own metrics.
"""

from __future__ import annotations

import json
import logging
import math
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from typing import Any

from transformers import TrainerCallback

logger = logging.getLogger("kit")

Task = tuple[str, int]


@dataclass(frozen=True)
class StepPlan:
    expert_share: float
    """Of the groups of tasks that have the expert."""
    without_expert: frozenset[Task] = frozenset()
    hints: dict[Task, str] = field(default_factory=dict)
    """For groups without the expert: knowledge, plan or solution."""


class Curriculum:
    """The plans of one run. One that cannot be had leaves the last, with a line in the log."""

    def __init__(self, address: str, key: str, run: str) -> None:
        self.run = run
        self._address = address.rstrip("/")
        self._key = key
        self._last = StepPlan(0.0)

    def begin(self, tasks: list[Task], is_resumed: bool) -> bool:
        """Names the tasks. False where this Interject has no curriculum. A run that begins takes a name of its own."""
        named = [{"scenario": scenario, "task_idx": index} for scenario, index in tasks]
        base, number = self.run, 1
        while True:
            report = {"run": self.run, "id": f"tasks {len(named)} {hash_of(named)}", "tasks": named}
            try:
                newest = self._call("/curriculum/report", report)["newest_step"]
            except urllib.error.HTTPError as error:
                if error.code == 404:
                    return False
                raise SystemExit(f"The curriculum: {error.read().decode('utf-8', 'replace')}") from error
            if newest == 0 or is_resumed:
                return True
            number += 1
            self.run = f"{base}-{number}"
            logger.warning("%s was trained up to step %s: this run is called %s", base, newest, self.run)

    def next(self, step: int, group: int) -> StepPlan:
        wanted = {"run": self.run, "step": step, "group": group}
        try:
            self._last = read_step(self._call("/curriculum/next", wanted))
        except (OSError, ValueError, KeyError) as error:
            logger.warning("no plan of step %s: %s", step, error)
        return self._last

    def tell(self, name: str, step: int, metrics: dict[str, Any]) -> None:
        """The trainer's own numbers of a step; Interject shows them while it trains."""
        numbers = {key: one for key, one in metrics.items() if isinstance(one, int | float) and math.isfinite(one)}
        try:
            self._call("/curriculum/report", {"run": self.run, "id": name, "metrics": [{**numbers, "step": step}]})
        except OSError as error:
            logger.warning("Interject has no metrics of step %s: %s", step, error)

    def _call(self, path: str, body: Any) -> dict[str, Any]:
        request = urllib.request.Request(
            self._address + path,
            data=json.dumps(body).encode("utf-8"),
            headers={"Authorization": "Bearer " + self._key, "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=60) as response:
            return json.loads(response.read().decode("utf-8"))


class Telling(TrainerCallback):
    """Tells Interject what TRL logs, once a step."""

    def __init__(self, curriculum: Curriculum, session: str) -> None:
        self._curriculum = curriculum
        self._session = session
        self._told = 0

    def on_log(self, args: Any, state: Any, control: Any, logs: dict[str, Any] | None = None, **_: Any) -> None:
        if state.is_world_process_zero and logs:
            self._told += 1
            self._curriculum.tell(f"log {self._session} {self._told}", state.global_step, logs)


def read_step(plan: dict[str, Any]) -> StepPlan:
    tasks = plan["tasks"]
    return StepPlan(
        plan["expert_share"],
        frozenset(task_of(task) for task in tasks if not task["has_expert"]),
        {task_of(task): task["hint"] for task in tasks if task["hint"] != "none"},
    )


def task_of(row: dict[str, Any]) -> Task:
    return row["scenario"], row["task_idx"]


def hash_of(value: Any) -> str:
    """A short name for a value, the same in every process."""
    number = 0
    for byte in json.dumps(value, sort_keys=True).encode("utf-8"):
        number = (number * 31 + byte) % 2**48
    return f"{number:x}"
