"""What the kit offers a model of the tools in a file: `python kit_tools.py KIT LISTED.json`. One JSON object a tool."""

import json
import sys

kit, listed = sys.argv[1:]
sys.path[:0] = [kit, f"{kit}/../.."]

from environment import schemas_of, tools_of  # noqa: E402

with open(listed, encoding="utf-8") as file:
    for tool in schemas_of(tools_of(json.load(file)), can_ask=True):
        print(json.dumps(tool))
