"""Trains students one after another with a script of the training kit, in one process: loading the packages takes
longer than to train one.

Reads from standard input a JSON list of `{"script": ..., "args": [...]}`, and runs each as `python SCRIPT ARGS`.
"""

from __future__ import annotations

import json
import runpy
import sys
from pathlib import Path


def main() -> None:
    for job in json.load(sys.stdin):
        script = Path(job["script"])
        sys.argv = [str(script), *job["args"]]
        # The modules that stand beside the script are those of its own data set.
        sys.path[0] = str(script.parent)
        for name in [path.stem for path in script.parent.glob("*.py")]:
            sys.modules.pop(name, None)
        runpy.run_path(str(script), run_name="__main__")


if __name__ == "__main__":
    main()
