"""Runs statements one by one as the Agent World Model server makes a database: what fails is passed over.

Reads a JSON list of statements from the file named; prints the rows of every table and the numbers of what failed.
"""

import json
import sqlite3
import sys

connection = sqlite3.connect(":memory:")
cursor = connection.cursor()
failed = []
for number, statement in enumerate(json.load(open(sys.argv[1], encoding="utf-8"))):
    try:
        cursor.execute(statement)
    except sqlite3.Error:
        failed.append(number)
names = [row[0] for row in cursor.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
tables = {name: [list(row) for row in cursor.execute(f'SELECT * FROM "{name}" ORDER BY 1')] for name in names}
print(json.dumps({"failed": failed, "tables": tables}))
