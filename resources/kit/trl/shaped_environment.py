"""An OpenEnv server in front of yours that shapes its reward: rewards stay in the environment.

    python shaped_environment.py --env http://127.0.0.1:8899 --port 8900
    interject serve --env http://127.0.0.1:8900

Frames pass as they are. Only the answer to `verify` changes: its `reward` becomes the shaped one, and
`observation.metadata.shaping` says what it is made of, the environment's own reward included. What the client alone
knows it says in the metadata of `verify`: `helped_after`, the number of calls before the first ask or note; `unsent`,
how many badly formed turns never came here; `other_turns`, how many well-formed ones were no call, such as an ask; and
`no_other_expert`, true where its agent had no expert but those asks and notes. Without it an episode in which no help was
told is never taken for solo. The tool `ask_expert` itself never comes here.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import urllib.error
import urllib.request
from dataclasses import asdict
from http import HTTPStatus
from typing import Any

from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from shaping import Facts, Outcome, Shaping, outcome_of, read_shaping, shaped

MAX_FRAME = 100 * 2**20
HOST_TOOLS = {"verify", "done", "__list_scenarios__"}


class Watcher:
    """What one session's frames tell of its episode."""

    def __init__(self, numbers: Shaping, listings: dict[Any, dict[str, dict[str, Any]]]) -> None:
        self.numbers = numbers
        self.facts = Facts()
        self.scenario: Any = None
        self.listings = listings
        """Schemas by tool, by scenario, as any session was told them: a client may list once for all its sessions."""

    def answered(self, asked: dict[str, Any], answer: str) -> str:
        """The answer as the client gets it."""
        action = asked.get("data") or {}
        if asked.get("type") == "reset":
            self.facts, self.scenario = Facts(), action.get("scenario")
        if asked.get("type") != "step":
            return answer
        frame = json.loads(answer)
        if frame.get("type") != "observation":
            return answer
        if action.get("type") == "list_tools":
            tools = frame["data"]["observation"].get("tools") or []
            self.listings[self.scenario] = {tool["name"]: tool.get("input_schema") or {} for tool in tools}
        if action.get("type") != "call_tool":
            return answer
        if action.get("tool_name") == "verify":
            return json.dumps(self._verdict(action, frame))
        if action.get("tool_name") not in HOST_TOOLS:
            self.facts.outcomes.append(self._outcome(action, frame["data"]["observation"]))
        return answer

    def _outcome(self, action: dict[str, Any], observation: dict[str, Any]) -> Outcome:
        name, arguments = action.get("tool_name") or "", action.get("arguments") or {}
        return outcome_of(observation, name, arguments, self.listings.get(self.scenario))

    def _verdict(self, action: dict[str, Any], frame: dict[str, Any]) -> dict[str, Any]:
        data, observation = frame["data"], frame["data"]["observation"]
        if data["reward"] is None:
            return frame
        self.facts.label = observation.get("reward_type")
        told = action.get("metadata") or {}
        self.facts.helped_after, self.facts.unsent = told.get("helped_after"), told.get("unsent", 0)
        self.facts.help = "none" if told.get("no_other_expert") is True else "unknown"
        has_answered = bool((action.get("arguments") or {}).get("final_answer"))
        self.facts.other_turns = told.get("other_turns", int(has_answered))
        worth = shaped(self.facts, self.numbers)
        said = {"environment_reward": data["reward"], **asdict(worth)}
        observation["metadata"] = {**(observation.get("metadata") or {}), "shaping": said}
        data["reward"] = worth.total
        return frame


def as_object(message: str | bytes) -> dict[str, Any]:
    """A frame as JSON; what is none is the environment's to refuse."""
    try:
        value = json.loads(message)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


async def session(client: ServerConnection, address: str, numbers: Shaping, listings: dict[Any, Any]) -> None:
    watcher = Watcher(numbers, listings)
    try:
        async with connect(address, max_size=MAX_FRAME, compression=None) as environment:
            async for message in client:
                await environment.send(message)
                asked = as_object(message)
                # The one request without an answer.
                if asked.get("type") == "close":
                    return
                await client.send(watcher.answered(asked, str(await environment.recv())))
    except (ConnectionClosed, OSError) as error:
        await client.close(1011, str(error)[:100])


def fetched(url: str) -> Response:
    """What the environment answers to a GET: health, schema, metadata."""
    try:
        with urllib.request.urlopen(url, timeout=30) as answer:
            kind = answer.headers.get("Content-Type", "application/json")
            return Response(answer.status, "", Headers({"Content-Type": kind}), answer.read())
    except urllib.error.HTTPError as error:
        return Response(error.code, error.reason, Headers(), error.read())
    except OSError as error:
        return Response(HTTPStatus.BAD_GATEWAY, "", Headers(), f"the environment: {error}".encode())


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--env", required=True, help="address of the OpenEnv server, http://…")
    parser.add_argument("--port", type=int, default=8900, help="0 takes a free one")
    parser.add_argument(
        "--numbers", help="JSON file with numbers other than the recipe's, by their names in shaping.py"
    )
    told = parser.parse_args()
    numbers = read_shaping(told.numbers)
    listings: dict[Any, Any] = {}
    base = told.env.rstrip("/")

    async def plain(_: ServerConnection, request: Request) -> Response | None:
        if request.path.split("?")[0] == "/ws":
            return None
        return await asyncio.to_thread(fetched, base + request.path)

    async def joined(client: ServerConnection) -> None:
        await session(client, base.replace("http", "ws", 1) + "/ws", numbers, listings)

    async with serve(joined, "127.0.0.1", told.port, process_request=plain, max_size=MAX_FRAME) as server:
        port = server.sockets[0].getsockname()[1]
        print(json.dumps({"type": "ready", "url": f"http://127.0.0.1:{port}"}), flush=True)
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
