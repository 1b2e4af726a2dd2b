"""Eight parallel rollouts of one task in one process, as the merged recipe's script has them: the real OpenEnv client at
the tap, the real `openai` client at the expert and at the agent's model. Each has its verifier put into words, fails in
its own way, and asks once all eight have.

    python eight_rollouts.py TAP ADDRESS KEY
"""

import json
import sys
import threading

from openai import OpenAI
from openenv.core.generic_client import GenericEnvClient

TAP, ADDRESS, KEY = sys.argv[1:4]
ROLLOUTS = 8
VERIFIER = "def verify_task_completion(initial_db_path, final_db_path, final_answer=None):\n    return {}\n"
printing = threading.Lock()
everybody = threading.Barrier(ROLLOUTS)


def call(name, arguments):
    return {"type": "call_tool", "tool_name": name, "arguments": arguments}


def analyze(expert, task):
    """What the verifier checks, for the expert alone: before the agent's first turn."""
    words = f"Read this function and summarise the success criteria.\n\nVERIFICATION CODE:\n{VERIFIER}\nTASK: {task}"
    answer = expert.chat.completions.create(model="expert", messages=[{"role": "user", "content": words}])
    return answer.choices[0].message.content


def rollout(number):
    env = GenericEnvClient(base_url=TAP)
    expert = OpenAI(base_url=f"{ADDRESS}/v1", api_key=KEY)
    agent = OpenAI(base_url=f"{ADDRESS}/agent/v1", api_key=KEY)
    with env.sync() as env:
        task = env.reset(scenario="loomline_workflows", task_idx=0).observation["task"]
        analyze(expert, task)
        messages = [{"role": "user", "content": task}]
        asked = None
        while True:
            # The scripted model of the test tells the rollouts apart by the model's name.
            reply = agent.chat.completions.create(model=f"student-{number}", messages=messages).choices[0].message
            messages.append(reply.model_dump(exclude_none=True))
            if not reply.tool_calls:
                break
            made = reply.tool_calls[0]
            if made.function.name == "ask_expert":
                everybody.wait()
                question = [{"role": "user", "content": f"{9000 + number}: I called two tools and am stuck."}]
                asked = expert.chat.completions.create(model="expert", messages=question)
                text = asked.choices[0].message.content
                everybody.wait()
            else:
                observation = env.step(call(made.function.name, json.loads(made.function.arguments))).observation
                text = observation.get("error") or observation.get("tool_result") or ""
            messages.append({"role": "tool", "tool_call_id": made.id, "content": text})
        env.step(call("verify", {"verifier_mode": "code", "final_answer": "Done."}))
        env.step(call("done", {}))
    with printing:
        seen = {"tried": 9000 + number, "text": asked.choices[0].message.content, **asked.interject}
        print(json.dumps({"step": "advised", **seen}), flush=True)


threads = [threading.Thread(target=rollout, args=(number,)) for number in range(ROLLOUTS)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
