"""GRPO in an OpenEnv environment, a person or a model advising some of the groups.

    INTERJECT_KEY=… python grpo.py --model NAME --tap http://…/t/… --expert http://…/v1 --scenario NAME --tasks 0-9

The addresses and the key are what `interject serve --json` prints. A group is all with the expert or all without: what
rollouts earn with advice is never the baseline of those that have none. The reward is the environment's own: its word after
`verify`. Shaping by how the agent asked is logged as `diagnostic/…` and trains nothing; to train on it, put
`shaped_environment.py` in front of the environment. Every option of TRL's GRPOConfig is one here.
"""

from __future__ import annotations

import json
import logging
import re
import uuid
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Any

import torch
from datasets import Dataset, DatasetDict
from trl import GRPOConfig, GRPOTrainer

from adapters import adapter_of
from common import KIT, KitArguments, parsed, setting, train
from curriculum import Curriculum, StepPlan, Task, Telling, task_of
from environment import HINT, Doors, Schema, Session, Tool, Verdict, rollout_class, schemas_of, tools_of
from held_out import refuse_held_out
from plan import Arms, Plan, next_plan, read_plan
from rehearsal import rehearsing
from rows import rows_of
from shaping import Shaping, is_format_error, shaped
from smoke import tiny

logger = logging.getLogger("kit")


@dataclass
class GrpoArguments(KitArguments):
    tap: str = field(default="", metadata={"help": "Address of the environment's tap: http://…/t/…"})
    expert: str = field(default="", metadata={"help": "Address of the expert: http://…/v1"})
    expert_model: str = field(
        default="expert", metadata={"help": "expert: a person, with a draft. expert-draft: the advisor alone."}
    )
    asks: int = field(default=3, metadata={"help": "Asks a rollout may make."})
    plan: str = field(
        default="",
        metadata={
            "help": "Plan file, read again before every generation, in place of the curriculum that Interject serves."
        },
    )
    hints: str = field(
        default="",
        metadata={"help": 'JSON file: {"SCENARIO/TASK": {"knowledge": …, "plan": …, "solution": …}}. Without it: no hints.'},
    )
    scenario: str = field(
        default="", metadata={"help": "Train on tasks of this scenario instead of the grpo rows of --data."}
    )
    tasks: str = field(default="0-9", metadata={"help": "Its tasks: 0-9, or 0,2,5."})
    environment: str = field(
        default="", metadata={"help": "Of the grpo rows those of this environment: the one that --tap leads to."}
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.tap or not self.expert:
            raise SystemExit("--tap and --expert are the addresses that `interject serve --json` prints.")


@dataclass
class FormatErrors:
    """How many rollouts were judged since this was last read, and how many of them were format errors."""

    errors: int = 0
    rollouts: int = 0

    def add(self, verdicts: list[Verdict]) -> None:
        judged = [verdict.facts for verdict in verdicts if verdict.label is not None]
        self.rollouts += len(judged)
        self.errors += sum(is_format_error(facts, Shaping()) for facts in judged)

    def take(self) -> list[int]:
        counts = [self.errors, self.rollouts]
        self.errors = self.rollouts = 0
        return counts


class ArmTrainer(GRPOTrainer):
    """TRL's trainer with two kinds of groups: in some every rollout has the expert, in the others none has.

    TRL subtracts the mean of a group from its rewards. Inside of one group the expert's rewards would be the baseline of
    the rollouts without it, which would be punished for what they could not have.

    TRL chooses an example's environment, and with it the tools in its prompt, by the column `environment`. Here it
    changes from one generation to the next, which its public interface has no place for.
    """

    def __init__(
        self,
        *,
        plan_file: Path,
        plan: Plan,
        schemas: dict[str, list[Schema]],
        format_errors: FormatErrors,
        curriculum: Curriculum | None = None,
        hints: dict[str, dict[str, str]] | None = None,
        **rest: Any,
    ) -> None:
        super().__init__(**rest)
        self._curriculum = curriculum
        self._hints = hints or {}
        self._plan_file = plan_file
        self._plan = plan
        self._arms = Arms()
        self._format_errors = format_errors
        self._format_error_rate: float | None = None
        # The environment's own schemas, which signatures of Python functions cannot hold.
        self._env_tools.update(schemas)

    def _generate_and_score_completions(self, inputs: list[dict[str, Any]]) -> dict[str, Any]:
        is_training = self.model.training
        size = self.num_generations if is_training else self.num_generations_eval
        step = self.state.global_step
        first = self.accelerator.process_index * len(inputs)
        groups = len(inputs) * self.accelerator.num_processes // size
        plan = self._plan_of(step + 1, size) if is_training else StepPlan(0.0)
        dealt = self._arms.deal(groups, plan.expert_share) if is_training else [False] * groups
        rows = []
        for place, row in enumerate(inputs, start=first):
            group = place // size
            # An evaluation is without an expert.
            has_expert = dealt[group] and task_of(row) not in plan.without_expert
            name = environment_name(row["scenario"], has_expert)
            rows.append(
                {
                    **row,
                    **self._hint(plan, row, has_expert),
                    "environment": name,
                    "arm": "evaluation" if not is_training else "expert" if has_expert else "solo",
                    "step": step + 1,
                    "group": f"{name}/{row['task_idx']}/step {step + 1}/{group}",
                    "checkpoint": f"step-{step}",
                }
            )
        scored = super()._generate_and_score_completions(rows)
        counts = torch.tensor([self._format_errors.take()], device=self.accelerator.device)
        errors, rollouts = self.accelerator.gather(counts).sum(dim=0).tolist()
        if is_training and rollouts > 0:
            self._format_error_rate = errors / rollouts
        return scored

    def _plan_of(self, step: int, size: int) -> StepPlan:
        """The plan of this generation; the same in every process."""
        if self._curriculum is not None:
            return self._curriculum.next(step, size)
        self._plan = next_plan(self._plan_file, self._plan)
        return StepPlan(self._plan.share(self._format_error_rate))

    def _hint(self, plan: StepPlan, row: dict[str, Any], has_expert: bool) -> dict[str, Any]:
        """What a group without the expert reads beside its task, where the plan gives it a hint and there is one."""
        tier = "none" if has_expert else plan.hints.get(task_of(row), "none")
        text = self._hints.get(f"{row['scenario']}/{row['task_idx']}", {}).get(tier, "")
        if not text:
            return {"hint": "none", "hint_text": ""}
        *before, last = row["prompt"]
        if not last["content"]:
            # The environment says the task at reset, and the hint goes with it.
            return {"hint": tier, "hint_text": text}
        hinted = {**last, "content": f"{last['content']}\n\n{HINT}{text}"}
        return {"hint": tier, "hint_text": "", "prompt": [*before, hinted]}


def check_baselines(args: GRPOConfig) -> None:
    """Refuses what would make the baseline or the scale of one arm depend on the other, or of a group say nothing."""
    if args.scale_rewards == "batch" or args.multi_objective_aggregation == "normalize_then_sum":
        raise SystemExit(
            "Rewards are compared within a group: over the whole batch those with an expert would set the scale of "
            "those without. Use --scale_rewards group or none, and --multi_objective_aggregation sum_then_normalize."
        )
    if args.scale_rewards == "group" and args.num_generations < 4:
        raise SystemExit(
            f"--num_generations {args.num_generations}: divided by their deviation, the advantages of so small a group "
            "are nearly constant. Use 4 or more, or --scale_rewards none."
        )


def environment_name(scenario: str, with_expert: bool) -> str:
    return f"{scenario}/{'expert' if with_expert else 'solo'}"


def task_rows(kit: GrpoArguments) -> DatasetDict:
    """A row a task. Of the data folder's columns only what the environment is told stays."""
    if not kit.scenario:
        rows = in_one_environment(kit, rows_of(kit.data, "grpo"))
        return rows.select_columns(["prompt", "scenario", "task_idx"])
    system = (KIT / "system.md").read_text("utf-8")
    # The environment says the task at reset; TRL puts it into the last message.
    prompt = [{"role": "system", "content": system}, {"role": "user", "content": ""}]
    refuse_held_out(Path(kit.data), kit.scenario, _numbers(kit.tasks))
    rows = [{"prompt": prompt, "scenario": kit.scenario, "task_idx": index} for index in _numbers(kit.tasks)]
    return DatasetDict(train=Dataset.from_list(rows))


def in_one_environment(kit: GrpoArguments, rows: DatasetDict) -> DatasetDict:
    """Two environments may have scenarios of one name, and the tap leads to one of them."""
    if any("environment_name" not in split.column_names for split in rows.values()):
        return rows
    names = sorted({name for split in rows.values() for name in split.unique("environment_name")})
    if kit.environment:
        return rows.filter(lambda row: row["environment_name"] == kit.environment)
    if len(names) > 1:
        raise SystemExit(f"The rows are of {len(names)} environments ({', '.join(names)}): name one with --environment.")
    return rows


def toolsets(doors: Doors, run: str, rows: DatasetDict) -> dict[str, list[Tool]]:
    """The tools of each scenario, from one short episode of it."""
    first = {row["scenario"]: row for split in rows.values() for row in split}
    tools = {}
    for scenario, row in first.items():
        session = Session(doors, f"{run}/tools", [])
        try:
            session.begin({**row, "step": None, "group": None, "checkpoint": None})
            tools[scenario] = tools_of(session.listed())
        finally:
            session.close()
    return tools


def environment_reward(
    schemas: dict[str, list[Schema]], format_errors: FormatErrors
) -> Callable[..., list[float | None]]:
    """The reward TRL trains on, and the metrics beside it."""

    def reward(
        prompts: list[list[dict[str, Any]]],
        completions: list[list[dict[str, Any]]],
        environments: list[Any],
        environment: list[str],
        log_metric: Callable[[str, float], None],
        **_: Any,
    ) -> list[float | None]:
        verdicts = []
        for prompt, completion, instance, name in zip(prompts, completions, environments, environment, strict=True):
            told, tools = told_messages(prompt + completion), schemas[name]
            words, unsent = final_words(completion, {tool["function"]["name"] for tool in tools})
            verdicts.append(instance.session.finish(words, unsent, told, tools))
        format_errors.add(verdicts)
        for metric, value in metrics(verdicts, [name.endswith("/expert") for name in environment]):
            log_metric(metric, value)
        return [verdict.reward for verdict in verdicts]

    reward.__name__ = "environment"  # TRL logs it by this name.
    return reward


def final_words(completion: list[dict[str, Any]], offered: set[str]) -> tuple[str, int]:
    """The final answer, and how many turns were badly formed before they reached a tool.

    TRL reads a call it cannot parse as plain words: those are no answer.
    """
    said = [message for message in completion if message["role"] == "assistant"]
    names = [call["function"]["name"] for message in said for call in message.get("tool_calls") or []]
    unsent = sum(name not in offered for name in names)
    last = completion[-1]
    if last["role"] != "assistant" or last.get("tool_calls"):
        return "", unsent
    if re.search(r'<tool_call|"arguments"\s*:', last["content"]):
        return "", unsent + 1
    return last["content"], unsent


def metrics(verdicts: list[Verdict], with_expert: list[bool]) -> Iterator[tuple[str, float]]:
    """What a step's rollouts came to: by condition, by how they asked, and shaped, which is a diagnostic only."""
    by_condition: dict[str, list[Verdict]] = defaultdict(list)
    for verdict, has_expert in zip(verdicts, with_expert, strict=True):
        by_condition["expert" if has_expert else "solo"].append(verdict)
    for condition, group in by_condition.items():
        judged = [verdict for verdict in group if verdict.reward is not None]
        yield f"unjudged/{condition}", float(len(group) - len(judged))
        if judged:
            yield f"reward/{condition}", fmean(verdict.reward or 0.0 for verdict in judged)
            yield f"completed/{condition}", fmean(verdict.label == "complete" for verdict in judged)
    measured = FormatErrors()
    measured.add(verdicts)
    if measured.rollouts > 0:
        yield "format_error_rate", measured.errors / measured.rollouts
    yield "expert_share", fmean(with_expert)
    yield "helped", fmean(verdict.facts.helped_after is not None for verdict in verdicts)
    worth = [shaped(verdict.facts, Shaping()) for verdict in verdicts if verdict.label is not None]
    if worth:
        yield "diagnostic/shaped", fmean(one.total for one in worth)
    for pattern in ("solo", "recovery", "blind", "unknown"):
        yield f"diagnostic/{pattern}", float(sum(one.pattern == pattern for one in worth))


def told_messages(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The conversation as chat completions have it: numbered calls, arguments as text."""
    told, number = [], 0
    for message in messages:
        calls = []
        for call in message.get("tool_calls") or []:
            function = call["function"]
            arguments = json.dumps(function["arguments"])
            number += 1
            calls.append({"id": f"call-{number}", "type": "function", "function": {**function, "arguments": arguments}})
        told.append({**message, "tool_calls": calls} if calls else dict(message))
    # Answers come in the order of the calls.
    waiting = iter([call["id"] for message in told for call in message.get("tool_calls") or []])
    return [{**one, "tool_call_id": next(waiting, "")} if one["role"] == "tool" else one for one in told]


def _numbers(said: str) -> list[int]:
    if found := re.fullmatch(r"(\d+)-(\d+)", said):
        return list(range(int(found[1]), int(found[2]) + 1))
    return [int(number) for number in said.split(",")]


def plan_of(kit: GrpoArguments) -> Plan:
    try:
        return read_plan(Path(kit.plan) if kit.plan else KIT / "curriculum.json")
    except (OSError, ValueError) as error:
        raise SystemExit(f"--plan: {error}") from error


def curriculum_of(
    kit: GrpoArguments, doors: Doors, run: str, tasks: list[Task], args: GRPOConfig
) -> Curriculum | None:
    """The curriculum that Interject serves; None where a plan file is named, or this Interject serves none."""
    if kit.plan:
        if kit.hints:
            raise SystemExit("--hints follows Interject's curriculum, and --plan is in its place.")
        return None
    curriculum = Curriculum(doors.address, doors.key, run)
    if curriculum.begin(tasks, bool(args.resume_from_checkpoint)):
        return curriculum
    logger.warning("This Interject serves no curriculum: curriculum.json is followed.")
    return None


def hints_of(kit: GrpoArguments) -> dict[str, dict[str, str]]:
    if not kit.hints:
        return {}
    try:
        return json.loads(Path(kit.hints).read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise SystemExit(f"--hints: {error}") from error


def main() -> None:
    kit, args = parsed(
        GrpoArguments,
        GRPOConfig,
        output_dir="out/grpo",
        max_completion_length=8_192,
        max_tool_calling_iterations=15,
        # A whole group a step, one rollout after the other.
        smoke={"gradient_accumulation_steps": 8},
    )
    check_baselines(args)
    plan = plan_of(kit)
    doors = Doors(kit.tap, kit.expert, setting("INTERJECT_KEY"), kit.expert_model, kit.asks)
    # A wrong key or address is said before anything is loaded.
    doors.client.models.list()
    rows = task_rows(kit)
    run = args.run_name or Path(args.output_dir).name
    curriculum = curriculum_of(kit, doors, run, [task_of(row) for row in rows["train"]], args)
    if curriculum is not None:
        run = curriculum.run
    tools = toolsets(doors, run, rows)
    schemas, factories = {}, {}
    for scenario, offered in tools.items():
        for can_ask in (True, False):
            name = environment_name(scenario, can_ask)
            schemas[name] = schemas_of(offered, can_ask)
            factories[name] = rollout_class(lambda own=offered: Session(doors, run, own), offered, can_ask)
    model, tokenizer = kit.model, None
    if kit.smoke:
        folder = tiny(args.output_dir, map(json.dumps, [*rows["train"], *schemas.values()]))
        model, tokenizer = rehearsing(folder)
    format_errors = FormatErrors()
    trainer = ArmTrainer(
        plan_file=Path(kit.plan) if kit.plan else KIT / "curriculum.json",
        plan=plan,
        curriculum=curriculum,
        hints=hints_of(kit),
        callbacks=[] if curriculum is None else [Telling(curriculum, uuid.uuid4().hex[:8])],
        schemas=schemas,
        format_errors=format_errors,
        model=model,
        args=args,
        reward_funcs=environment_reward(schemas, format_errors),
        train_dataset=rows["train"],
        eval_dataset=rows.get("validation"),
        processing_class=tokenizer,
        environment_factory=factories,
        **adapter_of(kit.lora, kit.load_4bit),
    )
    train(trainer, kit, "grpo")


if __name__ == "__main__":
    main()
