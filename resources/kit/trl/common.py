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

from smoke import ARGUMENTS, proven, tiny

KIT = Path(__file__).resolve().parent


@dataclass
class KitArguments:
    model: str = field(default="", metadata={"help": "Model to start from: a name or a folder."})
    data: str = field(default=str(KIT.parent), metadata={"help": "Data set folder that Interject wrote."})
    smoke: bool = field(
        default=False, metadata={"help": "Two steps on the CPU with a tiny random model made here; no download."}
    )

    def __post_init__(self) -> None:
        if not self.smoke and not self.model:
            raise SystemExit("--model names the model to start from; --smoke needs none.")


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
    trainer = kind(model=kit.model, args=args, train_dataset=rows["train"], eval_dataset=rows.get("validation"))
    train(trainer, kit, name)


def train(trainer: Any, kit: KitArguments, name: str) -> None:
    """Trains and saves; a smoke run proves that it trained, under its name, and saves nothing."""
    if kit.smoke:
        proven(trainer, name)
    else:
        trainer.train()
        trainer.save_model()


def setting(name: str) -> str:
    """A secret comes from the environment, never from an argument that others on the machine can read."""
    value = os.environ.get(name)
    if not value:
        raise SystemExit(f"{name} is not set.")
    return value
