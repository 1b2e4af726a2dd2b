"""A scripted expert at the console's own desk: it sees what a person would see there, and decides as one who knows.

It takes a seat of its own (`script-tutor`, recorded as `scripted`), opens the answer key of each episode as the console
does, which marks what it decides as privileged, and decides every held call: lets through what the reference does, edits
what it does not into the reference's next step, and takes over with the final answer when the agent goes on after it.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from console import Console

SEAT = "script-tutor"
TIMING = {"first_seen_at": None, "active_ms": None}


class Expert:
    """Decides held calls by the reference plan of the answer key."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._plans: dict[str, list[dict[str, Any]]] = {}
        self._done: dict[str, int] = {}
        self._decided: set[tuple[str, str]] = set()
        self.counts: Counter[str] = Counter()

    def decide(self, hold: dict[str, Any]) -> None:
        call, episode = hold["call"], hold["episode"]
        if call is None or (episode, call["id"]) in self._decided:
            return
        self._decided.add((episode, call["id"]))
        if episode not in self._plans:
            key = self._console.ask("answer_key.show", {"episode": episode})
            self._plans[episode] = json.loads(key["reference"])["plan"]
        at, plan = self._done.get(episode, 0), self._plans[episode]
        about = {"episode": episode, "call": call["id"], "seen_seq": hold["seq"], "timing": TIMING}
        if at >= len(plan):
            self._finish(episode)
            return
        step = plan[at]
        self._done[episode] = at + 1
        if call["tool_name"] == step["tool"] and call["arguments"] == step["args"]:
            self.counts["approved"] += 1
            self._console.ask("call.decide", {**about, "act": "approve", "similar": False})
            return
        self.counts["edited"] += 1
        changed = {"tool_name": step["tool"], "arguments": step["args"], "reason": None, "is_unchecked": False}
        self._console.ask("call.decide", {**about, "act": "edit", **changed})

    def _finish(self, episode: str) -> None:
        """Takes over from an agent that goes on after the last step, and gives the final answer."""
        self.counts["taken over"] += 1
        take = {"act": "take_over", "at_once": True, "reason": None, "note": None, "is_discarded": False}
        self._console.ask("episode.control", {"episode": episode, **take})
        move = {"type": "final", "text": "Done."}
        self._console.ask("takeover.move", {"episode": episode, "say": "", "move": move, "is_unchecked": False})


def teach(url: str, token: str, world: str, tasks: range, *, places: int) -> tuple[Counter[str], list[str]]:
    """Starts an episode of each task, every call of which waits, and decides until all have ended. Returns how often it
    did what, and the episodes."""
    console = Console(url, token, SEAT)
    expert = Expert(console)
    console.subscribe("desk")
    console.subscribe("episodes")
    waiting, running, episodes = list(tasks), set[str](), list[str]()
    while waiting or running:
        while waiting and len(running) < places:
            begun = console.ask("episode.start", _start(world, waiting.pop(0)))["episodes"]
            running.update(begun)
            episodes += begun
        push = console.next_push(60)
        if push is None:
            raise RuntimeError(f"no news for 60 s while {len(running)} episodes run")
        if push["topic"] == "desk":
            for hold in push["holds"]:
                expert.decide(hold)
        elif push["topic"] == "episodes":
            running -= {row["id"] for row in push["rows"] if row["status"] == "ended"}
    console.close()
    return expert.counts, episodes


def _start(world: str, task: int) -> dict[str, Any]:
    return {
        "environment": "builtin",
        "scenario": world,
        "task_idx": task,
        "agent": {"policy": "chat", "protocol": "native", "model": None},
        "condition": "none",
        "deadline_ms": None,
        "fallback": "wait",
        "seed": 0,
        "repeats": 1,
        "limits": {"turns": 8},
        "reset": {},
        "run": "helped",
        "approval": {
            "rules": [{"glob": "*", "argument": None, "does": "ask", "count": None}],
            "deadline_ms": None,
            "fallback": "wait",
        },
    }
