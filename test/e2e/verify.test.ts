import Sqlite from 'better-sqlite3';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { goTo } from './console.ts';
import { describeConsoleWith } from './fixture.ts';
import { shootSchemes } from './pictures.ts';
import { newFolder } from './server.ts';

const CODE = `def verify_task_completion(initial_db_path, final_db_path):
    from datetime import datetime
    try:
        closed = sqlite3.connect(final_db_path).execute("SELECT closed FROM orders").fetchone()[0]
        datetime.strptime(closed, "%Y-%m-%d")
    except Exception as error:
        return {"result": "others", "error": str(error)}
    return {"result": "complete", "closed": closed}
`;

function image(closed: string): Uint8Array {
  const db = new Sqlite(':memory:');
  db.exec(`CREATE TABLE orders (closed TEXT); INSERT INTO orders VALUES ('${closed}')`);
  const bytes = db.serialize();
  db.close();
  return bytes;
}

/** What an environment left of a run that it judged `others`, and the data set with the task's verifier. */
function writeRun(folder: string): { run: string; awm: string } {
  const [run, awm] = [join(folder, 'run'), join(folder, 'awm')];
  for (const one of [run, awm]) mkdirSync(one, { recursive: true });
  const verify = { action: 'verify', arguments: {}, success: true, reward_type: 'others', reward: 0 };
  const call = { action: 'call_tool', tool_name: 'close_order', arguments: {}, success: true, result: 'ok' };
  const trajectory = { scenario: 'orders', task: 'Close it', task_idx: 0, trajectory: [call, verify] };
  writeFileSync(join(run, 'trajectory.json'), JSON.stringify(trajectory));
  writeFileSync(join(run, 'orders_initial.db'), image(''));
  writeFileSync(join(run, 'orders.db'), image('2026-07-04'));
  const line = { scenario: 'Orders', task_idx: 0, verification: { code: CODE } };
  writeFileSync(join(awm, 'gen_verifier.pure_code.jsonl'), JSON.stringify(line));
  return { run, awm };
}

const root = join(import.meta.dirname, '../..');
const interject = (args: string[]): string =>
  execFileSync(process.execPath, [join(root, 'bin/interject.mjs'), ...args], { encoding: 'utf8' });

const Imported = z.object({ type: z.literal('episode'), episode: z.string() });

let episode = '';
const withRun = () => {
  const folder = newFolder();
  const { run, awm } = writeRun(folder);
  const lines = interject(['import', run, '--data', folder, '--json']).trim().split('\n');
  const imported = lines.map((line) => Imported.safeParse(JSON.parse(line)).data);
  episode = imported.find((line) => line !== undefined)?.episode ?? '';
  return Promise.resolve({ folder, env: { AWM_DATA_DIR: awm } });
};

describeConsoleWith({ serverOptions: withRun }, 'a verdict that contradicts the recorded one', (app) => {
  it('is a warning above everything else in the panel, in words', async () => {
    const page = await app.open();
    await goTo(page, `#/replay/${episode}`);
    await page.getByRole('list', { name: 'Steps of the episode' }).waitFor();
    await page.keyboard.press('V');

    const warning = page.getByRole('alert').filter({ hasText: 'The verdicts contradict each other' });
    await warning.waitFor();
    expect(await warning.innerText()).toContain(
      'The record says “failed”; verified again, it is “complete”.',
    );
    const panel = page.getByRole('tabpanel', { name: 'Verify' });
    expect((await panel.innerText()).trim().startsWith('The verdicts contradict each other')).toBe(true);
    await shootSchemes(page, 'contradiction');
  });
});
