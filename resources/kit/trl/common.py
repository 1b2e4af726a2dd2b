"""What the three scripts share: their arguments, the rows of the data folder, and the model they start from."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from datasets import DatasetDict, load_dataset
from trl import TrlParser

from smoke import ARGUMENTS

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
        parser.set_defaults(**ARGUMENTS, **(smoke or {}))
    return parser.parse_args_and_config()


def rows_of(folder: str, name: str) -> DatasetDict:
    """The splits of one format in a data set folder, as its README.md declares them."""
    return load_dataset(str(Path(folder).resolve()), name)


def setting(name: str) -> str:
    """A secret comes from the environment, never from an argument that others on the machine can read."""
    value = os.environ.get(name)
    if not value:
        raise SystemExit(f"{name} is not set.")
    return value
