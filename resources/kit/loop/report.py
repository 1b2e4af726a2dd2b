"""What the loop shows, and what it does not: means over tasks and seeds, with intervals that resample both."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

DRAWS = 10_000


@dataclass
class Arm:
    """One way of training. `outcomes`: a row a seed, a column a held-out task, true where the verifier said complete."""

    name: str
    says: str
    outcomes: np.ndarray
    rows: int = 0
    trained_tokens: int = 0

    @property
    def mean(self) -> float:
        return float(self.outcomes.mean())


def interval(first: np.ndarray, second: np.ndarray | None = None, *, level: float = 0.95) -> tuple[float, float]:
    """The percentile interval of a mean, or of the difference of two, over tasks and seeds.

    Tasks and seeds are crossed: each draw takes tasks with replacement, the same for both arms, and seeds of each arm
    with replacement (Owen, "The pigeonhole bootstrap", Annals of Applied Statistics 2007: such intervals are wide
    enough or too wide). One untrained student is one seed.
    """
    chance = np.random.default_rng(0)
    tasks = chance.integers(first.shape[1], size=(DRAWS, first.shape[1]))

    def means(outcomes: np.ndarray) -> np.ndarray:
        seeds = chance.integers(outcomes.shape[0], size=(DRAWS, outcomes.shape[0]))
        counts = np.stack([np.bincount(row, minlength=outcomes.shape[0]) for row in seeds]) / outcomes.shape[0]
        by_task = counts @ outcomes.astype(float)
        return np.take_along_axis(by_task, tasks, axis=1).mean(axis=1)

    drawn = means(first) - (means(second) if second is not None else 0.0)
    low, high = np.percentile(drawn, [50 * (1 - level), 50 * (1 + level)])
    return float(low), float(high)


@dataclass
class Report:
    arms: list[Arm]
    facts: dict[str, Any]

    def arm(self, name: str) -> Arm:
        return next(arm for arm in self.arms if arm.name == name)

    def contrast(self, first: str, second: str, level: float) -> dict[str, Any]:
        """The difference of two arms on the same held-out tasks, and whether its interval leaves out 0."""
        one, other = self.arm(first), self.arm(second)
        low, high = interval(one.outcomes, other.outcomes, level=level)
        return {
            "first": first,
            "second": second,
            "difference": one.mean - other.mean,
            "interval": [low, high],
            "level": level,
            "is_shown": low > 0 or high < 0,
        }

    def summary(self, contrasts: list[tuple[str, str]]) -> dict[str, Any]:
        """All figures. The secondary contrasts share 5 % among them (Bonferroni)."""
        primary, *others = contrasts
        return {
            "arms": [
                {
                    "name": arm.name,
                    "says": arm.says,
                    "seeds": int(arm.outcomes.shape[0]),
                    "tasks": int(arm.outcomes.shape[1]),
                    "rows": arm.rows,
                    "trained_tokens": arm.trained_tokens,
                    "completion": arm.mean,
                    "interval": list(interval(arm.outcomes)),
                    "by_seed": [float(mean) for mean in arm.outcomes.mean(axis=1)],
                    "by_task": [float(mean) for mean in arm.outcomes.mean(axis=0)],
                }
                for arm in self.arms
            ],
            "primary": self.contrast(*primary, level=0.95),
            "secondary": [self.contrast(*pair, level=1 - 0.05 / len(others)) for pair in others],
            "facts": self.facts,
        }


def sentence(contrast: dict[str, Any]) -> str:
    """One contrast in words: a difference that is not shown is said as plainly as one that is."""
    low, high = (100 * bound for bound in contrast["interval"])
    points = 100 * contrast["difference"]
    figures = f"{points:+.1f} points, {100 * contrast['level']:.4g} % interval {low:+.1f} to {high:+.1f}"
    if not contrast["is_shown"]:
        return f"No difference shown between {contrast['first']} and {contrast['second']}: {figures}."
    more = "more" if points > 0 else "fewer"
    return f"{contrast['first']} completes {more} held-out tasks than {contrast['second']}: {figures}."


HOW = """Completion is the verifier's word on held-out tasks, in depots whose names no training saw, played alone: greedy
decoding, no grammar, nobody to ask. The unit is the task; intervals resample tasks and seeds.

How to read it:

- What there is to learn was fixed before any student was tried: of the tasks to warm up on the share `warm_moves` are
  moves to another bay, of those to learn and to be tried on about half. Names are unique where `ambiguous` is 0.
- Every student that trains more starts from the same warmed-up one and makes the same number of updates of the same
  number of rows. Demonstrations have as many trained tokens in all as interventions; their rows are longer, so an update
  reads more of them, and each token is read in fewer updates.
- The warmed-up student is one: how another warm-up would do is in no interval. Its row has no spread over seeds.
- The expert is a script that has the answer key: nothing here is about people. What the interventions cost it, beside
  what demonstrations cost, is in no figure.
- A call that the expert changed is carried out as changed: later states of the episode are those of corrected play, as in
  DAgger with an expert who takes over. A student that stops with words is not corrected: the desk holds calls only.
- The tasks are made by a program from a few sentences. What is shown here is shown for them."""


def write_report(folder: Path, report: Report, contrasts: list[tuple[str, str]]) -> Path:
    """Writes results.json and report.md. Returns the latter."""
    summary = report.summary(contrasts)
    (folder / "results.json").write_text(json.dumps(summary, indent=1) + "\n", "utf-8")
    lines = [
        "# Does stepping in teach?",
        "",
        f"**{sentence(summary['primary'])}** This contrast was fixed beforehand.",
        "",
        *(f"- {sentence(contrast)}" for contrast in summary["secondary"]),
        "",
        "| arm | trained on | rows | trained tokens | seeds | held-out tasks completed | 95 % interval | by seed |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
        *map(line_of, summary["arms"]),
        "",
        HOW,
        "",
        "| fact | value |",
        "| --- | --- |",
        *(f"| {name} | {value} |" for name, value in report.facts.items()),
    ]
    path = folder / "report.md"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def line_of(arm: dict[str, Any]) -> str:
    """An arm as a line of the table."""
    low, high = (100 * bound for bound in arm["interval"])
    seeds = ", ".join(f"{100 * mean:.0f}" for mean in arm["by_seed"])
    completed = f"{100 * arm['completion']:.1f} % of {arm['tasks']}"
    cells = [arm["name"], arm["says"], arm["rows"], arm["trained_tokens"], arm["seeds"], completed, f"{low:.1f} to {high:.1f}", seeds]
    return f"| {' | '.join(map(str, cells))} |"
