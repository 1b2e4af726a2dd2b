"""Does what an expert's interventions teach reach tasks that nobody helped with? The whole circle on one machine.

A student made from nothing is warmed up on demonstrations that lack a skill: none of them moves a crate. On tasks half
of which are moves it plays alone, it plays with every call held at the console's desk for a scripted expert, and the
expert demonstrates the same tasks. Of each a data set is exported, students are trained on it with the training kit,
the same number of updates each, and every student is tried alone on held-out tasks of another database.

`python loop.py --interject BIN --out DIR`. Everything goes through the product's own commands: run, serve, export.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import resource
import shlex
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from depot import names_of, write_pack
from expert import teach
from exported import rows_in
from report import Arm, Report, write_report

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
    """How much of everything; tasks are counted per depot. In one depot alone a student learns which number a name has.

    `warm_moves`: the share of moves among the tasks to warm up on; half of all others are. `ambiguous`: 1 makes names
    stand in several bays where students learn and are tried; `warm_ambiguous_depots`: in so many to warm up on.
    """

    warm_depots: int = 16
    warm_ambiguous_depots: int = 0
    warm_tasks: int = 75
    warm_moves: float = 0.0
    ambiguous: int = 0
    train_depots: int = 4
    train_tasks: int = 50
    held_depots: int = 2
    held_tasks: int = 40
    hidden: int = 64
    layers: int = 3
    warm_steps: int = 750
    warm_batch: int = 8
    warm_rate: float = 3e-3
    steps: int = 100
    batch: int = 16
    rate: float = 1e-3
    seeds: int = 5
    rounds: int = 2


@dataclass
class Loop:
    """One run: where it is, how much of everything, and how the product is called."""

    out: Path
    interject: list[str]
    sizes: Sizes
    student: ModuleType
    earlier: float = 0.0
    processor: int = 0
    began: float = field(default_factory=time.monotonic)
    port: int = 0

    def say(self, what: str) -> None:
        print(f"[{self.seconds:5.0f} s] {what}", flush=True)

    @property
    def models(self) -> Path:
        return self.out / "models"

    @property
    def packs(self) -> Path:
        return self.out / "packs"

    @property
    def updates(self) -> dict[str, Any]:
        """How every arm trains: the same number of updates at the same rate."""
        return {"steps": self.sizes.steps, "batch": self.sizes.batch, "rate": self.sizes.rate}

    def product(self, *args: str, model: str | None = None) -> str:
        """Runs a command of the product to its end and gives what it printed. Ends the loop with its words if it fails."""
        done = subprocess.run([*self.interject, *args], capture_output=True, text=True, env=self._variables(model))
        if done.returncode != 0:
            raise SystemExit(f"interject {' '.join(args)} failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        return done.stdout

    def _variables(self, model: str | None = None) -> dict[str, str]:
        """What every command of the product is begun with; `model` is the student that acts."""
        said = {"INTERJECT_HOME": str(self.out / "home"), "INTERJECT_WORLD_DIR": str(self.packs), "INTERJECT_AGENT_API_KEY": "none"}
        if model is not None:
            said |= {"INTERJECT_AGENT_MODEL": model, "INTERJECT_AGENT_BASE_URL": f"http://127.0.0.1:{self.port}/v1"}
        return {**os.environ, **said}

    def play(self, worlds: list[str], model: str) -> dict[tuple[str, int], dict[str, Any]]:
        """Plays every task alone. Returns how each of them ended, by world and task."""
        return {(world, end["task_idx"]): end for world in worlds for end in self.once(f"{model} in {world}", lambda: self._play(world, model))}

    def _play(self, world: str, model: str) -> list[dict[str, Any]]:
        said = self.product(
            "run", "--json", "--world", world, "--task", "all", "--turns", "8",
            "--concurrency", "8", "--agent-model", model, model=model,
        )  # fmt: skip
        ends = [line for line in map(json.loads, said.splitlines()) if line.get("type") == "episode"]
        return [{name: end[name] for name in ("task_idx", "episode", "reward_type")} for end in ends]

    def once(self, step: str, make: Callable[[], Any]) -> Any:
        """What a step gave: made now, or read from the list of steps that an earlier start of this run has done."""
        done = read(self.ledger)
        if step not in done["steps"]:
            made = make()
            done = read(self.ledger)
            done["steps"][step] = made
            done |= {"seconds": self.seconds, "processor": self.processor + processor_seconds()}
            part = self.ledger.with_suffix(".part")
            part.write_text(json.dumps(done), "utf-8")
            part.replace(self.ledger)
        return done["steps"][step]

    @property
    def ledger(self) -> Path:
        return self.out / "steps.json"

    @property
    def seconds(self) -> float:
        """Since the run began, less the time between a start that was broken off and the next."""
        return self.earlier + time.monotonic() - self.began

    @property
    def warm(self) -> list[str]:
        return [f"depot_warm_{at}" for at in range(self.sizes.warm_depots)]

    @property
    def trains(self) -> list[str]:
        return [f"depot_train_{at}" for at in range(self.sizes.train_depots)]

    @property
    def held(self) -> list[str]:
        return [f"depot_held_{at}" for at in range(self.sizes.held_depots)]

    def export(self, name: str, format: str, episodes: Iterable[str], *rules: str) -> Path:
        """Writes a data set of these episodes. What a start that was broken off has played is in none."""
        folder = self.out / "data" / name
        chosen = [part for episode in episodes for part in ("--episode", episode)]
        self.product("export", "--format", format, *chosen, "--out", str(folder), "--kit", "trl", "--force", *rules)
        return folder

    @contextmanager
    def serving(self, model: str) -> Iterator[tuple[str, str]]:
        """The console, with this student as the agent: its address and its token."""
        args = ["serve", "--json", "--no-open", "--port", "0"]
        process = subprocess.Popen([*self.interject, *args], stdout=subprocess.PIPE, text=True, env=self._variables(model))
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
        places = ["--models", str(self.models), "--packs", str(self.packs)]
        command = [sys.executable, str(HERE / "serve_models.py"), "--student", self.student.__name__, *places]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            self.port = json.loads((process.stdout.readline() if process.stdout else "") or '{"ready": 0}')["ready"]
            yield
        finally:
            process.terminate()
            process.wait(60)

    def train(self, seeds: dict[str, int], start: str, rows: str, folder: Path, *, steps: int, batch: int, rate: float) -> None:
        """Trains a student of each name on rows of a data set. Nothing is trained twice."""
        missing = {name: seed for name, seed in seeds.items() if not (self.models / name).is_dir()}
        if not missing:
            return
        (self.out / "logs").mkdir(exist_ok=True)
        parts = {f"{name}.part": seed for name, seed in missing.items()}
        log = self.out / "logs" / f"{next(iter(missing))}.txt"
        self.student.train(parts, self.models, start, folder, rows, log, steps=steps, batch=batch, rate=rate)
        for name in missing:
            (self.models / f"{name}.part").rename(self.models / name)


def read(ledger: Path) -> dict[str, Any]:
    return json.loads(ledger.read_text("utf-8"))


def episodes_of(ends: dict[tuple[str, int], dict[str, Any]]) -> list[str]:
    return [end["episode"] for end in ends.values()]


def warm_up(loop: Loop) -> None:
    """Demonstrations of tasks of which none is a move, and a student of random weights trained on them."""
    folder = loop.export("warm", "sft_messages", episodes_of(loop.play(loop.warm, "demonstrator")))
    rows = rows_in(folder, "sft_messages")
    what = loop.student.write_new(loop.models / "new", rows, hidden=loop.sizes.hidden, layers=loop.sizes.layers)
    loop.say(f"{len(rows)} demonstrations; {what}")
    loop.train(
        {"base": 0}, "new", "sft_messages", folder,
        steps=loop.sizes.warm_steps, batch=loop.sizes.warm_batch, rate=loop.sizes.warm_rate,
    )  # fmt: skip


def interventions(loop: Loop) -> tuple[Path, dict[str, Any]]:
    """The rounds of DAgger (Ross, Gordon and Bagnell 2011): the student visits the states, the expert says what to do
    there. Every call is held; one that is right goes through, so the student plays all that it has right and the expert
    the rest. Each round has tasks of its own, and a student trained on all rows so far. Returns the data of all rounds."""
    visitors, facts, episodes = ["base"], Counter[str](), list[str]()
    for at in range(loop.sizes.rounds):
        depots = loop.trains[at :: loop.sizes.rounds]
        visits = loop.once(f"interventions {at + 1}", lambda: taught(loop, visitors[-1], depots))
        facts += Counter(visits["counts"])
        episodes += visits["episodes"]
        folder = loop.export("interventions", "sft", episodes, "--despite", "no_rows")
        rows = rows_in(folder, "sft")
        loop.say(f"round {at + 1}: {visitors[-1]} visited {', '.join(depots)}; {len(rows)} rows so far")
        if at + 1 < loop.sizes.rounds:
            # Where a student completed nothing even when helped there is nothing to train on yet: it goes on visiting.
            visitors.append(f"round-{at + 1}" if rows else visitors[-1])
            if rows:
                loop.train({visitors[-1]: 0}, "base", "sft", folder, **loop.updates)
    visitor_of = {depot: visitors[at % loop.sizes.rounds] for at, depot in enumerate(loop.trains)}
    (folder / "visitors.json").write_text(json.dumps({row["episode"]: visitor_of[row["scenario"]] for row in rows}, indent=1) + "\n", "utf-8")
    by = Counter(visitor_of[row["scenario"]] for row in rows)
    counts = {f"calls {what} by the expert": count for what, count in sorted(facts.items())}
    counts |= {f"rows whose state {visitor} visited": by[visitor] for visitor in visitors}
    stale = sum(count for visitor, count in by.items() if visitor != visitors[-1])
    ratio = f"{facts['edited'] / max(1, facts['edited'] + facts['approved']):.0%} of the calls carried out were the expert's, the rest the student's own"
    return folder, {**counts, "stale rows (an older student visited the state)": stale, "mixing ratio": ratio}


def taught(loop: Loop, visitor: str, depots: list[str]) -> dict[str, Any]:
    counts, episodes = Counter[str](), list[str]()
    with loop.serving(visitor) as (url, token):
        for depot in depots:
            more, ids = teach(url, token, depot, range(loop.sizes.train_tasks), places=8)
            counts += more
            episodes += ids
    return {"counts": counts, "episodes": episodes}


def demonstrations(loop: Loop, tokens: int) -> tuple[Path, list[dict[str, Any]]]:
    """The expert's own episodes of as many of the same tasks as make so many trained tokens, or all of them."""
    ends = loop.play(loop.trains, "demonstrator")
    # A task of each depot in turn, so that all have a share.
    order = lambda row: (row["task_idx"], row["scenario"])
    rows = sorted(rows_in(loop.export("shown", "sft_messages", episodes_of(ends)), "sft_messages"), key=order)
    sums = list(itertools.accumulate(loop.student.trained_tokens(loop.models / "base", [row]) for row in rows))
    count = min(range(len(sums)), key=lambda at: abs(sums[at] - tokens)) + 1
    return loop.export("shown", "sft_messages", [row["episode"] for row in rows[:count]]), rows[:count]


def tried(loop: Loop, names: list[str]) -> np.ndarray:
    """Every student alone on the held-out tasks: a row a student, a column a task."""
    ends = [loop.play(loop.held, name) for name in names]
    return np.array([[end[task]["reward_type"] == "complete" for task in sorted(end)] for end in ends])


def by_kind(loop: Loop, arm: Arm) -> str:
    """How many of the moves an arm completes, and of the tasks that set a state: means over seeds."""
    plans = [json.loads((loop.packs / world / "tasks.json").read_text("utf-8")) for world in sorted(loop.held)]
    is_move = np.array([task["reference"][-1]["tool"] == "move_crate" for tasks in plans for task in tasks])
    parts = ((name, arm.outcomes[:, mask]) for name, mask in (("moves", is_move), ("new states", ~is_move)))
    return ", ".join(f"{part.sum() / len(part):.1f} of {part.shape[1]} {name}" for name, part in parts)


def write_depots(loop: Loop) -> None:
    """The worlds of the run: no name stands in two of them."""
    sizes = loop.sizes
    for kind, depots, count, ambiguous, moves in (
        ("warm", loop.warm, sizes.warm_tasks, sizes.warm_ambiguous_depots, sizes.warm_moves),
        ("train", loop.trains, sizes.train_tasks, sizes.train_depots * sizes.ambiguous, 0.5),
        ("held", loop.held, sizes.held_tasks, sizes.held_depots * sizes.ambiguous, 0.5),
    ):
        try:
            shares = names_of(kind, len(depots))
        except ValueError as few:
            raise SystemExit(str(few)) from None
        for at, (name, names) in enumerate(zip(depots, shares, strict=True)):
            write_pack(loop.packs, name, seed=at, names=names, count=count, is_ambiguous=at < ambiguous, moves=moves)
            loop.once(f"check of {name}", lambda: loop.product("world", "check", str(loop.packs / name)))


def main() -> None:
    # Matrices this small gain nothing from a second thread, and lose where others use the machine too.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    loop = asked()
    write_depots(loop)
    loop.say("every task of the depots is proven by `world check`")
    with loop.endpoint():
        warm_up(loop)
        arms = [Arm("no training", "nothing more", tried(loop, ["base"]))]
        loop.say(f"alone before: {arms[0].mean:.0%} of held-out tasks")
        helped, facts = interventions(loop)
        rows = rows_in(helped, "sft")
        tokens = loop.student.trained_tokens(loop.models / "base", rows)
        own = loop.export("alone", "sft", episodes_of(loop.play(loop.trains, "base")), "--preset", "demonstrations", "--despite", "no_rows")
        shown, shown_rows = demonstrations(loop, tokens)
        for name, says, folder, kind, data in (
            ("interventions", "its episodes with the expert's help that came to be complete", helped, "sft", rows),
            ("demonstrations", "the expert's own episodes, as many tokens", shown, "sft_messages", shown_rows),
            ("unhelped episodes", "its own episodes that the verifier calls complete", own, "sft", rows_in(own, "sft")),
        ):
            if not data:
                facts[name] = "no row to train on: this arm is left out"
                continue
            students = {f"{name.replace(' ', '-')}-{seed}": seed for seed in range(loop.sizes.seeds)}
            loop.train(students, "base", kind, folder, **loop.updates)
            arms.append(Arm(name, says, tried(loop, [*students]), len(data), loop.student.trained_tokens(loop.models / "base", data)))
            loop.say(f"{name}: {arms[-1].mean:.0%} of held-out tasks, {len(data)} rows")
    facts |= {f"completed by {arm.name}": by_kind(loop, arm) for arm in arms}
    facts |= {"student": loop.student.__name__, "seconds": round(loop.seconds), "seconds of processor time": loop.processor + processor_seconds()}
    report = Report(arms, {**facts, **asdict(loop.sizes)})
    made = {arm.name for arm in arms}
    print(write_report(loop.out, report, [pair for pair in CONTRASTS if made >= {*pair}]).read_text("utf-8"))


def processor_seconds() -> int:
    """Of this process and all that it has waited for: what the run costs on a machine that others use too."""
    spent = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return round(sum(one.ru_utime + one.ru_stime for one in spent))


def asked() -> Loop:
    """The loop that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--interject", required=True, help="the command that starts the product, as one line")
    parser.add_argument("--out", type=Path, required=True, help="a new folder for data, students and the report, or that of a run that was broken off, which goes on")
    parser.add_argument("--student", choices=("model", "table"), default="model", help="a small model, or a table of replies, which needs no torch")
    for name, value in asdict(Sizes()).items():
        parser.add_argument(f"--{name}", type=type(value), default=value)
    args = vars(parser.parse_args())
    out = args.pop("out").resolve()
    student = import_module("student" if args.pop("student") == "model" else "table")
    loop = Loop(out, shlex.split(args.pop("interject")), Sizes(**args), student)
    sizes = {**asdict(loop.sizes), "student": student.__name__}
    if not loop.ledger.exists():
        if out.exists() and any(out.iterdir()):
            raise SystemExit(f"{out} holds something already, and no run that was broken off: name a new folder (--out).")
        (out / "models").mkdir(parents=True, exist_ok=True)
        loop.ledger.write_text(json.dumps({"sizes": sizes, "steps": {}, "seconds": 0, "processor": 0}), "utf-8")
    done = read(loop.ledger)
    if done["sizes"] != sizes:
        raise SystemExit(f"{out} holds a run of other sizes: name a new folder (--out), or its sizes: {done['sizes']}")
    loop.earlier, loop.processor = done["seconds"], done["processor"]
    return loop


if __name__ == "__main__":
    main()
