"""Training on judged replies: `python kto.py --model NAME`, or `python kto.py --smoke`.

A row is one reply and whether it was good. TRL trains on every token of a completion and on nothing of its prompt.
Every option of TRL's KTOConfig is one here.
"""

from __future__ import annotations

import json
from collections import Counter

from datasets import Dataset
from trl import KTOConfig, KTOTrainer

from common import KitArguments, parsed, train_on
from rows import rows_of


def check_labels(rows: Dataset) -> None:
    """Says how many rows have each label and where it comes from, and how many replies have both after the same prompt,
    which teaches nothing of them; KTO weighs one label against the other."""
    found = Counter(zip(rows["source"], rows["label"], strict=True))
    for label in (True, False):
        print(json.dumps({"label": label, "rows": {of: n for (of, one), n in found.items() if one == label}}), flush=True)
        if not any(one == label for _, one in found):
            raise SystemExit(f"No row has the label {str(label).lower()}: KTO needs both. Export more episodes.")

    replies = {(json.dumps([row["prompt"], row["completion"]]), row["label"]) for row in rows}
    both = len(replies) - len({reply for reply, _ in replies})
    print(json.dumps({"labelled_both_ways": both}), flush=True)


def main() -> None:
    kit, args = parsed(
        KitArguments,
        KTOConfig,
        output_dir="out/kto",
        max_length=16_384,
        # TRL makes its comparison out of the other completions of a batch.
        smoke={"per_device_train_batch_size": 2},
    )
    rows = rows_of(kit.data, "kto")
    check_labels(rows["train"])
    train_on(rows, KTOTrainer, kit, args, "kto")


if __name__ == "__main__":
    main()
