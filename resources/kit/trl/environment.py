"""OpenEnv through Interject's tap, as TRL's `GRPOTrainer` wants an environment: a class whose methods are the tools.

`ask_expert` is a tool of the client alone: it goes to the gateway's `/v1` and never to the environment. Rollouts
without an expert get a class without it. Interject knows both by the same name (`interject.py`).
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from openai import OpenAI, OpenAIError
from openenv.core.generic_client import GenericEnvClient

from interject import Episode, InterjectError
from shaping import Facts, outcome_of

logger = logging.getLogger("kit")

ASK = (
    "Ask an expert for advice when you are stuck. Try first; asks are few. The expert sees what you tried and answers "
    "with a plan or with words. The expert cannot call tools for you."
)
LIST = "List the application's tools again, with the arguments that each one takes."
NO_ASKS_LEFT = (
    "No advice: your asks for this task are used up. Go on with what you know, or finish with your final answer."
)
NOT_REACHED = "No advice: the expert cannot be reached. Go on with what you know, or finish with your final answer."
HINT = "A hint:\n"
NOTE = "A note from the person who watches this episode:\n"
RESULT_CHARS = 24_000
"""More of a result than this is cut, as Interject's own agent is shown it."""
HELD_CALL_SECONDS = 300.0
"""A call may be held for a person; OpenEnv's own client gives up after 60 s."""

Schema = dict[str, Any]


@dataclass(frozen=True)
class Doors:
    """Where things are: what `interject serve --json` prints when it is ready."""

    tap: str
    expert: str
    """The address that ends with /v1."""
    key: str
    expert_model: str
    asks: int
    """Asks an episode may make."""

    @property
    def address(self) -> str:
        return self.expert.rstrip("/").removesuffix("/v1")

    @cached_property
    def client(self) -> OpenAI:
        # A person may think for long; the gateway answers at the desk's deadline with words that say so.
        return OpenAI(base_url=self.expert, api_key=self.key, timeout=3600)


@dataclass(frozen=True)
class Tool:
    name: str
    """As the environment calls it."""
    offered: str
    """As the model does: a name that fits a function call."""
    schema: Schema


@dataclass(frozen=True)
class Verdict:
    """What the environment said at the end."""

    reward: float | None
    """None where the rollout cannot be judged: the environment was lost, or a person changed what came back."""
    label: str | None
    facts: Facts
    is_touched: bool


@dataclass
class Session:
    """One connection to the tap and the rollout that runs on it: one at a time, one after the other."""

    doors: Doors
    run: str
    tools: list[Tool]
    episode: Episode = field(default_factory=Episode)
    facts: Facts = field(default_factory=lambda: Facts(help="none"))
    task: str = ""
    asks: int = 0
    is_lost: bool = False
    is_touched: bool = False
    _client: Any = None

    def begin(self, row: dict[str, Any]) -> str | None:
        """Starts the episode of a row. Returns its task where the row's prompt does not have it."""
        names = {name: row.get(name) for name in ("step", "group", "checkpoint", "arm", "hint")}
        self.episode = Episode(run=self.run, **names)
        # The model reads nothing here but its prompt, the environment, and the expert it asks.
        self.facts, self.asks, self.is_lost, self.is_touched = Facts(help="none"), 0, False, False
        told = {"scenario": row["scenario"], "task_idx": row["task_idx"], **self.episode.reset_kwargs}
        observation = self._reset(told)
        if observation.get("reward_type") == "reset_error":
            raise RuntimeError(f"{row['scenario']} {row['task_idx']}: {observation.get('error')}")
        self.task = observation.get("task") or ""
        if row["prompt"][-1]["content"]:
            return None
        hint = row.get("hint_text")
        return f"{self.task}\n\n{HINT}{hint}" if hint else self.task

    def call(self, name: str, arguments: dict[str, Any]) -> str:
        """Calls a tool of the environment. Returns what the model reads."""
        try:
            observation = self._step(name, arguments).observation
        except Exception:
            self.is_lost = True
            raise
        notes = _added(observation, "notes")
        if notes:
            self._helped()
        schemas = {tool.name: tool.schema["function"]["parameters"] for tool in self.tools}
        self.facts.outcomes.append(outcome_of(observation, name, arguments, schemas))
        return "\n\n".join([_result_text(observation), *(NOTE + note for note in notes)])

    def ask(self, task: str, available_tools: str = "", context: str = "") -> str:
        """Asks the expert. Always returns words: advice, or that none comes."""
        if self.asks >= self.doors.asks:
            return NO_ASKS_LEFT
        self.asks += 1
        self.facts.other_turns += 1
        self._helped()
        parts = [f"TASK: {self.task}", task, available_tools and f"Tools: {available_tools}", context]
        words = "\n\n".join(part for part in parts if part)
        try:
            answer = self.doors.client.chat.completions.create(
                model=self.doors.expert_model,
                messages=[{"role": "user", "content": words}],
                extra_headers=self.episode.headers,
            )
        except OpenAIError as error:
            logger.warning("the expert cannot be reached: %s", error)
            return NOT_REACHED
        return answer.choices[0].message.content or ""

    def finish(self, words: str, unsent: int, messages: list[dict[str, Any]], tools: list[Schema]) -> Verdict:
        """Hands the conversation to Interject, has the environment judge, and ends the episode.

        words: the final answer. unsent: badly formed turns that never reached this session.
        """
        self.facts.unsent = unsent
        self.facts.other_turns += 1 if words else 0
        if self.is_lost:
            return Verdict(None, None, self.facts, self.is_touched)
        try:
            self._tell(messages, tools)
            judged = self._step("verify", {"verifier_mode": "code", "final_answer": words}, self._known())
            self._step("done", {})
        except Exception as error:
            logger.warning("a rollout was lost before its verdict: %s", error)
            return Verdict(None, None, self.facts, self.is_touched)
        label = judged.observation.get("reward_type")
        self.facts.label = label
        # Neither an environment that failed nor a person who stepped in says anything of the model's own tokens.
        is_void = judged.reward is None or label == "server_error" or self.is_touched
        return Verdict(None if is_void else float(judged.reward), label, self.facts, self.is_touched)

    def listed(self) -> list[dict[str, Any]]:
        """The environment's tools, as it describes them."""
        return self._client.step({"type": "list_tools"}).observation.get("tools") or []

    def close(self) -> None:
        if self._client is not None:
            self._client.close()
            self._client = None

    def _reset(self, told: dict[str, Any]) -> dict[str, Any]:
        try:
            return self._connected().reset(**told).observation
        except Exception as error:
            # A connection cannot be taken up again; a new one can be made.
            logger.warning("connecting to the environment again: %s", error)
            self.close()
            return self._connected().reset(**told).observation

    def _connected(self) -> Any:
        if self._client is None:
            client = GenericEnvClient(base_url=self.doors.tap, message_timeout_s=HELD_CALL_SECONDS).sync()
            client.connect()
            self._client = client
        return self._client

    def _helped(self) -> None:
        if self.facts.helped_after is None:
            self.facts.helped_after = len(self.facts.outcomes)

    def _known(self) -> dict[str, int]:
        """What a shaped environment cannot see by itself; any other reads nothing here."""
        facts = self.facts
        known = {"unsent": facts.unsent, "other_turns": facts.other_turns, "no_other_expert": facts.help == "none"}
        told = {name: one for name, one in known.items() if one}
        return told if facts.helped_after is None else {**told, "helped_after": facts.helped_after}

    def _step(self, name: str, arguments: dict[str, Any], metadata: dict[str, int] | None = None) -> Any:
        action = {"type": "call_tool", "tool_name": name, "arguments": arguments}
        if metadata:
            action["metadata"] = metadata
        result = self._client.step(action)
        self.is_touched = self.is_touched or bool(_added(result.observation, "touched_turns"))
        return result

    def _tell(self, messages: list[dict[str, Any]], tools: list[Schema]) -> None:
        try:
            # What the kit plays with has one expert, which is asked through Interject.
            self.episode.tell(self.doors.address, self.doors.key, messages, tools=tools, no_other_expert=True)
        except InterjectError as error:
            logger.warning("Interject has no transcript of %s: %s", self.episode.id, error)


def _result_text(observation: dict[str, Any]) -> str:
    if observation.get("error") is not None:
        return f"Error: {observation['error']}"
    text = observation.get("tool_result") or "The call succeeded and returned nothing."
    shown = f"[The text was cut here: {RESULT_CHARS} of {len(text)} characters are shown.]"
    return text if len(text) <= RESULT_CHARS else f"{text[:RESULT_CHARS]}\n{shown}"


def _added(observation: dict[str, Any], what: str) -> list[Any]:
    """What Interject added to an answer: `notes` of a person, `touched_turns` that a person changed."""
    return ((observation.get("metadata") or {}).get("interject") or {}).get(what) or []


def tools_of(listed: list[dict[str, Any]]) -> list[Tool]:
    """The environment's tools under names a function may have."""
    names = _offered_names([tool["name"] for tool in listed])
    tools = []
    for tool, offered in zip(listed, names, strict=True):
        about = re.sub(r"\s*###\s*Responses\b[\s\S]*?(?=\n###\s|\Z)", "", tool.get("description") or "").strip()
        tools.append(Tool(tool["name"], offered, _function(offered, about, _slim(tool["input_schema"]))))
    return tools


def _offered_names(names: list[str]) -> list[str]:
    """A name for each: its own where that fits and is free.

    TRL keeps `reset`, `get_reward` and what begins with _ to itself.
    """
    taken = {"ask_expert", "list_tools", "call_tool", "reset", "get_reward"}
    offered: dict[str, str] = {}
    for name in names:
        if re.fullmatch(r"[A-Za-z0-9-][A-Za-z0-9_-]{0,63}", name) and name not in taken:
            offered[name] = name
            taken.add(name)
    for name in names:
        base = free = re.sub(r"[^A-Za-z0-9_-]", "_", name)[:64].lstrip("_") or "tool"
        for number in range(2, len(names) + len(taken) + 2):
            if name in offered or free not in taken:
                break
            free = f"{base[: 63 - len(str(number))]}_{number}"
        taken.add(offered.setdefault(name, free))
    return [offered[name] for name in names]


def schemas_of(tools: list[Tool], can_ask: bool) -> list[Schema]:
    """What the model is offered: the environment's tools, `list_tools`, and `ask_expert` where there is an expert."""
    own = [tool.schema for tool in tools] + [_function("list_tools", LIST, {"type": "object", "properties": {}})]
    return own + ([_ASK_SCHEMA] if can_ask else [])


def rollout_class(new_session: Callable[[], Session], tools: list[Tool], can_ask: bool) -> type:
    """The class TRL makes its environments from: `reset`, and a method for each tool."""

    def __init__(self: Any) -> None:
        self.session = new_session()

    def reset(self: Any, **row: Any) -> str | None:
        return self.session.begin(row)

    def list_tools(self: Any) -> str:
        self.session.facts.other_turns += 1
        return "\n".join(json.dumps(tool.schema["function"]) for tool in tools)

    def ask_expert(self: Any, task: str, available_tools: str = "", context: str = "") -> str:
        return self.session.ask(task, available_tools, context)

    members: dict[str, Any] = {"__init__": __init__, "reset": reset, "list_tools": list_tools}
    members |= {tool.offered: _method(tool) for tool in tools}
    if can_ask:
        members["ask_expert"] = ask_expert
    return type("WithExpert" if can_ask else "Solo", (), members)


def _method(tool: Tool) -> Callable[..., str]:
    def call(self: Any, **arguments: Any) -> str:
        return self.session.call(tool.name, arguments)

    call.__name__ = tool.offered
    return call


def _function(name: str, description: str, parameters: Schema) -> Schema:
    return {"type": "function", "function": {"name": name, "description": description, "parameters": parameters}}


def _text(description: str) -> Schema:
    return {"type": "string", "description": description}


_ASK_SCHEMA = _function(
    "ask_expert",
    ASK,
    {
        "type": "object",
        "properties": {
            "task": _text("What you want to achieve."),
            "available_tools": _text("Names of the tools that seem to matter, separated by commas."),
            "context": _text("What you tried, what came back, and what you cannot tell."),
        },
        "required": ["task"],
    },
)


def _slim(schema: Any) -> Any:
    """A schema without titles and examples, as exported rows have it; properties of such names stay."""
    if isinstance(schema, list):
        return [_slim(inner) for inner in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {key: value for key, value in schema.items() if key not in ("title", "example", "examples")}
    names = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
    return {
        key: {name: _slim(inner) for name, inner in value.items()}
        if key in names and isinstance(value, dict)
        else value
        if key in ("enum", "const", "default", "required")
        else _slim(value)
        for key, value in kept.items()
    }
