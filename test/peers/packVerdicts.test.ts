// The verdicts on the tasks of every pack, against the same rules written in Python a second time. Each task is played by
// nothing, its reference, its draft and its near misses.
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readPack } from '../../src/main/worlds/pack.ts';
import { openWorldSession } from '../../src/main/worlds/session.ts';
import { packsFolder } from '../support/worlds.ts';
import { root } from './support.ts';

const JUDGE = readFileSync(join(import.meta.dirname, 'judge_pack.py'), 'utf8');
const NAMES = readdirSync(packsFolder).filter((name) => statSync(join(packsFolder, name)).isDirectory());
const folder = mkdtempSync(join(tmpdir(), 'interject-verdicts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Play = { code: string; initial: Uint8Array; current: Uint8Array; answer: string; verdict: string };

/** Every way a task of a pack is played, with our verdict and the Python code that judges it. */
function plays(name: string): Play[] {
  const pack = readPack(join(packsFolder, name));
  const raw = JSON.parse(readFileSync(join(packsFolder, name, 'tasks.json'), 'utf8')) as object[];
  return pack.tasks.flatMap((task, index) => {
    const literals = `TASK = ${JSON.stringify(JSON.stringify(raw[index]))}\nSTAMPED = ${JSON.stringify(pack.stamped_columns)}\n`;
    const ways = [[], task.reference, task.draft?.calls ?? [], ...task.near_misses.map(({ calls }) => calls)];
    return ways.flatMap((calls) =>
      [task.rehearsal.final, 'It is done.'].map((answer) => {
        const world = openWorldSession(pack);
        for (const { tool, args } of calls) world.call(tool, args);
        const { initial, current } = world.images();
        const verdict = world.verify(index, answer) ?? '';
        world.close();
        return { code: literals + JUDGE, initial, current, answer, verdict };
      }),
    );
  });
}

/** What CPython says of all plays, in one process. */
async function inPython(name: string, all: readonly Play[]): Promise<string[]> {
  const at = (file: string): string => join(folder, `${name}-${file}`);
  all.forEach(({ code, initial, current }, index) => {
    writeFileSync(at(`${String(index)}.py`), code);
    writeFileSync(at(`${String(index)}-initial.db`), initial);
    writeFileSync(at(`${String(index)}-final.db`), current);
  });
  writeFileSync(at('answers.json'), JSON.stringify(all.map(({ answer }) => answer)));
  const script = `
import json, sys
said = []
for index, answer in enumerate(json.load(open(sys.argv[1] + '-answers.json'))):
    scope, base = {}, f'{sys.argv[1]}-{index}'
    exec(open(base + '.py').read(), scope)
    said.append(scope['verify_task_completion'](base + '-initial.db', base + '-final.db', answer)['result'])
print(json.dumps(said))`;
  const python = join(root, 'test/peers/.venv/bin/python');
  const { stdout } = await promisify(execFile)(python, ['-c', script, join(folder, name)]);
  return JSON.parse(stdout) as string[];
}

describe.each(NAMES)('the verdicts of %s', (name) => {
  let all: Play[] = [];
  beforeAll(() => {
    all = plays(name);
  });

  it('are those of the second verifier in CPython, for every way each task is played', async () => {
    const verdicts = all.map(({ verdict }) => verdict);

    expect(new Set(verdicts)).toEqual(new Set(['complete', 'others']));
    expect(await inPython(name, all)).toEqual(verdicts);
  });
});
