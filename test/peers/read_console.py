"""Reads the console's socket as a script does, and as one of a later version would: `python read_console.py LOOP URL TOKEN`."""

import json
import sys

sys.path.insert(0, sys.argv[1])
import console  # noqa: E402

line = console.Console(sys.argv[2], sys.argv[3], "script-reader")
line.subscribe("desk")
push = line.next_push(30)
print(json.dumps({"desk": push is not None and push["topic"] == "desk"}), flush=True)
line.close()
console.VERSION += 1
try:
    later = console.Console(sys.argv[2], sys.argv[3], "script-reader")
    later.ask("app.describe", {})
except RuntimeError as refused:
    print(json.dumps({"refused": str(refused)}), flush=True)
