"""Preference training: `python dpo.py --model NAME`, or `python dpo.py --smoke`.

A pair is one decision point: what the expert decided over what was proposed there, after the same prompt. Pairs of
advice are for an advisor and never train an agent: `--pairs advice` trains on them alone.
Every option of TRL's DPOConfig is one here.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from datasets import DatasetDict
from trl import DPOConfig, DPOTrainer

from common import KitArguments, parsed, train_on
from rows import rows_of

AGENT = ("edited", "corrected", "refused", "label", "reviewer", "pairwise", "file")
"""Kinds of pairs that hold replies of the agent."""
ADVISOR = ("advice",)
"""Those that hold what an expert wrote to it."""


@dataclass
class DpoArguments(KitArguments):
    pairs: list[str] = field(
        default_factory=lambda: list(AGENT),
        metadata={"help": f"Kinds of pairs to train an agent on: {', '.join(AGENT)}. An advisor: advice."},
    )
    contrary: bool = field(
        default=False,
        metadata={"help": "Also pairs whose chosen side led to a failed episode or whose rejected side completed it."},
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if unknown := sorted({*self.pairs} - {*AGENT, *ADVISOR}):
            raise SystemExit(f"--pairs: {', '.join(unknown)} is no kind of pair; there are {', '.join(AGENT + ADVISOR)}.")
        if {*self.pairs} & {*AGENT} and {*self.pairs} & {*ADVISOR}:
            raise SystemExit("--pairs: advice trains an advisor, every other kind an agent; choose one of the two.")


def left_out(pair: dict[str, Any], kinds: list[str], contrary: bool) -> str | None:
    """Why a pair does not train; None where it does."""
    if pair["pair"] not in kinds:
        return pair["pair"]
    # Exports have what became of each side since they know it: empty where nobody does.
    if not contrary and pair.get("chosen_outcome", "") not in ("", "complete"):
        return "chosen_failed"
    if not contrary and pair.get("rejected_outcome", "") == "complete":
        return "rejected_completed"
    return None


def pairs_of(rows: DatasetDict, kinds: list[str], contrary: bool) -> DatasetDict:
    """The pairs to train on. Says how many there are of each kind, and how many are left out for what; refuses a kind
    that this kit does not know."""
    if unknown := sorted({kind for split in rows.values() for kind in split["pair"]} - {*AGENT, *ADVISOR}):
        raise SystemExit(
            f"The data holds pairs of a kind that this kit does not know: {', '.join(unknown)}. Use the kit of the "
            "Interject that exported them (--kit trl)."
        )
    kept = rows.filter(lambda pair: left_out(pair, kinds, contrary) is None)
    counts = {
        "pairs": Counter(kind for split in kept.values() for kind in split["pair"]),
        "left_out": Counter(why for split in rows.values() for pair in split if (why := left_out(pair, kinds, contrary))),
    }
    print(json.dumps(counts), flush=True)
    if not len(kept["train"]):
        raise SystemExit(f"The data holds no pair to train on of these kinds: {', '.join(kinds)}.")
    return DatasetDict({split: pairs for split, pairs in kept.items() if len(pairs)})


def main() -> None:
    kit, args = parsed(DpoArguments, DPOConfig, output_dir="out/dpo", max_length=16_384)
    rows = pairs_of(rows_of(kit.data, "preference"), kit.pairs, kit.contrary)
    train_on(rows, DPOTrainer, kit, args, "dpo")


if __name__ == "__main__":
    main()
