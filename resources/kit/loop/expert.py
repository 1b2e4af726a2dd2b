"""A scripted expert at the console's own desk: it sees what a person would see there, and decides as one who knows.

It takes a seat of its own (`script-tutor`, recorded as `scripted`), opens the answer key of each episode as the console
does, which marks what it decides as privileged, and decides every held call: lets through what the reference does, edits
what it does not into the reference's next step, and refuses what comes after the last.
"""

from __future__ import annotations

import itertools
import json
from collections import Counter
from typing import Any

from websockets.sync.client import connect

SEAT = "script-tutor"
TIMING = {"first_seen_at": None, "active_ms": None}


class Console:
    """The console's socket: requests are answered in any order, pushes come between."""

    def __init__(self, url: str, token: str) -> None:
        address = url.replace("http://", "ws://").rstrip("/")
        self._socket = connect(f"{address}/console?seat={SEAT}", subprotocols=[f"interject.{token}"], max_size=None)  # type: ignore[list-item]
        self._ids = itertools.count(1)
        self.pushes: list[dict[str, Any]] = []

    def subscribe(self, topic: str) -> None:
        self._send({"type": "subscribe", "id": next(self._ids), "topic": {"topic": topic}})

    def ask(self, method: str, value: dict[str, Any]) -> dict[str, Any]:
        """What a command answers. Raises RuntimeError with its failure."""
        number = next(self._ids)
        self._send({"type": "request", "id": number, "method": method, "input": value})
        while True:
            said = json.loads(self._socket.recv())
            if said["type"] == "push":
                self.pushes.append(said["push"])
            elif said["id"] == number and said["type"] == "value":
                return said["value"]
            elif said["id"] == number:
                raise RuntimeError(f"{method}: {said['failure']['code']}: {said['failure']['message']}")

    def next_push(self, seconds: float) -> dict[str, Any] | None:
        """The next news; None when none comes in time."""
        if self.pushes:
            return self.pushes.pop(0)
        try:
            said = json.loads(self._socket.recv(timeout=seconds))
        except TimeoutError:
            return None
        return said.get("push", {"topic": "none"})

    def _send(self, value: dict[str, Any]) -> None:
        self._socket.send(json.dumps(value))

    def close(self) -> None:
        self._socket.close()


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
        if hold["type"] != "call" or (episode, call["id"]) in self._decided:
            return
        self._decided.add((episode, call["id"]))
        if episode not in self._plans:
            key = self._console.ask("answer_key.show", {"episode": episode})
            self._plans[episode] = json.loads(key["reference"])["plan"]
        at, plan = self._done.get(episode, 0), self._plans[episode]
        about = {"episode": episode, "call": call["id"], "seen_seq": hold["seq"], "timing": TIMING}
        if at >= len(plan):
            self.counts["rejected"] += 1
            self._console.ask("call.reject", {**about, "reason": "The task is done: say so and stop."})
            return
        step = plan[at]
        self._done[episode] = at + 1
        if call["tool_name"] == step["tool"] and call["arguments"] == step["args"]:
            self.counts["approved"] += 1
            self._console.ask("call.approve", {**about, "similar": False})
            return
        self.counts["edited"] += 1
        self._console.ask(
            "call.edit",
            {**about, "tool_name": step["tool"], "arguments": step["args"], "reason": None, "is_unchecked": False},
        )


def teach(url: str, token: str, world: str, tasks: range, *, run: str, places: int) -> Counter[str]:
    """Starts an episode of each task, every call of which waits, and decides until all have ended. Returns the counts."""
    console = Console(url, token)
    expert = Expert(console)
    console.subscribe("desk")
    console.subscribe("episodes")
    waiting, running = list(tasks), set[str]()
    while waiting or running:
        while waiting and len(running) < places:
            running.update(console.ask("episode.start", _start(world, waiting.pop(0), run))["episodes"])
        push = console.next_push(60)
        if push is None:
            raise RuntimeError(f"no news for 60 s while {len(running)} episodes run")
        if push["topic"] == "desk":
            for hold in push["holds"]:
                expert.decide(hold)
        elif push["topic"] == "episodes":
            running -= {row["id"] for row in push["rows"] if row["status"] == "ended"}
    console.close()
    return expert.counts


def _start(world: str, task: int, run: str) -> dict[str, Any]:
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
        "run": run,
        "approval": {
            "rules": [{"glob": "*", "argument": None, "does": "ask", "count": None}],
            "deadline_ms": None,
            "fallback": "wait",
        },
    }
