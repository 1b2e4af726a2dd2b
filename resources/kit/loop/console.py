"""The console's socket, for scripts that act as somebody at the desk. The one reader of it in Python.

It speaks one version of the socket, which is said in the first frame: an Interject that speaks another one refuses it and
says both.
"""

from __future__ import annotations

import itertools
import json
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

VERSION = 1
"""As `SOCKET_VERSION` in src/shared/contract/envelope.ts."""


class Console:
    """One line to the console: what is asked is answered in any order, and news comes between."""

    def __init__(self, url: str, token: str, seat: str) -> None:
        address = url.replace("http", "ws", 1).rstrip("/")
        self._socket = connect(f"{address}/console?seat={seat}", subprotocols=[f"interject.{token}"], max_size=None)  # type: ignore[list-item]
        self._ids = itertools.count(1)
        self._desk: dict[str, Any] | None = None
        self._news: list[dict[str, Any]] = []
        self._send({"type": "hello", "id": next(self._ids), "version": VERSION})

    def subscribe(self, topic: str) -> None:
        self._send({"type": "subscribe", "id": next(self._ids), "topic": {"topic": topic}})

    def ask(self, method: str, value: dict[str, Any]) -> Any:
        """What a command answers. Raises RuntimeError with its failure."""
        number = next(self._ids)
        self._send({"type": "request", "id": number, "method": method, "input": value})
        while True:
            said = self._read(None)
            if said["type"] == "push":
                self._news.append(said["push"])
            elif said["id"] == number:
                return said["value"]

    def next_push(self, seconds: float) -> dict[str, Any] | None:
        """The next news; None when none comes in time. Raises RuntimeError where something that was asked for is refused."""
        if self._news:
            return self._news.pop(0)
        try:
            while (said := self._read(seconds))["type"] != "push":
                pass
        except TimeoutError:
            return None
        return said["push"]

    def close(self) -> None:
        self._socket.close()

    def _send(self, value: dict[str, Any]) -> None:
        try:
            self._socket.send(json.dumps(value))
        except ConnectionClosed:
            # Why it was closed stands in what came before.
            self._read(0)

    def _read(self, seconds: float | None) -> dict[str, Any]:
        """The next frame, as a value or a push."""
        try:
            said = json.loads(self._socket.recv(timeout=seconds))
        except ConnectionClosed as closed:
            raise RuntimeError(f"the console closed the line: {closed}") from closed
        if said["type"] == "failure":
            failure = said["failure"]
            raise RuntimeError(f"{failure['code']}: {failure['message']} {failure['next'] or ''}".strip())
        if said["type"] == "desk":
            return {"type": "push", "id": said["id"], "push": self._desk_after(said["desk"])}
        if said["type"] not in ("push", "value"):
            raise RuntimeError(f"the console sent a frame of the kind {said['type']}, which this script cannot read")
        if said["type"] == "push" and said["push"]["topic"] == "desk":
            self._desk = said["push"]
        return said

    def _desk_after(self, changes: dict[str, Any]) -> dict[str, Any]:
        """The desk once these changes are made to the one told before: a number is a line of that one, by its place."""
        before = self._desk
        if before is None:
            raise RuntimeError("the console told changes of a desk that it never told")
        lines = {name: [before[name][line] if isinstance(line, int) else line for line in changes[name]] for name in ("items", "holds")}
        self._desk = {"topic": "desk", **changes, **lines}
        return self._desk
