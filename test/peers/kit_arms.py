"""Real TRL scores planted rewards: `python kit_arms.py KIT WORK CASES.json`. A case is the rewards of a group with the
expert and of a group without. Prints for each the advantages that TRL gave the two groups."""

import json
import sys
from itertools import cycle
from pathlib import Path

kit, work, cases = sys.argv[1:]
sys.path[:0] = [kit, f"{kit}/../.."]

from datasets import Dataset  # noqa: E402
from transformers import AutoTokenizer  # noqa: E402
from trl import GRPOConfig  # noqa: E402

from grpo import ArmTrainer, FormatErrors, environment_name  # noqa: E402
from plan import Phase, Plan  # noqa: E402
from smoke import ARGUMENTS, tiny  # noqa: E402

SCENARIO = "planted"


class Environment:
    def reset(self, **_) -> None:
        """Begins."""

    def look(self) -> str:
        """Looks around."""
        return ""


def advantages(rewards: dict[str, list[float]], size: int, folder: str) -> dict[str, list[float]]:
    planted = {arm: cycle(values) for arm, values in rewards.items()}
    scored: dict[str, list[float]] = {}

    def reward(environment: list[str], **_) -> list[float]:
        return [next(planted[name.rsplit("/", 1)[1]]) for name in environment]

    class Watched(ArmTrainer):
        def _generate_and_score_completions(self, inputs):
            output = super()._generate_and_score_completions(inputs)
            for name, advantage in zip(self._batch_environments, output["advantages"].tolist(), strict=True):
                scored.setdefault(name.rsplit("/", 1)[1], []).append(advantage)
            return output

    rows = [
        {"prompt": [{"role": "user", "content": f"Task {task}"}], "scenario": SCENARIO, "task_idx": task}
        for task in range(2)
    ]
    args = {**ARGUMENTS, "max_steps": 1, "num_generations": size, "gradient_accumulation_steps": 2 * size}
    Watched(
        plan_file=Path(folder) / "no plan file",
        plan=Plan((Phase(0.5),)),
        schemas={},
        format_errors=FormatErrors(),
        model=folder,
        args=GRPOConfig(output_dir=work, max_completion_length=4, report_to="none", **args),
        reward_funcs=reward,
        train_dataset=Dataset.from_list(rows),
        processing_class=AutoTokenizer.from_pretrained(folder),
        environment_factory={environment_name(SCENARIO, has_expert): Environment for has_expert in (True, False)},
    ).train()
    return scored


folder = tiny(work, ["Task 0", "Task 1"])
for case in json.loads(Path(cases).read_text()):
    print(json.dumps(advantages(case, len(case["solo"]), folder)), flush=True)
