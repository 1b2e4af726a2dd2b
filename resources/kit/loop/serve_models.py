"""An OpenAI-compatible endpoint for the students of one folder, and for a demonstrator that follows reference plans.

`POST /v1/chat/completions` with `model` the name of a folder below --models; --student says what answers there. What stands
between <tool_call> and </tool_call> and is JSON becomes a tool call; anything else is text. The model `demonstrator`
knows the reference plans of --packs and plays them; nothing is learned or guessed there.
"""

from __future__ import annotations

import argparse
import json
import re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module
from pathlib import Path
from typing import Any

CALL = re.compile(r"<tool_call>(.*?)</tool_call>", re.DOTALL)
NOTHING = "(nothing)"
"""A reply without a word: as an answer that is wrong it ends an episode, where an empty one would be a fault of the endpoint."""


def message_of(text: str, at: int) -> dict[str, Any]:
    """A reply as OpenAI's protocol has it. `at` makes the ids of its calls unique in a conversation."""
    calls = []
    for found in CALL.findall(text):
        try:
            call = json.loads(found)
            name, arguments = call["name"], json.dumps(call["arguments"])
        except (ValueError, KeyError, TypeError):
            return {"role": "assistant", "content": text}
        calls.append({"id": f"call_{at}_{len(calls)}", "type": "function", "function": {"name": str(name), "arguments": arguments}})
    return {"role": "assistant", "content": None, "tool_calls": calls} if calls else {"role": "assistant", "content": text.strip() or NOTHING}


class Demonstrator:
    """Plays the reference plan of a task, known by its words. No two packs share a name, so no two tasks have the same words."""

    def __init__(self, packs: Path) -> None:
        tasks = [task for file in sorted(packs.glob("*/tasks.json")) for task in json.loads(file.read_text("utf-8"))]
        self._tasks = sorted(tasks, key=lambda task: -len(task["task"]))

    def reply(self, messages: list[dict[str, Any]]) -> dict[str, Any]:
        asked = next((said["content"] for said in messages if said["role"] == "user"), "")
        task = next((one for one in self._tasks if one["task"] in asked), None)
        if task is None:
            raise KeyError("a task that no pack holds")
        made = sum(1 for said in messages if said["role"] == "tool")
        if made >= len(task["reference"]):
            return {"role": "assistant", "content": task["rehearsal"]["final"]}
        step = task["reference"][made]
        call = {"name": step["tool"], "arguments": step["args"]}
        return message_of(f"<tool_call>{json.dumps(call)}</tool_call>", len(messages))


def serve(student: str, models: Path, packs: Path, port: int) -> None:
    students, demonstrator = import_module(student).Students(models), Demonstrator(packs)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:  # noqa: N802
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            name, messages = body["model"], body["messages"]
            try:
                if name == "demonstrator":
                    message, read, written = demonstrator.reply(messages), 0, 0
                else:
                    text, read, written = students.reply(name, messages)
                    message = message_of(text, len(messages))
            except KeyError as missing:
                return self._send(404, {"error": {"message": f"no model {missing}", "type": "invalid_request_error"}})
            reason = "tool_calls" if message.get("tool_calls") else "stop"
            self._send(
                200,
                {
                    "id": "chatcmpl-student",
                    "object": "chat.completion",
                    "created": 0,
                    "model": name,
                    "choices": [{"index": 0, "message": message, "finish_reason": reason}],
                    "usage": {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written},
                },
            )

        def _send(self, status: int, value: dict[str, Any]) -> None:
            data = json.dumps(value).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    print(json.dumps({"ready": server.server_address[1]}), flush=True)
    server.serve_forever()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--student", choices=("student", "table"), default="student")
    parser.add_argument("--models", type=Path, required=True)
    parser.add_argument("--packs", type=Path, required=True)
    parser.add_argument("--port", type=int, default=0)
    args = parser.parse_args()
    serve(args.student, args.models, args.packs, args.port)


if __name__ == "__main__":
    main()
