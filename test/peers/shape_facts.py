"""What the kit's shaping.py makes of facts: `python shape_facts.py KIT CASES.json`. One JSON object a case."""

import json
import sys
from dataclasses import asdict

kit, cases = sys.argv[1:]
sys.path.insert(0, kit)

from shaping import Facts, Shaping, shaped  # noqa: E402


def outcome(case: dict) -> dict:
    try:
        numbers = Shaping(**case["numbers"])
    except ValueError as error:
        return {"refused": str(error)}
    return asdict(shaped(Facts(**case["facts"]), numbers))


with open(cases, encoding="utf-8") as file:
    for case in json.load(file):
        print(json.dumps(outcome(case)))
