"""Drives a server with the real OpenEnv clients and prints what they saw, one JSON object a line.

    python drive_world.py CLIENT URL PLAN

CLIENT is `generic` (GenericEnvClient), `awm` (a client with the Agent World Model's strict models) or `mcp` (the same
on MCPToolClient, as AWM's own is). PLAN is JSON: {"scenario", "task_idx", "calls": [{"tool", "args"}], "final"}.
"""

import json
import sys
from typing import Any

from models import AwmListToolsObservation, AwmObservation
from openenv.core.client_types import StepResult
from openenv.core.env_client import EnvClient
from openenv.core.env_server.mcp_types import CallToolAction, ListToolsAction
from openenv.core.env_server.types import State
from openenv.core.generic_client import GenericEnvClient
from openenv.core.mcp_client import MCPToolClient


def parse_awm(payload: dict[str, Any]) -> StepResult:
    seen = payload["observation"]
    model = AwmListToolsObservation if "tools" in seen else AwmObservation
    return StepResult(observation=model(**seen), reward=payload.get("reward"), done=payload.get("done", False))


class AwmClient(EnvClient[Any, Any, State]):
    def _step_payload(self, action: Any) -> dict[str, Any]:
        return action.model_dump()

    def _parse_result(self, payload: dict[str, Any]) -> StepResult:
        return parse_awm(payload)

    def _parse_state(self, payload: dict[str, Any]) -> State:
        return State(**payload)


class AwmMcpClient(MCPToolClient):
    def _parse_result(self, payload: dict[str, Any]) -> StepResult:
        return parse_awm(payload)


CLIENTS = {"generic": GenericEnvClient, "awm": AwmClient, "mcp": AwmMcpClient}


def plain(value: Any) -> Any:
    return value.model_dump() if hasattr(value, "model_dump") else value


def say(step: str, **seen: Any) -> None:
    print(json.dumps({"step": step, **seen}), flush=True)


def main() -> None:
    kind, url, plan = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
    client = CLIENTS[kind](base_url=url)

    def act(step: str, run: Any) -> None:
        try:
            result = run()
            say(step, observation=plain(result.observation), reward=result.reward, done=result.done)
        except Exception as error:
            say(step, raised=type(error).__name__, message=str(error))

    def call(name: str, arguments: Any) -> Any:
        if kind == "generic":
            return env.step({"type": "call_tool", "tool_name": name, "arguments": arguments})
        return env.step(CallToolAction(tool_name=name, arguments=arguments))

    def listing() -> Any:
        return env.step({"type": "list_tools"} if kind == "generic" else ListToolsAction())

    with client.sync() as env:
        say("state before", state=plain(env.state()))
        act("tools before", listing)
        act("scenarios", lambda: call("__list_scenarios__", {}))
        act("unknown scenario", lambda: env.reset(scenario="no such place"))
        act("task out of range", lambda: env.reset(scenario=plan["scenario"], task_idx=10_000))
        act("reset", lambda: env.reset(scenario=plan["scenario"], task_idx=plan["task_idx"], episode_id="from-python"))
        act("tools", listing)
        if kind == "mcp":
            say("its own listing", names=[tool.name for tool in env.list_tools()])
            say("its own call", answered=str(env.call_tool("list_workspaces")))
        act("no such tool", lambda: call("no_such_tool", {}))
        act("missing argument", lambda: call("get_workflow", {}))
        act("wrong argument", lambda: call("get_workflow", {"workflow_id": "seven"}))
        act("no such record", lambda: call("get_workflow", {"workflow_id": 987654}))
        act("verify too early", lambda: call("verify", {}))
        act("bad verifier mode", lambda: call("verify", {"verifier_mode": "guess"}))
        for planned in plan["calls"]:
            act("planned", lambda planned=planned: call(planned["tool"], planned["args"]))
        act("verify", lambda: call("verify", {"verifier_mode": "code", "final_answer": plan["final"]}))
        say("state", state=plain(env.state()))
        act("done", lambda: call("done", {}))
        act("after done", lambda: call("list_workspaces", {}))
        say("state after", state=plain(env.state()))
        if kind == "generic":
            act("bad action", lambda: env.step({"type": "jump"}))
            act("arguments as text", lambda: call("list_workspaces", "{}"))
        act("again", lambda: env.reset(scenario=plan["scenario"], task_idx=plan["task_idx"]))


if __name__ == "__main__":
    main()
