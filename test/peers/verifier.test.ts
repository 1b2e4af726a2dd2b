import Sqlite from 'better-sqlite3';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { lazySandbox } from '../../src/main/verifier/runtime.ts';
import { sandboxHere } from '../support/sandbox.ts';
import { pythonRows } from './support.ts';

/** What verifiers lean on: rows, dates, numbers, time zones, regular expressions, sorting, floats, words. */
const VERIFIERS: Record<string, string> = {
  rows: `
    new = now.execute("SELECT id, title, amount FROM items WHERE id NOT IN (%s)" % ",".join(
        str(r[0]) for r in was.execute("SELECT id FROM items")) ).fetchall()
    return {"result": "complete" if len(new) == 1 and new[0][1] == "Chair" else "others", "new": new}`,
  dates: `
    from datetime import datetime, timedelta, timezone
    from zoneinfo import ZoneInfo
    at = datetime.fromisoformat(now.execute("SELECT made_at FROM items WHERE id = 3").fetchone()[0])
    here = at.replace(tzinfo=timezone.utc).astimezone(ZoneInfo("America/Los_Angeles"))
    return {"result": "complete", "here": here.isoformat(), "day": here.strftime("%A %d %B"), "later": str(at + timedelta(days=31))}`,
  numbers: `
    import math
    from decimal import Decimal
    total = sum(r[0] for r in now.execute("SELECT amount FROM items"))
    return {"result": "complete" if math.isclose(total, 61.3) else "others", "total": round(total, 6), "exact": str(Decimal("0.1") + Decimal("0.2")), "float": 0.1 + 0.2}`,
  words: `
    import re, csv, io, json, html
    said = re.findall(r"(?i)\\b(chair|table)s?\\b", final_answer or "")
    rows = list(csv.reader(io.StringIO("a,b\\n1,\\"x,y\\"")))
    return {"result": "complete" if said else "others", "said": said, "rows": rows, "u": "ß".upper() + html.unescape("&eacute;"), "j": json.dumps({"ü": 1})}`,
  broken: `
    try:
        now.execute("SELECT nothing FROM nowhere")
    except sqlite3.Error as error:
        return {"result": "others", "error": str(error)}`,
  order: `
    from collections import Counter, defaultdict
    from itertools import groupby
    rows = now.execute("SELECT title, amount FROM items ORDER BY amount DESC, title COLLATE NOCASE").fetchall()
    return {"result": "complete", "rows": rows, "count": Counter(t[0][0] for t in rows).most_common(), "json": now.execute("SELECT json_extract('{\\"a\\":[1,2]}', '$.a[1]')").fetchone()}`,
};
const source = (
  body: string,
): string => `def verify_task_completion(initial_db_path, final_db_path, final_answer=None):
    import sqlite3
    was = sqlite3.connect(f"file:{initial_db_path}?mode=ro", uri=True)
    now = sqlite3.connect(f"file:{final_db_path}?mode=ro", uri=True)${body}
`;

const folder = mkdtempSync(join(tmpdir(), 'interject-native-'));
const { get, close } = lazySandbox(sandboxHere);
afterAll(() => {
  close();
  rmSync(folder, { recursive: true, force: true });
});

function database(name: string, isFinal: boolean): { path: string; bytes: Uint8Array } {
  const path = join(folder, name);
  const db = new Sqlite(path);
  db.exec(`CREATE TABLE items (id INTEGER PRIMARY KEY, title TEXT, amount REAL, made_at TEXT);
    INSERT INTO items VALUES (1, 'table', 20.1, '2026-01-01 00:00:00'), (2, 'Lamp', 1.2, '2026-02-28 23:30:00');`);
  if (isFinal) db.exec("INSERT INTO items VALUES (3, 'Chair', 40.0, '2026-07-04 03:15:00')");
  const bytes = db.serialize();
  db.close();
  return { path, bytes };
}

describe('a verifier in the sandbox and in native Python', { timeout: 120_000 }, () => {
  const initial = database('initial.db', false);
  const final = database('final.db', true);
  it.each(Object.entries(VERIFIERS))('say the same to the letter: %s', async (name, body) => {
    const code = source(body);
    const file = join(folder, `${name}.py`);
    writeFileSync(file, code);
    const answer = 'Two chairs and a Table.';
    const [native] = await pythonRows('openenv-0.10.0', 'run_verifier.py', [
      file,
      initial.path,
      final.path,
      answer,
    ]);
    const reply = await get().run({ code, initial: initial.bytes, final: final.bytes, finalAnswer: answer });
    expect(reply.ok ? reply.result : reply).toEqual(native);
  });
});
