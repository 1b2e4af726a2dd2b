"""The rows of a data set folder: those that its files hold, whatever `datasets` still has in its cache."""

from __future__ import annotations

import hashlib
from itertools import zip_longest
from pathlib import Path

from datasets import DatasetDict, IterableDatasetDict, load_dataset

CHECKSUMS = "CHECKSUMS"


def rows_of(folder: str, name: str) -> DatasetDict:
    """The splits of one format in a data set folder, as its README.md declares them.

    Ends with a message where a file of the format is not what the folder's CHECKSUMS say, and where `datasets` gives
    other rows than the files hold: it finds what it loaded before by the card alone, and a card that does not name its
    content stays the same when the files change.
    """
    root = Path(folder).resolve()
    check_files(root, name)
    rows = load_dataset(str(root), name)
    check_loaded(rows, load_dataset(str(root), name, streaming=True), root)
    return rows


def check_files(root: Path, name: str) -> None:
    """Compares the format's files with the SHA-256 that CHECKSUMS has for each."""
    sums = root / CHECKSUMS
    if not sums.is_file():
        raise SystemExit(f"{root} has no {CHECKSUMS}: name a data set folder that Interject wrote (--data).")
    lines = [line.split("  ", 1) for line in sums.read_text("utf-8").splitlines()]
    files = {path: digest for digest, path in lines if path.startswith(f"data/{name}-")}
    if not files:
        raise SystemExit(f"{root} holds no {name} rows; its README.md says which rows it holds.")
    for path, digest in files.items():
        if not (root / path).is_file():
            raise SystemExit(f"{root / path} is missing: export again.")
        if _sha256(root / path) != digest:
            raise SystemExit(
                f"{root / path} is not what {CHECKSUMS} says: it changed after the export. Export again, or, where you "
                f"changed it yourself, put its new `sha256sum` into {CHECKSUMS}."
            )


def check_loaded(rows: DatasetDict, files: IterableDatasetDict, root: Path) -> None:
    """Compares what was loaded with the files, row by row, read past the cache."""
    for split, held in files.items():
        for loaded, row in zip_longest(rows[split], held):
            if loaded != row:
                cache = rows[split].cache_files[0]["filename"]
                raise SystemExit(
                    f"`datasets` gives other rows of {root} than its files hold: they are from an earlier export with "
                    f"the same card. Delete {Path(cache).parent}, or export again."
                )


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
    return digest.hexdigest()
