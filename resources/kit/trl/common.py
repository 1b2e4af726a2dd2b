"""What the scripts share: their arguments, and the run itself."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from datasets import DatasetDict
from trl import TrlParser

from adapters import adapter_of, merge
from smoke import ARGUMENTS, proven, tiny

KIT = Path(__file__).resolve().parent


@dataclass
class KitArguments:
    model: str = field(default="", metadata={"help": "Model to start from: a name or a folder."})
    data: str = field(default=str(KIT.parent), metadata={"help": "Data set folder that Interject wrote."})
    smoke: bool = field(
        default=False, metadata={"help": "Two steps on the CPU with a tiny random model made here; no download."}
    )
    lora: int = field(
        default=0, metadata={"help": "Rank of a LoRA adapter to train in place of all weights, 16 for example; 0: none."}
    )
    load_4bit: bool = field(
        default=False, metadata={"help": "Hold the base in 4 bits under the adapter: needs --lora and a GPU."}
    )
    merge_to: str = field(
        default="", metadata={"help": "Folder for the base with the adapter merged into it, in 16 bits: needs --lora."}
    )

    def __post_init__(self) -> None:
        if not self.smoke and not self.model:
            raise SystemExit("--model names the model to start from; --smoke needs none.")
        if (self.load_4bit or self.merge_to) and not self.lora:
            raise SystemExit("--load_4bit and --merge_to are about an adapter: give its rank too (--lora 16).")
        if (self.load_4bit or self.merge_to) and self.smoke:
            raise SystemExit("--smoke runs on the CPU and saves nothing: leave --load_4bit and --merge_to out.")


def parsed(*kinds: type, smoke: dict[str, Any] | None = None, **defaults: Any) -> tuple[Any, ...]:
    """The command line as one object of each kind. Smoke runs have defaults of their own; what is said still counts."""
    parser = TrlParser(kinds)
    parser.set_defaults(report_to="none", **defaults)
    if "--smoke" in sys.argv:
        parser.set_defaults(**{**ARGUMENTS, **(smoke or {})})
    return parser.parse_args_and_config()


def train_on(rows: DatasetDict, kind: Callable[..., Any], kit: KitArguments, args: Any, name: str) -> None:
    """Trains with a trainer of this kind on the rows. The smoke run's model is made of their words."""
    if kit.smoke:
        kit.model = tiny(args.output_dir, map(json.dumps, rows["train"]))
    trainer = kind(
        model=kit.model,
        args=args,
        train_dataset=rows["train"],
        eval_dataset=rows.get("validation"),
        **adapter_of(kit.lora, kit.load_4bit),
    )
    train(trainer, kit, name)


def train(trainer: Any, kit: KitArguments, name: str) -> None:
    """Trains, saves and merges; a smoke run proves that it trained, under its name, and saves nothing."""
    if kit.smoke:
        proven(trainer, name)
        return
    trainer.train()
    trainer.save_model()
    if kit.merge_to and trainer.is_world_process_zero():
        merge(kit.model, trainer.args.output_dir, kit.merge_to)


def setting(name: str) -> str:
    """A secret comes from the environment, never from an argument that others on the machine can read."""
    value = os.environ.get(name)
    if not value:
        raise SystemExit(f"{name} is not set.")
    return value
