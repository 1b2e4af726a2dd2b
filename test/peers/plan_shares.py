"""What the kit's plan does: `python plan_shares.py KIT PLAN.json RATES.json`. Prints the share of groups that have the expert
after each format-error rate (null: nothing measured yet), and which of twenty groups it gives them to."""

import json
import sys
from pathlib import Path

kit, plan_file, rates_file = sys.argv[1:]
sys.path.insert(0, kit)

from plan import Arms, read_plan  # noqa: E402

plan = read_plan(Path(plan_file))
for rate in json.loads(Path(rates_file).read_text()):
    share = plan.share(rate)
    print(json.dumps({"share": share, "dealt": Arms().deal(20, share)}))
