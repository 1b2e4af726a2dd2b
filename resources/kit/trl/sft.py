"""Supervised fine-tuning on what experts taught: `python sft.py --model NAME`, or `python sft.py --smoke`.

Rows are cut at the intervention (`sft`: prompt and completion) or whole conversations (`sft_messages`). Completions
hold tool results between the agent's turns, so only the agent's own tokens train: `assistant_only_loss`. TRL knows the
chat templates of most families; for others `--assistant_only_loss false` trains on the tool results too.
Every option of TRL's SFTConfig is one here.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from trl import SFTConfig, SFTTrainer

from common import KitArguments, parsed, train_on
from rows import rows_of


@dataclass
class SftArguments(KitArguments):
    rows: str = field(
        default="sft", metadata={"help": "Rows to train on: sft (also of a preset) or sft_messages."}
    )


def main() -> None:
    kit, args = parsed(SftArguments, SFTConfig, output_dir="out/sft", assistant_only_loss=True, max_length=16_384)
    train_on(rows_of(kit.data, kit.rows), SFTTrainer, kit, args, f"sft/{kit.rows}")


if __name__ == "__main__":
    main()
