"""Preference training: `python dpo.py --model NAME`, or `python dpo.py --smoke`.

A pair is one decision point: what the expert decided over what was proposed or drafted there, after the same prompt.
Every option of TRL's DPOConfig is one here.
"""

from __future__ import annotations

import json

from trl import DPOConfig, DPOTrainer

from common import KitArguments, parsed, rows_of
from smoke import proven, tiny


def main() -> None:
    kit, args = parsed(KitArguments, DPOConfig, output_dir="out/dpo", max_length=16_384)
    rows = rows_of(kit.data, "preference")
    if kit.smoke:
        kit.model = tiny(args.output_dir, map(json.dumps, rows["train"]))
    trainer = DPOTrainer(
        model=kit.model,
        args=args,
        train_dataset=rows["train"],
        eval_dataset=rows.get("validation"),
    )
    if kit.smoke:
        proven(trainer, "dpo")
    else:
        trainer.train()
        trainer.save_model()


if __name__ == "__main__":
    main()
