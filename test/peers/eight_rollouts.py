"""Eight parallel rollouts of one task by clients that know nothing of Interject: the real OpenEnv client at the tap, the
real `openai` client at the expert. Each asks once all eight have failed in their own way, and quotes what it tried.

    python eight_rollouts.py TAP ADDRESS KEY SHAPE

SHAPE is `words` (one prompt that tells of the calls) or `messages` (the agent's own conversation).
"""

import json
import sys
import threading

from openai import OpenAI
from openenv.core.generic_client import GenericEnvClient

tap, address, key, shape = sys.argv[1:5]
ROLLOUTS = 8
printing = threading.Lock()
everybody = threading.Barrier(ROLLOUTS)


def call(name, arguments):
    return {"type": "call_tool", "tool_name": name, "arguments": arguments}


def read(observation):
    return observation.get("error") or observation.get("tool_result") or ""


def prompt(task, tried):
    if shape == "words":
        lines = [f"I called {name} with {json.dumps(arguments)} and got: {result}" for name, arguments, result in tried]
        return [{"role": "user", "content": f"TASK: {task}\n\n" + "\n".join(lines) + "\n\nWhat should I do next?"}]
    messages = [{"role": "user", "content": task}]
    for number, (name, arguments, result) in enumerate(tried):
        function = {"name": name, "arguments": json.dumps(arguments)}
        calls = [{"id": str(number), "type": "function", "function": function}]
        messages.append({"role": "assistant", "content": "", "tool_calls": calls})
        messages.append({"role": "tool", "tool_call_id": str(number), "content": result})
    return messages


def rollout(number):
    expert = OpenAI(base_url=address + "/v1", api_key=key, max_retries=0)
    with GenericEnvClient(base_url=tap).sync() as env:
        task = env.reset(scenario="loomline_workflows", task_idx=0).observation["task"]
        tried = []
        for name, arguments in (
            ("list_workspaces", {}),
            ("set_workflow_status", {"workflow_id": 9000 + number, "status": "active"}),
        ):
            result = env.step(call(name, arguments)).observation
            tried.append((name, arguments, read(result)))
        everybody.wait()
        answer = expert.chat.completions.create(model="expert", messages=prompt(task, tried))
        everybody.wait()
        with printing:
            print(json.dumps({"step": "advised", "tried": 9000 + number, "episode": answer.interject["episode"]}), flush=True)


threads = [threading.Thread(target=rollout, args=(number,)) for number in range(ROLLOUTS)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
