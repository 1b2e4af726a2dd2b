// Verifiers under limits, in the sandbox and in CPython that the system limits: a verdict of the sandbox is CPython's, and
// a limit is never taken for a verdict.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sandboxParts } from '../../src/main/verifier/runtime.ts';
import { createSandbox, type VerifierReply } from '../../src/main/verifier/sandbox.ts';
import { sandboxHere } from '../support/sandbox.ts';
import { itemsDatabase } from '../verifier/awm/databases.ts';
import { root } from './support.ts';

type Outcome = { outcome: string; result?: unknown };

const DATES = `
    from datetime import datetime, timezone, timedelta
    import time
    pairs = [("31 January 2026 5:30 PM", "%d %B %Y %I:%M %p"), ("Thu Sep 25 2003", "%a %b %d %Y"), ("2026-W05-3", "%G-W%V-%u"),
        ("2024 366", "%Y %j"), ("2026-01-02T03:04:05.678901+0530", "%Y-%m-%dT%H:%M:%S.%f%z"), ("26/02/28", "%y/%m/%d")]
    out = [datetime.strptime(*pair).isoformat() for pair in pairs]
    out += [list(time.strptime(*pairs[0])), datetime(2026, 3, 29, tzinfo=timezone.utc).strftime("%A %d %B %U %j %Z %z")]
    for bad in [("2026-02-30", "%Y-%m-%d"), ("2026-1-1 ", "%Y-%m-%d"), ("x", "%d")]:
        try: out.append(datetime.strptime(*bad).isoformat())
        except ValueError: out.append("no date")
    return {"result": "complete", "out": out}`;
const NUMBERS_AND_TEXT = `
    import decimal, fractions, hashlib, math, re, statistics, unicodedata
    out = [round(2.5), round(-0.125, 2), 0.1 + 0.2, 1e22, 2**64 % 97, -7 // 2, -7 % 3, math.fsum([0.1] * 10), str(decimal.Decimal("1.10") * 3),
        str(fractions.Fraction(0.1).limit_denominator(99)), statistics.median([3, 1, 2, 9]),
        hashlib.sha256("é".encode()).hexdigest(), "straße".upper(), "İ".lower() == "i̇", unicodedata.normalize("NFKD", "ﬁé"),
        re.findall(r"(?i)\\bß\\w*", "ẞa ßb"), re.split(r"(?<=,)\\s*", "a, b,c"), sorted("éeEÉz"), f"{1234567.891:,.2f} {0.5:%} {255:#x}", "%5.1f|%-4s|" % (2.25, "a")]
    return {"result": "others", "out": out}`;
const DATABASE = `
    import sqlite3
    db = sqlite3.connect(final_db_path)
    asked = ["SELECT count(*), typeof(sum(id)), total(id), avg(id) FROM items", "SELECT group_concat(id, '-') FROM (SELECT id FROM items ORDER BY id DESC)",
        "SELECT row_number() OVER (ORDER BY id), lag(id) OVER (ORDER BY id) FROM items", "SELECT date('2024-02-29', '+1 year'), strftime('%s', '2026-01-01'), julianday('2026-01-01')",
        "SELECT 1/2, 1/0, '10' < 9, 'a' LIKE 'A', 9223372036854775807 + 1, x'41', round(2.5), NULL IS NULL", "SELECT json_extract('{\\"a\\":[1,2.50]}', '$.a[1]'), upper('é'), length('🙂')"]
    out = [[[each.hex() if isinstance(each, bytes) else each for each in row] for row in db.execute(one).fetchall()] for one in asked]
    try: db.execute("SELECT * FROM missing")
    except sqlite3.OperationalError as wrong: out.append(str(wrong))
    return {"result": "complete", "out": out}`;

/** Where the sandbox cannot give CPython's verdict it gives none, also if the verifier swallows what it met. */
const CASES: [name: string, inPython: string, inSandbox: string, body: string][] = [
  ['reads dates by patterns, good ones and bad', 'verdict', 'verdict', DATES],
  ['computes with numbers and text', 'verdict', 'verdict', NUMBERS_AND_TEXT],
  ['asks a database', 'verdict', 'verdict', DATABASE],
  [
    'fails to read a date',
    'error',
    'error',
    `
    from datetime import datetime
    return datetime.strptime("soon", "%Y")`,
  ],
  [
    'calls itself without end',
    'error',
    'runner_differs',
    `
    return verify_task_completion(initial_db_path, final_db_path)`,
  ],
  [
    'asks for more memory than there is',
    'memory',
    'runner_differs',
    `
    return {"result": "complete", "n": len(bytes(1 << 40))}`,
  ],
  [
    'swallows that there is no such memory',
    'verdict',
    'runner_differs',
    `
    try: return {"result": "complete", "n": len(bytes(1 << 40))}
    except: return {"result": "others"}`,
  ],
  [
    'fills its memory bit by bit',
    'memory',
    'memory',
    `
    kept = []
    while True: kept.append("x" * 1000000)`,
  ],
  [
    'swallows that its memory is full',
    'verdict',
    'memory',
    `
    kept = []
    try:
        while True: kept.append("x" * 1000000)
    except: del kept
    return {"result": "complete"}`,
  ],
  [
    'swallows all that happens and never ends',
    'timeout',
    'timeout',
    `
    while True:
        try:
            while True: pass
        except: return {"result": "complete"}`,
  ],
  [
    'looks for a pattern for ever',
    'timeout',
    'timeout',
    `
    import re
    return re.match("(a+)+$", "a" * 60 + "b")`,
  ],
  [
    'asks a database for ever',
    'timeout',
    'timeout',
    `
    import sqlite3
    return sqlite3.connect(final_db_path).execute("WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n").fetchone()`,
  ],
];
const codeOf = (body: string): string =>
  `def verify_task_completion(initial_db_path, final_db_path):${body}\n`;

const folder = mkdtempSync(join(tmpdir(), 'interject-limited-'));
const parts = sandboxParts(sandboxHere);
const inTime = createSandbox({ ...parts, limits: { ...parts.limits, timeMs: 120_000 }, spare: 0 });
const inLittleTime = createSandbox({ ...parts, limits: { ...parts.limits, timeMs: 1_500 }, spare: 0 });
afterAll(() => {
  inTime.close();
  inLittleTime.close();
  rmSync(folder, { recursive: true, force: true });
});

async function inPython(names: readonly string[], seconds: number): Promise<Outcome[]> {
  const cases = join(folder, `${String(seconds)}.json`);
  const database = join(folder, 'items.db');
  writeFileSync(database, itemsDatabase(true));
  const bodies = CASES.filter(([name]) => names.includes(name)).map(([, , , body]) => codeOf(body));
  writeFileSync(cases, JSON.stringify(bodies));
  const script = join(import.meta.dirname, 'limited_verifiers.py');
  const python = join(root, 'test/peers/.venv/bin/python');
  const { stdout } = await promisify(execFile)(python, [script, cases, database, '512', String(seconds)]);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Outcome);
}

const outcomeOf = (reply: VerifierReply): Outcome =>
  reply.ok ? { outcome: 'verdict', result: reply.result } : { outcome: reply.failed };

describe('a verifier under limits', { timeout: 300_000 }, () => {
  const said = new Map<string, Outcome>();
  beforeAll(async () => {
    for (const isEndless of [false, true]) {
      const names = CASES.flatMap(([name, outcome]) => ((outcome === 'timeout') === isEndless ? name : []));
      const outcomes = await inPython(names, isEndless ? 1 : 120);
      names.forEach((name, index) => said.set(name, outcomes[index] ?? { outcome: 'nothing' }));
    }
  }, 300_000);

  it.each(CASES)('that %s: %s in CPython, %s here', async (name, there, here, body) => {
    const sandbox = there === 'timeout' ? inLittleTime : inTime;
    const bytes = itemsDatabase(true);
    const input = { initial: bytes, final: bytes, final_answer: null, at: null };
    const outcome = outcomeOf(await sandbox.run({ code: codeOf(body), ...input }));

    expect(said.get(name)?.outcome).toBe(there);
    expect(outcome).toEqual(here === 'verdict' ? said.get(name) : { outcome: here });
  });
});
