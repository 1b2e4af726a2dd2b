"""A trainer's side of the curriculum with Python's own library: `python curriculum_client.py ADDRESS KEY`. Plays planted
rollouts of two tasks, one easy, one never solved, and prints each step's plan; at the end what a wrong key is told."""

import json
import sys
import urllib.error
import urllib.request

address, key = sys.argv[1:3]


def call(path, body, secret=key):
    request = urllib.request.Request(
        address + path,
        data=json.dumps(body).encode(),
        headers={"Authorization": "Bearer " + secret, "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def outcomes(plan, step):
    """Each task's group of eight: with the expert where the plan says so, else alone, with the hint of the plan."""
    for number, task in enumerate(plan["tasks"]):
        arm = "expert" if task["has_expert"] and step % 2 == 1 else "solo"
        hint = task["hint"] if arm == "solo" else "none"
        solved = task["scenario"] == "easy" or hint == "plan"
        for _ in range(8):
            yield {
                "step": step,
                "scenario": task["scenario"],
                "task_idx": task["task_idx"],
                "group": f"{step}/{number}",
                "arm": arm,
                "hint": hint,
                "completed": solved,
                "reward": float(solved),
                "format_error": step < 3,
            }


tasks = [{"scenario": name, "task_idx": 0} for name in ("easy", "never")]
call("/curriculum/report", {"run": "planted", "id": "tasks", "tasks": tasks})
for step in range(1, 9):
    wanted = {"run": "planted", "step": step, "group": 8}
    plan = call("/curriculum/next", wanted)
    same = call("/curriculum/next", wanted) == plan
    report = {"run": "planted", "id": f"step {step}", "rollouts": list(outcomes(plan, step))}
    told = [call("/curriculum/report", report)["is_new"] for _ in range(2)]
    print(json.dumps({"step": step, "plan": plan, "same": same, "told": told}), flush=True)
try:
    call("/curriculum/next", {"run": "planted"}, secret="ij-wrong-key")
except urllib.error.HTTPError as error:
    print(json.dumps({"refused": error.code, "words": json.load(error)}), flush=True)
