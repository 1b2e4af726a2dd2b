"""The kit's client of the curriculum against a real Interject: `python kit_curriculum.py KIT ADDRESS KEY`. TRL's packages are
not needed: of transformers only the base of a callback is, and an empty one stands in. Prints what each call gives."""

import json
import sys
import types

kit, address, key = sys.argv[1:]
sys.path.insert(0, kit)
sys.modules["transformers"] = types.SimpleNamespace(TrainerCallback=object)

from curriculum import Curriculum, StepPlan, Telling  # noqa: E402

TASKS = [("mine", 0), ("mine", 1)]


def show(**what) -> None:
    print(json.dumps(what, default=sorted), flush=True)


first = Curriculum(address, key, "kit")
show(began=first.begin(TASKS, False), run=first.run)
plan = first.next(1, 8)
show(share=plan.expert_share, gone=plan.without_expert)
state = types.SimpleNamespace(is_world_process_zero=True, global_step=1)
Telling(first, "s").on_log(None, state, None, {"reward": 0.5, "format_error_rate": 0.3, "loss": float("nan")})
show(share=first.next(2, 8).expert_share)
for step in (2, 3):
    first.tell(f"log {step}", step, {"format_error_rate": 0.3})
    plan = first.next(step + 1, 8)
show(share=plan.expert_share)
again = Curriculum(address, key, "kit")
show(began=again.begin(TASKS, False), run=again.run)
resumed = Curriculum(address, key, "kit")
show(began=resumed.begin(TASKS, True), run=resumed.run)
gone = Curriculum("http://127.0.0.1:9", key, "kit")
show(lost=gone.next(1, 8) == StepPlan(0.0))
