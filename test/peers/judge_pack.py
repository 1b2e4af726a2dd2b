"""The verdict on a task of a pack, written a second time and in Python: no code of the product, only its rules.

`verify_task_completion` has the form of the Agent World Model's verifiers. TASK and STAMPED stand above it as literals.
"""


def verify_task_completion(initial_db_path, final_db_path, final_answer=None):
    import json
    import re
    import sqlite3
    import unicodedata

    task, stamped = json.loads(TASK), set(STAMPED)

    def rows(path):
        db = sqlite3.connect(path)
        db.row_factory = sqlite3.Row
        found = {}
        names = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in names:
            if table.startswith("sqlite_"):
                continue
            keys = [row["name"] for row in db.execute(f'PRAGMA table_info("{table}")') if row["pk"]]
            for row in db.execute(f'SELECT * FROM "{table}"'):
                found[table, tuple(row[key] for key in keys)] = dict(row)
        db.close()
        return found

    before, after = rows(initial_db_path), rows(final_db_path)
    differences = []
    for (table, key), row in before.items():
        now = after.get((table, key))
        if now is None:
            differences.append({"change": "removed", "table": table, "row": row, "to": {}})
            continue
        to = {name: value for name, value in now.items() if name not in stamped and value != row[name]}
        if to:
            differences.append({"change": "updated", "table": table, "row": row, "to": to})
    for (table, key), row in after.items():
        if (table, key) not in before:
            differences.append({"change": "added", "table": table, "row": row, "to": {}})

    def holds(wanted, row):
        for name, value in wanted.items():
            stored = row.get(name)
            if name.endswith("_json") and isinstance(stored, str):
                stored = json.loads(stored)
            if stored != value:
                return False
        return True

    def met(change, found):
        if (change["change"], change["table"]) != (found["change"], found["table"]):
            return False
        to = change.get("to", {})
        return holds(change["row"], found["row"]) and set(to) == set(found["to"]) and holds(to, found["to"])

    left = list(differences)
    for change in task["changes"]:
        hit = next((one for one in left if met(change, one)), None)
        if hit is None:
            return {"result": "others"}
        left.remove(hit)
    if left:
        return {"result": "others"}
    wanted = task.get("answer")
    if wanted:
        if not isinstance(final_answer, str):
            return {"result": "others"}

        def plain(text):
            return re.sub(r"\s+", " ", unicodedata.normalize("NFKC", text).lower()).strip()

        said = plain(final_answer)

        def occurs(text):
            return re.search(rf"(?<![^\W_]){re.escape(plain(text))}(?![^\W_])", said) is not None

        for item in wanted["says"]:
            if not any(occurs(one) for one in ([item] if isinstance(item, str) else item)):
                return {"result": "others"}
        if any(occurs(one) for one in wanted.get("never_says", [])):
            return {"result": "others"}
    return {"result": "complete"}
