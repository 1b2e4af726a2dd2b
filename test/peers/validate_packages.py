"""Reads manifests (JSON: a text each) as Python does and validates each as a package; prints what came of it, one a line."""

import json
import sys
import tempfile
from pathlib import Path

import yaml
from openenv.validation import Level, run_validation

for text in json.loads(sys.argv[1]):
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "openenv.yaml").write_text(text, encoding="utf-8")
        report = run_validation(Path(folder), max_level=Level.STATIC, skip_build=True)
        manifest = next(one for one in report.results if one.check_id == "static.manifest")
        print(json.dumps({"read": yaml.safe_load(text), "status": manifest.status.value, "evidence": manifest.evidence}))
