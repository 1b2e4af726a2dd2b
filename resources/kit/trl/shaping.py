"""The graduated reward of the expert-in-the-loop recipe: the verifier's word, and how the agent asked.

One place for its numbers and rules. `shaped_environment.py` gives it as the environment's reward; `grpo.py` logs it as
a diagnostic. A mean of it is no headline: in the recipe's own evaluation it moved while completion did not.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from schemas import is_valid

Outcome = Literal["ok", "failed", "format_error"]
Help = Literal["none", "advised", "unknown"]
Pattern = Literal["solo", "recovery", "blind", "unknown"]

FORMAT_ERRORS = {"tool_not_found", "invalid_args", "invalid_action"}
HOST_TOOLS = {"verify", "done", "__list_scenarios__", "reset", "step", "state", "close"}
TOOL_ERRORS = FORMAT_ERRORS | {"timeout", "server_error", "episode_already_done"}


@dataclass
class Facts:
    """What one episode's reward is made from."""

    label: str | None = None
    """The verifier's word."""
    outcomes: list[Outcome] = field(default_factory=list)
    """Each call of the agent, in order."""
    helped_after: int | None = None
    """How many calls came before the first help: an ask, or a note of a person. None: no help was seen."""
    help: Help = "unknown"
    """Whether anybody helped, as far as that is known: `none` where an expert that nobody saw is ruled out."""
    unsent: int = 0
    """Badly formed turns that never reached the environment: an unknown tool, a call that cannot be read."""
    other_turns: int = 0
    """Well-formed turns that were no call of the environment's: asks, listings, the final answer."""

    @property
    def turns(self) -> int:
        return len(self.outcomes) + self.unsent + self.other_turns

    @property
    def well_formed(self) -> int:
        return len(self.outcomes) - self.outcomes.count("format_error") + self.other_turns


@dataclass(frozen=True)
class Shaping:
    complete: float = 1.0
    incomplete: float = 0.1
    format_error: float = -1.0
    other: float = 0.0
    solo: float = 1.0
    recovery: float = 0.3
    blind: float = -0.2
    format_error_share: float = 0.5
    """An episode that was not completed counts as a format error when more than this share of its turns were."""

    def __post_init__(self) -> None:
        # The sums that are paid, not the modifiers: beside a large base a small difference would vanish.
        solo, recovery, blind = (self.complete + added for added in (self.solo, self.recovery, self.blind))
        if not 0 <= self.format_error_share <= 1:
            raise ValueError("format_error_share is a share of the turns")
        if not solo > recovery > blind:
            raise ValueError("the order solo > recovery > blind does not hold")
        if blind <= max(self.incomplete, self.format_error, self.other):
            raise ValueError("a task completed after a blind ask would earn no more than one that was not completed")


@dataclass(frozen=True)
class Shaped:
    total: float
    base: float
    modifier: float
    pattern: Pattern | None
    """How the agent was helped; None where the task was not completed."""


def read_shaping(file: str | None) -> Shaping:
    """Numbers of a JSON file over the defaults. Raises ValueError where the order of the patterns would not hold."""
    return Shaping() if file is None else Shaping(**json.loads(Path(file).read_text("utf-8")))


def outcome_of(
    observation: dict[str, Any], name: str, arguments: dict[str, Any], schemas: dict[str, dict[str, Any]] | None = None
) -> Outcome:
    """How a call went: whether it failed, and whether that was its form.

    schemas: each listed tool's input schema by the environment's name; None or empty where no listing is known. A
    missing record is "not found" too, so a listed tool is judged by its schema and not by the environment's label.
    """
    label, error = observation.get("reward_type"), observation.get("error")
    if error is None and label not in TOOL_ERRORS:
        return "ok"
    breaks = _breaks_listing(name, arguments, schemas or {})
    if breaks is None:
        breaks = label in FORMAT_ERRORS
        if label == "tool_not_found":
            breaks = not schemas if error is None else _names_unknown_tool(str(error), name)
    return "format_error" if breaks else "failed"


def _breaks_listing(name: str, arguments: dict[str, Any], schemas: dict[str, dict[str, Any]]) -> bool | None:
    """None where the listing does not tell."""
    if not schemas or name in HOST_TOOLS:
        return None
    if name not in schemas:
        return True
    if not is_valid(schemas[name], arguments):
        return True
    return False if isinstance(schemas[name].get("properties"), dict) else None


def _names_unknown_tool(error: str, tool: str) -> bool:
    """Whether an error says that there is no tool of this name, and not that something else is missing."""
    said, name = _plain(error), _plain(tool)
    phrases = (
        f"unknown tool {name}",
        f"no such tool {name}",
        f"no tool {name}",
        f"no tool named {name}",
        f"tool {name} not found",
        f"tool {name} was not found",
        f"tool {name} does not exist",
        f"tool {name} is unknown",
    )
    return any(f" {words} " in f" {said} " for words in phrases)


def _plain(text: str) -> str:
    return re.sub(r"[^a-z0-9_]+", " ", text.lower()).strip()


def pattern_of(facts: Facts) -> Pattern:
    """Recovery is being helped after a call of one's own that failed. A badly formed call is no try, or breaking one on
    purpose would make every blind ask a recovery. Where no help was seen, the episode is solo only when it is known that
    there was none."""
    if facts.helped_after is None:
        return "solo" if facts.help == "none" else "unknown"
    return "recovery" if "failed" in facts.outcomes[: facts.helped_after] else "blind"


def shaped(facts: Facts, numbers: Shaping) -> Shaped:
    if facts.label == "complete":
        pattern = pattern_of(facts)
        # Help that is hidden must not pay more than help that is shown.
        modifiers = {"solo": numbers.solo, "recovery": numbers.recovery, "blind": numbers.blind}
        modifier = float(modifiers.get(pattern, min(modifiers.values())))
        return Shaped(numbers.complete + modifier, numbers.complete, modifier, pattern)
    base = _base(facts, numbers)
    return Shaped(base, base, 0.0, None)


def is_format_error(facts: Facts, numbers: Shaping) -> bool:
    """Whether an episode counts as a format error: it was not completed, and too many of its turns were badly formed."""
    if facts.label == "complete" or facts.turns == 0:
        return False
    # A share of all turns: one well-formed turn among many that are not is no way out.
    return (facts.turns - facts.well_formed) / facts.turns > numbers.format_error_share


def _base(facts: Facts, numbers: Shaping) -> float:
    if is_format_error(facts, numbers):
        return numbers.format_error
    return numbers.incomplete if facts.label == "incomplete" else numbers.other
