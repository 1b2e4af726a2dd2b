// The sandbox answers as the Agent World Model server does. What it answered stands here as literals; the peers' tests
// ask the real one.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { sandboxParts } from '../../src/main/verifier/runtime.ts';
import { createSandbox } from '../../src/main/verifier/sandbox.ts';
import { runVerifier } from '../../src/main/verifier/verdict.ts';
import { sandboxHere } from '../support/sandbox.ts';
import { AWM_CASES } from './awm/cases.ts';
import { itemsDatabase } from './awm/databases.ts';
import keptBack from './awm/kept_back.expected.json' with { type: 'json' };
import modules from './awm/modules.expected.json' with { type: 'json' };

const folder = mkdtempSync(join(tmpdir(), 'interject-equality-'));
mkdirSync(join(folder, 'pytz'));
writeFileSync(join(folder, 'pytz/__init__.py'), 'utc = "here"\n');
const limits = sandboxParts(sandboxHere).limits;
const parts = { ...sandboxParts(sandboxHere), limits: { ...limits, timeMs: 60_000 } };
const sandbox = createSandbox(parts);
const withPackages = createSandbox({ ...parts, packages: () => folder, spare: 0 });
afterAll(() => {
  sandbox.close();
  withPackages.close();
  rmSync(folder, { recursive: true });
});

const initial = itemsDatabase(false);
const current = itemsDatabase(true);
const ask = (code: string, at: number | null = null, with_ = sandbox) =>
  runVerifier(with_, code, { initial, current, final_answer: null, at });
const read = (name: string): string => readFileSync(join(import.meta.dirname, 'awm', name), 'utf8');
/** What is not in the standard library is not in the sandbox unless a folder has it. */
const withoutPackages = (code: string): string =>
  code.replace(/def use_(dateutil|pytz)[^]*?return out\n/g, '');
const guarded = (body: string): string => `def verify_task_completion(initial_db_path, final_db_path):
    try:
${body.replace(/^/gm, '        ')}
    except Exception as error:
        return {"result": "others", "error": str(error)}
    return {"result": "complete"}
`;

describe('a verifier in the sandbox answers as in the environment', () => {
  it('with every module of the standard library that it may import, in both forms', async () => {
    const code = withoutPackages(read('modules.py'));
    const { use_dateutil: _dateutil, use_pytz: _pytz, ...used } = modules.used;
    expect(await ask(code)).toMatchObject({ result: 'complete', evidence: { result: 'complete', used } });
    const evidence = await ask(code.replace('def verify_task_completion', 'def verify_task'));
    expect(evidence).toMatchObject({ reward_type: 'incomplete', evidence: { used } });
  });

  it('about the imports and builtins that are kept from it', async () => {
    const { evidence, reward_type } = await ask(read('kept_back.py'));
    expect({ evidence, reward_type }).toEqual({ evidence: keptBack, reward_type: 'complete' });
  });

  it.each(AWM_CASES)('and gives the same label: $name', async ({ code, label, result }) => {
    const { evidence, reward_type } = await ask(code);
    expect(reward_type).toBe(label);
    if (label !== 'judge_error') expect(evidence).toEqual(result);
  });

  it('when it parses dates inside `except Exception`: the verdict that was once silently turned', async () => {
    const code = guarded('from datetime import datetime\ndatetime.strptime("2026-07-04", "%Y-%m-%d")');
    expect(await ask(code)).toMatchObject({ result: 'complete', problem: null });
  });

  it('on the day it was asked: its clock, and SQLite’s, show when the logged verdict was given', async () => {
    const at = Date.UTC(2026, 6, 4, 12);
    const code = guarded(
      'from datetime import datetime, date\nimport time\nassert date.today() == date(2026, 7, 4) and datetime.now().hour == 12 and time.time() > 1\n' +
        'assert sqlite3.connect(":memory:").execute("SELECT date(\'now\')").fetchone()[0] == "2026-07-04"',
    );
    expect(await ask(code, at)).toMatchObject({ result: 'complete', read_clock: true });
    expect(await ask(guarded('pass'), at)).toMatchObject({ result: 'complete', read_clock: false });
  });

  it('with a package outside the standard library, once a folder with it is named', async () => {
    const code = guarded('import pytz\nassert pytz.utc == "here"');
    expect(await ask(code, null, withPackages)).toMatchObject({ result: 'complete' });
  });
});

describe('a verdict that this sandbox cannot tell is never others', () => {
  it.each(['import pytz', 'from dateutil import parser', 'import json.nothing', 'from typing import io'])(
    'when the verifier swallows what became of %s',
    async (statement) => {
      const verdict = await ask(guarded(statement));
      expect(verdict).toMatchObject({
        result: null,
        reward_type: 'unknown',
        problem_code: 'verifier_module_missing',
      });
      expect(verdict.next).toContain('interject verify --install-packages');
    },
  );

  it.each([
    ['goes deeper than Python can here', 'def down():\n    down()\ndown()'],
    ['asks for more in one piece than 32 bits count', 'bytes(1 << 40)'],
    ['uses what left a module', 'sqlite3.version'],
    ['uses what came into a module', 'import itertools\nlist(itertools.batched([1], 1))'],
    ['takes what came into a module', 'from math import sumprod'],
    ['asks a date for what came later', 'from datetime import date\ndate.strptime("2026", "%Y")'],
    ['parses with a later directive', 'from datetime import datetime\ndatetime.strptime("10:00:00", "%T")'],
    [
      'formats with a directive of one C library',
      'from datetime import datetime\ndatetime(2026, 1, 1).strftime("%P")',
    ],
    ['names parameters by position', 'sqlite3.connect(":memory:").execute("SELECT :a", (1,))'],
    ['calls a later function of SQLite', 'sqlite3.connect(":memory:").execute("SELECT concat(1, 2)")'],
    ['nests quotes in an f-string', 'd = {"a": 1}\nf"{d["a"]}"'],
    ['uses later syntax', 'type X = int'],
  ])('when it %s', async (_what, body) => {
    expect(await ask(guarded(body))).toMatchObject({
      result: null,
      reward_type: 'unknown',
      problem_code: 'verifier_runner_differs',
    });
  });

  it('when it swallows that memory ran out', async () => {
    const verdict = await ask(guarded('x = "x" * (2 ** 31 - 100)'));
    expect(verdict).toMatchObject({ result: null, reward_type: 'unknown', problem_code: 'verifier_memory' });
  });
});
