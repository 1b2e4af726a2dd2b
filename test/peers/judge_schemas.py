"""The kit's verdicts on values: `python judge_schemas.py KIT CASES.json`. One JSON object a case."""

import json
import sys

kit, cases = sys.argv[1:]
sys.path.insert(0, kit)

from schemas import is_valid  # noqa: E402

with open(cases, encoding="utf-8") as file:
    for case in json.load(file):
        print(json.dumps({"valid": is_valid(case["schema"], case["value"])}))
