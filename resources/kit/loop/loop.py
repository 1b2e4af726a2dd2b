"""Does what an expert's interventions teach reach tasks that nobody helped with? The whole circle on one machine.

A student made from nothing is warmed up on demonstrations of tasks without ambiguity. On tasks whose names are
ambiguous it plays alone, it plays with every call held at the console's desk for a scripted expert, and the expert
demonstrates the same tasks. Of each a data set is exported, students are trained on it with the training kit, the same
number of updates each, and every student is tried alone on held-out tasks of another database.

`python loop.py --interject BIN --out DIR`. Everything goes through the product's own commands: run, serve, export.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import shlex
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from transformers import AutoTokenizer

from depot import Names, write_pack
from expert import teach
from report import Arm, Report, write_report
from student import write_student

HERE = Path(__file__).resolve().parent
CONTRASTS = [
    ("interventions", "no training"),
    ("interventions", "demonstrations"),
    ("interventions", "unhelped episodes"),
    ("unhelped episodes", "no training"),
]
"""What is compared; the first is the primary one."""


@dataclass
class Sizes:
    """How much of everything; tasks are counted per depot.

    Several depots of the same names and other numbers: in one alone a student learns which number a name has.
    """

    warm_depots: int = 16
    warm_tasks: int = 75
    train_depots: int = 4
    train_tasks: int = 30
    held_tasks: int = 40
    hidden: int = 128
    layers: int = 3
    warm_steps: int = 700
    warm_batch: int = 32
    warm_rate: float = 2e-3
    steps: int = 80
    batch: int = 16
    rate: float = 3e-4
    seeds: int = 5
    rounds: int = 2


@dataclass
class Loop:
    """One run: where it is, how much of everything, and how the product is called."""

    out: Path
    interject: list[str]
    sizes: Sizes
    began: float = field(default_factory=time.monotonic)
    port: int = 0

    def say(self, what: str) -> None:
        print(f"[{time.monotonic() - self.began:5.0f} s] {what}", flush=True)

    @property
    def models(self) -> Path:
        return self.out / "models"

    @property
    def packs(self) -> Path:
        return self.out / "packs"

    def updates(self, seed: int) -> dict[str, Any]:
        """How every arm trains: the same number of updates at the same rate."""
        return {"steps": self.sizes.steps, "batch": self.sizes.batch, "rate": self.sizes.rate, "seed": seed}

    def product(self, *args: str) -> str:
        """Runs a command of the product to its end and gives what it printed. Ends the loop with its words if it fails."""
        done = subprocess.run([*self.interject, *args], capture_output=True, text=True, env=self._variables())
        if done.returncode != 0:
            raise SystemExit(f"interject {' '.join(args)} failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        return done.stdout

    def _variables(self) -> dict[str, str]:
        return {**os.environ, "INTERJECT_HOME": str(self.out / "home"), "INTERJECT_AGENT_API_KEY": "none"}

    def agent(self, model: str) -> list[str]:
        return ["--agent-model", model, "--agent-base-url", f"http://127.0.0.1:{self.port}/v1"]

    def play(self, worlds: list[str], model: str, run: str) -> dict[tuple[str, int], bool]:
        """Plays every task alone. Returns which of them the verifier calls complete."""
        done: dict[tuple[str, int], bool] = {}
        for world in worlds:
            said = self.product(
                "run", "--json", "--world-dir", str(self.packs), "--world", world, "--task", "all", "--turns", "8",
                "--concurrency", "8", "--run", run, *self.agent(model),
            )  # fmt: skip
            ends = [line for line in map(json.loads, said.splitlines()) if line.get("type") == "episode"]
            done |= {(world, end["task_idx"]): end["reward_type"] == "complete" for end in ends}
        return done

    @property
    def warm(self) -> list[str]:
        return [f"depot_warm_{at}" for at in range(self.sizes.warm_depots)]

    @property
    def trains(self) -> list[str]:
        return [f"depot_train_{at}" for at in range(self.sizes.train_depots)]

    def export(self, format: str, run: str, *rules: str) -> Path:
        folder = self.out / "data" / f"{run}-{format}"
        self.product("export", "--format", format, "--run", run, "--out", str(folder), "--kit", "trl", "--force", *rules)
        return folder

    @contextmanager
    def serving(self, model: str) -> Iterator[tuple[str, str]]:
        """The console, with this student as the agent: its address and its token."""
        args = ["serve", "--json", "--no-open", "--port", "0", "--world-dir", str(self.packs), *self.agent(model)]
        process = subprocess.Popen([*self.interject, *args], stdout=subprocess.PIPE, text=True, env=self._variables())
        try:
            for line in process.stdout or []:
                said = json.loads(line)
                if said.get("type") == "ready":
                    yield said["url"].split("#")[0], said["token"]
                    break
            else:
                raise SystemExit("interject serve gave no address.")
        finally:
            process.terminate()
            process.wait(60)

    @contextmanager
    def endpoint(self) -> Iterator[None]:
        """The students' and the demonstrator's address, while this lasts."""
        command = [sys.executable, str(HERE / "serve_models.py"), "--models", str(self.models), "--packs", str(self.packs)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            self.port = json.loads((process.stdout.readline() if process.stdout else "") or '{"ready": 0}')["ready"]
            yield
        finally:
            process.terminate()
            process.wait(60)

    def train(self, name: str, start: str, rows: str, folder: Path, *, steps: int, batch: int, rate: float, seed: int) -> None:
        """Fine-tunes a student with the kit of the data set itself. Nothing is trained twice."""
        target = self.models / name
        if (target / "config.json").is_file():
            return
        script = folder / "kit" / "sft.py"
        args = [
            f"--model={self.models / start}", f"--data={folder}", f"--rows={rows}", f"--output_dir={target}.part",
            f"--max_steps={steps}", f"--per_device_train_batch_size={batch}", f"--learning_rate={rate}", f"--seed={seed}",
            "--lr_scheduler_type=cosine", f"--warmup_steps={max(1, steps // 20)}", "--weight_decay=0.01", "--use_cpu=true", "--bf16=false",
            "--gradient_checkpointing=false", "--save_strategy=no", "--logging_steps=25", "--max_length=1024",
        ]  # fmt: skip
        done = subprocess.run([sys.executable, str(script), *args], capture_output=True, text=True)
        (self.out / "logs").mkdir(exist_ok=True)
        (self.out / "logs" / f"{name}.txt").write_text(done.stdout + done.stderr, "utf-8")
        if done.returncode != 0:
            raise SystemExit(f"Training {name} failed:\n{done.stderr[-3000:]}")
        Path(f"{target}.part").rename(target)


def rows_in(folder: Path, name: str) -> list[dict[str, Any]]:
    files = sorted((folder / "data").glob(f"{name}-train*.jsonl"))
    return [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()]


def words_in(rows: list[dict[str, Any]]) -> Iterator[str]:
    """What a tokenizer is trained on: every message but the system's, which the student's format leaves out."""
    for row in rows:
        for said in row["messages"]:
            if said["role"] != "system":
                yield said["content"] + "".join(json.dumps(call["function"]) for call in said.get("tool_calls", []))


def trained_tokens(loop: Loop, rows: list[dict[str, Any]]) -> int:
    """How many tokens of the agent's own words the rows hold: those that have a loss."""
    tokenizer = AutoTokenizer.from_pretrained(loop.models / "base")
    total = 0
    for row in rows:
        messages = row["messages"] if "messages" in row else [*row["prompt"], *row["completion"]]
        first = 0 if "messages" in row else len(row["prompt"])
        masked = tokenizer.apply_chat_template(messages, return_dict=True, return_assistant_tokens_mask=True)
        before = tokenizer.apply_chat_template(messages[:first], return_dict=True, return_assistant_tokens_mask=True) if first else {"assistant_masks": []}
        total += sum(masked["assistant_masks"]) - sum(before["assistant_masks"])
    return total


def warm_up(loop: Loop) -> None:
    """Demonstrations of tasks whose names are unique, and a student of random weights trained on them."""
    loop.play(loop.warm, "demonstrator", "warm")
    folder = loop.export("sft_messages", "warm")
    rows = rows_in(folder, "sft_messages")
    size = write_student(loop.models / "new", words_in(rows), hidden=loop.sizes.hidden, layers=loop.sizes.layers, seed=0)
    loop.say(f"{len(rows)} demonstrations; a student of {size:,} parameters")
    loop.train(
        "base", "new", "sft_messages", folder,
        steps=loop.sizes.warm_steps, batch=loop.sizes.warm_batch, rate=loop.sizes.warm_rate, seed=0,
    )  # fmt: skip


def interventions(loop: Loop) -> tuple[Path, dict[str, Any]]:
    """The rounds of DAgger (Ross, Gordon and Bagnell 2011): the student visits the states, the expert says what to do
    there. Every call is held; one that is right goes through, so the student plays all that it has right and the expert
    the rest. Each round has tasks of its own, and a student trained on all rows so far. Returns the data of all rounds."""
    visitors, facts = ["base"], Counter[str]()
    for at in range(loop.sizes.rounds):
        depots = loop.trains[at :: loop.sizes.rounds]
        with loop.serving(visitors[-1]) as (url, token):
            for depot in depots:
                facts += teach(url, token, depot, range(loop.sizes.train_tasks), run="helped", places=8)
        folder = loop.export("sft", "helped", "--any", "--despite", "no_rows")
        rows = rows_in(folder, "sft")
        loop.say(f"round {at + 1}: {visitors[-1]} visited {', '.join(depots)}; {len(rows)} rows so far")
        if at + 1 < loop.sizes.rounds:
            visitors.append(f"round-{at + 1}")
            loop.train(visitors[-1], "base", "sft", folder, **loop.updates(0))
    newest = {*loop.trains[loop.sizes.rounds - 1 :: loop.sizes.rounds]}
    stale = sum(row["scenario"] not in newest for row in rows)
    counts = {f"calls {what} by the expert": count for what, count in sorted(facts.items())}
    return folder, {**counts, "rows whose visitor was an older student": stale}


def demonstrations(loop: Loop, tokens: int) -> tuple[Path, list[dict[str, Any]]]:
    """The expert's own episodes of as many of the same tasks as make so many trained tokens, or all of them."""
    loop.play(loop.trains, "demonstrator", "shown")
    # A task of each depot in turn, so that all have a share.
    order = lambda row: (row["task_idx"], row["scenario"])
    rows = sorted(rows_in(loop.export("sft_messages", "shown"), "sft_messages"), key=order)
    sums = list(itertools.accumulate(trained_tokens(loop, [row]) for row in rows))
    count = min(range(len(sums)), key=lambda at: abs(sums[at] - tokens)) + 1
    chosen = [part for row in rows[:count] for part in ("--episode", row["episode"])]
    return loop.export("sft_messages", "shown", *chosen), rows[:count]


def tried(loop: Loop, names: list[str]) -> np.ndarray:
    """Every student alone on the held-out tasks: a row a student, a column a task."""
    ends = [loop.play(["depot_held"], name, f"held {name}") for name in names]
    return np.array([[end[task] for task in sorted(end)] for end in ends])


def main() -> None:
    loop = asked()
    kinds = (
        (loop.warm, Names(0, 4), loop.sizes.warm_tasks, False),
        (loop.trains, Names(1, 4), loop.sizes.train_tasks, True),
        (["depot_held"], Names(2, 4), loop.sizes.held_tasks, True),
    )
    for depots, names, count, is_ambiguous in kinds:
        for seed, name in enumerate(depots):
            write_pack(loop.packs, name, seed=seed, names=names, count=count, is_ambiguous=is_ambiguous)
            loop.product("world", "check", str(loop.packs / name))
    loop.say("every task of the depots is proven by `world check`")
    with loop.endpoint():
        warm_up(loop)
        arms = [Arm("no training", "nothing more", tried(loop, ["base"]))]
        loop.say(f"alone before: {arms[0].mean:.0%} of held-out tasks")
        helped, facts = interventions(loop)
        rows = rows_in(helped, "sft")
        tokens = trained_tokens(loop, rows)
        loop.play(loop.trains, "base", "alone")
        own = loop.export("demonstrations", "alone", "--despite", "no_rows")
        shown, shown_rows = demonstrations(loop, tokens)
        for name, says, folder, kind, data in (
            ("unhelped episodes", "its own episodes that the verifier calls complete", own, "demonstrations", rows_in(own, "demonstrations")),
            ("demonstrations", "the expert's own episodes, as many tokens", shown, "sft_messages", shown_rows),
            ("interventions", "what the expert changed in its episodes", helped, "sft", rows),
        ):
            if not data:
                facts[name] = "no row to train on: this arm is left out"
                continue
            students = [f"{name.replace(' ', '-')}-{seed}" for seed in range(loop.sizes.seeds)]
            for seed, student in enumerate(students):
                loop.train(student, "base", kind, folder, **loop.updates(seed))
            arms.append(Arm(name, says, tried(loop, students), len(data), trained_tokens(loop, data)))
            loop.say(f"{name}: {arms[-1].mean:.0%} of held-out tasks, {len(data)} rows")
    seconds = round(time.monotonic() - loop.began)
    report = Report(arms, {**facts, "updates of each student": loop.sizes.steps, "seconds": seconds, **asdict(loop.sizes)})
    made = {arm.name for arm in arms}
    print(write_report(loop.out, report, [pair for pair in CONTRASTS if made >= {*pair}]).read_text("utf-8"))


def asked() -> Loop:
    """The loop that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--interject", required=True, help="the command that starts the product, as one line")
    parser.add_argument("--out", type=Path, required=True, help="an empty folder for data, students and the report")
    for name, value in asdict(Sizes()).items():
        parser.add_argument(f"--{name}", type=type(value), default=value)
    args = vars(parser.parse_args())
    out = args.pop("out").resolve()
    if out.exists() and any(out.iterdir()):
        raise SystemExit(f"{out} holds something already: name a new folder (--out).")
    (out / "models").mkdir(parents=True, exist_ok=True)
    return Loop(out, shlex.split(args.pop("interject")), Sizes(**args))


if __name__ == "__main__":
    main()
