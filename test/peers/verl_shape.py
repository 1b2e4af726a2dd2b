"""Stands in for the two modules of verl that a tool imports, with the shapes its multi-turn rollout uses, and plays one
instance of the tool in the file it is given: create, execute, release."""

import asyncio
import json
import sys
import types
from dataclasses import dataclass

from pydantic import BaseModel


class OpenAIFunctionToolSchema(BaseModel):
    type: str
    function: dict


@dataclass
class ToolResponse:
    text: str | None = None


class BaseTool:
    def __init__(self, config, tool_schema):
        self.config, self.tool_schema, self.name = config, tool_schema, tool_schema.function["name"]


for name, members in {
    "verl": {},
    "verl.tools": {},
    "verl.tools.base_tool": {"BaseTool": BaseTool},
    "verl.tools.schemas": {"OpenAIFunctionToolSchema": OpenAIFunctionToolSchema, "ToolResponse": ToolResponse},
}.items():
    module = types.ModuleType(name)
    vars(module).update(members)
    sys.modules[name] = module

scope: dict = {}
exec(open(sys.argv[1]).read(), scope)


async def play():
    tool = scope["WorldTool"]({"type": "native"})
    instance, start = await tool.create(create_kwargs={"task_idx": 1})
    verify = {"tool_name": "verify", "arguments": '{"verifier_mode": "code"}'}
    seen, reward, _ = await tool.execute(instance, verify)
    await tool.release(instance)
    print(json.dumps({"task": start.text, "reward_type": json.loads(seen.text)["reward_type"], "reward": reward}))


asyncio.run(play())
