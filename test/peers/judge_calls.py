"""How the kit's shaping.py takes failed calls: `python judge_calls.py KIT CASES.json`. One JSON object a case."""

import json
import sys

kit, cases = sys.argv[1:]
sys.path.insert(0, kit)

from shaping import outcome_of  # noqa: E402

with open(cases, encoding="utf-8") as file:
    for case in json.load(file):
        schemas = {tool["name"]: tool["input_schema"] for tool in case["tools"]}
        print(json.dumps({"outcome": outcome_of(case["observation"], case["name"], case["arguments"], schemas)}))
