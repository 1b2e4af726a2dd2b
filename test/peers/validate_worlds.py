"""Runs OpenEnv's own validation of a running server on each address and prints what it found, a JSON object a line."""

import json
import sys

from openenv.cli._validation import validate_running_environment

for address in sys.argv[1:]:
    report = validate_running_environment(address)
    criteria = {one["id"]: one["passed"] for one in report["criteria"]}
    print(json.dumps({"passed": report["passed"], "mode": report["mode"], "criteria": criteria}))
