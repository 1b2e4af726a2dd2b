"""A small world to learn in, made from a seed: crates in bays, names that stand in more than one bay, and tasks on them.

A pack as docs/environments.md describes it; `interject world check FOLDER` proves every task of it. Two packs of different
seeds and names share the words and the tools, and no crate: what is learned in one is tried on the other.
"""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

COLOURS = (
    "amber azure beige black blue brass brown copper coral cream crimson gold green grey indigo ivory khaki lilac lime "
    "maroon mauve navy ochre olive orange pink plum red rust silver teal white"
).split()
THINGS = (
    "anchor anvil barrel basket bell bench bottle broom candle canoe chair clock drum engine flute globe hammer kettle "
    "ladder lamp lantern mirror oven paddle pump rope saddle scale stove table wheel wrench"
).split()
BAYS = "north south east west upper lower".split()
STATES = "held ready sent kept".split()


@dataclass(frozen=True)
class Crate:
    id: int
    name: str
    bay: str
    status: str


@dataclass(frozen=True)
class Names:
    """Which names a pack may use: those whose place in the list falls on its side."""

    part: int
    parts: int = 36

    def all(self) -> list[str]:
        names = [f"{colour} {thing}" for colour in COLOURS for thing in THINGS]
        random.Random("names").shuffle(names)
        return names[self.part :: self.parts]


PARTS = {"warm": range(20), "train": range(20, 28), "held": range(28, 36)}
"""Which parts of all names the depots of a kind have: one each, so no name stands in two depots."""


def names_of(kind: str, count: int) -> list[Names]:
    """The names of so many depots of a kind. Raises ValueError when there are not enough for each to have its own."""
    if count > len(PARTS[kind]):
        raise ValueError(f"{count} depots of the kind {kind} would share names: ask for at most {len(PARTS[kind])}.")
    return [Names(part) for part in PARTS[kind][:count]]


def crates(names: list[str], chance: random.Random, *, is_ambiguous: bool) -> list[Crate]:
    """Each name in one bay, or in two or three different ones. Ids say nothing: they are shuffled, and all have two digits."""
    places = [(name, bay) for name in names for bay in chance.sample(BAYS, chance.choice((2, 3)) if is_ambiguous else 1)]
    ids = chance.sample(range(10, 100), len(places))
    return [
        Crate(id, name, bay, chance.choice(STATES)) for id, (name, bay) in zip(sorted(ids), chance.sample(places, len(places)), strict=True)
    ]


def tasks(stock: list[Crate], count: int, chance: random.Random, *, moves: float = 0.5) -> list[dict[str, Any]]:
    """Each on a crate drawn at random: another bay in a share `moves` of them, else a new state. No two are worded alike."""
    made: dict[str, dict[str, Any]] = {}
    while len(made) < count:
        task = _task(chance.choice(stock), stock, chance, moves)
        made.setdefault(task["task"], task)
    return [*made.values()]


def _task(crate: Crate, stock: list[Crate], chance: random.Random, moves: float) -> dict[str, Any]:
    alike = [one for one in stock if one.name == crate.name and one.id != crate.id]
    taken = {one.bay for one in alike} | {crate.bay}
    if chance.random() >= moves:
        new = chance.choice([state for state in STATES if state != crate.status])
        words = chance.choice(("Set the {name} in the {bay} bay to {new}.", "The {name} in the {bay} bay must be {new}."))
        call = lambda id: {"tool": "set_status", "args": {"crate_id": id, "status": new}}
        to = {"status": new}
    else:
        new = chance.choice([bay for bay in BAYS if bay not in taken])
        words = chance.choice(("Move the {name} from the {bay} bay to the {new} bay.", "Take the {name} of the {bay} bay to the {new} bay."))
        call = lambda id: {"tool": "move_crate", "args": {"crate_id": id, "bay": new}}
        to = {"bay": new}
    said = words.format(name=crate.name, bay=crate.bay, new=new)
    find = {"tool": "find_crates", "args": {"name": crate.name}}
    return {
        "task": said,
        "difficulty": "medium" if alike else "easy",
        "criteria": f"Crate {crate.id}, the {crate.name} in the {crate.bay} bay, has {json.dumps(to)}. Nothing else differs.",
        "changes": [{"change": "updated", "table": "crates", "row": {"id": crate.id}, "to": to}],
        "reference": [{**find, "purpose": "Find its id"}, {**call(crate.id), "purpose": "Do what is asked"}],
        "near_misses": [{"why": "the crate of this name in another bay", "calls": [call(one.id)]} for one in alike],
        "rehearsal": {
            "attempts": [{"say": "I use its name.", "tool": "set_status", "args": {"crate_id": crate.name, "status": "held"}}],
            "ask": {"task": said, "context": "The tool wants a number, and I have a name."},
            "final": "Done.",
        },
    }


def _tool(name: str, description: str, arguments: dict[str, Any], **does: Any) -> dict[str, Any]:
    return {
        "name": name,
        "description": description,
        "input_schema": {"type": "object", "properties": arguments, "required": list(arguments)},
        **does,
    }


def _change(name: str, description: str, column: str, values: list[str]) -> dict[str, Any]:
    arguments = {
        "crate_id": {"type": "integer", "description": "The crate"},
        column: {"type": "string", "enum": values, "description": f"Its new {column}"},
    }
    return _tool(
        name,
        description,
        arguments,
        run=[
            {"need": "SELECT id FROM crates WHERE id = :crate_id", "status": 404, "detail": "No crate {crate_id}"},
            {"do": f"UPDATE crates SET {column} = :{column} WHERE id = :crate_id"},
        ],
        result={"one": f"SELECT id AS crate_id, {column} FROM crates WHERE id = :crate_id"},
    )


TOOLS = [
    _tool(
        "find_crates",
        "Finds crates by their name. Names are not unique.",
        {"name": {"type": "string", "description": "The whole name"}},
        run=[],
        result={"object": {"crates": {"all": "SELECT bay, id AS crate_id FROM crates WHERE name = :name ORDER BY id"}}},
    ),
    _change("set_status", "Sets the state of a crate.", "status", STATES),
    _change("move_crate", "Moves a crate to another bay.", "bay", BAYS),
]

SCHEMA = """CREATE TABLE crates (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  bay TEXT NOT NULL,
  status TEXT NOT NULL
);
"""


def write_pack(folder: Path, name: str, *, seed: int, names: Names, count: int, is_ambiguous: bool, moves: float = 0.5) -> None:
    """Writes one pack. The same arguments give the same bytes."""
    chance = random.Random(f"{name} {seed}")
    stock = crates(names.all(), chance, is_ambiguous=is_ambiguous)
    where = folder / name
    where.mkdir(parents=True, exist_ok=True)
    rows = ",\n  ".join(f"({one.id}, '{one.name}', '{one.bay}', '{one.status}')" for one in stock)
    files = {
        "pack.json": {
            "name": name,
            "description": "A depot: crates in bays.",
            "world_time": "2026-01-05T08:00:00Z",
            "stamped_columns": [],
        },
        "tools.json": TOOLS,
        "tasks.json": tasks(stock, count, chance, moves=moves),
    }
    for file, value in files.items():
        (where / file).write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n", "utf-8")
    (where / "schema.sql").write_text(SCHEMA, "utf-8")
    (where / "seed.sql").write_text(f"INSERT INTO crates (id, name, bay, status) VALUES\n  {rows};\n", "utf-8")
    (where / "README.md").write_text("Made by depot.py from a seed.\n", "utf-8")
