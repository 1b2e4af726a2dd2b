"""interject.py as a trainer uses it: one name for the tap and the expert, words told at the end, and the mask.

    python link_rollout.py TAP ADDRESS KEY INTERJECT_PY
"""

import importlib.util
import json
import sys

from openai import OpenAI
from openenv.core.generic_client import GenericEnvClient

tap, address, key, file = sys.argv[1:5]
spec = importlib.util.spec_from_file_location("interject", file)
interject = importlib.util.module_from_spec(spec)
spec.loader.exec_module(interject)


def say(step, **seen):
    print(json.dumps({"step": step, **seen}), flush=True)


def call(name, arguments):
    return {"type": "call_tool", "tool_name": name, "arguments": arguments}


expert = OpenAI(base_url=address + "/v1", api_key=key, max_retries=0)
rollouts = [interject.Episode(run="grpo-7", step=12, group="task-3", checkpoint="c4") for _ in range(2)]
for number, episode in enumerate(rollouts):
    with GenericEnvClient(base_url=tap).sync() as env:
        reset = env.reset(scenario="loomline_workflows", task_idx=0, **episode.reset_kwargs)
        task = reset.observation["task"]
        env.step(call("list_workspaces", {}))
        messages = [{"role": "user", "content": f"TASK: {task}\n\nWhat now?"}]
        advice = expert.chat.completions.create(model="expert", messages=messages, extra_headers=episode.headers)
        say("advice", text=advice.choices[0].message.content, name=episode.id, episode=advice.interject["episode"])
        told = episode.tell(address, key, [
            {"role": "user", "content": task},
            {"role": "assistant", "content": "I look.", "tool_calls": [
                {"id": "1", "type": "function", "function": {"name": "list_workspaces", "arguments": "{}"}}]},
            {"role": "tool", "tool_call_id": "1", "content": "…"},
        ], model="student")
        say("told", **told)
        say("mask", **episode.mask(address, key))
        env.step(call("verify", {"verifier_mode": "code", "final_answer": ""}))
        env.step(call("done", {}))
try:
    interject.Episode(id="nobody").mask(address, key)
except interject.InterjectError as error:
    say("refused", message=str(error))
