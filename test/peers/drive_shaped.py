"""Plays episodes of the built-in world as the kit does, behind its shaped environment.

    python drive_shaped.py KIT SHAPED_URL PLAN.json

The plan holds `calls` that complete task 0, the `final` answer, and `failing`, a call the world answers with an error.
"""

import json
import logging
import sys

kit, url, plan_file = sys.argv[1:]
sys.path[:0] = [kit, f"{kit}/../.."]
logging.disable(logging.CRITICAL)

from openenv.core.generic_client import GenericEnvClient  # noqa: E402

from environment import Doors, Session  # noqa: E402

with open(plan_file, encoding="utf-8") as file:
    plan = json.load(file)
# Nobody answers at this address: an ask is an ask all the same.
doors = Doors(tap=url, expert="http://127.0.0.1:9/v1", key="none", expert_model="expert", asks=3)
doors.client.max_retries = 0
row = {
    "scenario": "loomline_workflows",
    "task_idx": 0,
    "step": 1,
    "group": "g",
    "checkpoint": "c",
    "prompt": [{"content": ""}],
}


def play(*deeds: str, final: str = plan["final"], unsent: int = 0) -> dict:
    session = Session(doors, "test", [])
    task = session.begin(row)
    for deed in deeds:
        if deed == "ask":
            session.ask("What now?")
        elif deed == "undeclared":
            session.facts.help = "unknown"
        elif deed == "fail":
            session.call(*plan["failing"])
        elif deed == "malformed":
            session.call("no_such_tool", {})
        else:
            for name, arguments in plan["calls"]:
                session.call(name, arguments)
    verdict = session.finish(final, unsent, [], [])
    session.close()
    return {
        "task": bool(task),
        "reward": verdict.reward,
        "label": verdict.label,
        "outcomes": sorted(set(verdict.facts.outcomes)),
    }


for deeds in (["do"], ["fail", "ask", "do"], ["ask", "do"], ["malformed", "ask", "do"], ["ask"], ["fail"], ["undeclared", "do"]):
    print(json.dumps({"deeds": deeds, **play(*deeds)}))
print(json.dumps({"deeds": ["malformed"], **play("malformed", final="", unsent=1)}))

with GenericEnvClient(base_url=url).sync() as plain:
    plain.reset(scenario="loomline_workflows", task_idx=0)
    judged = plain.step({"type": "call_tool", "tool_name": "verify", "arguments": {"verifier_mode": "code"}})
    print(json.dumps({"metadata": judged.observation["metadata"], "reward": judged.reward}))
