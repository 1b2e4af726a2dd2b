// How long a task of an Agent World Model data folder of real size takes to find, and how much memory that costs.
// Run in a process of its own, so that the memory is its own: `node test/perf/awmData.ts`.
import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAwmData } from '../../src/main/environments/awmData.ts';

const SCENARIOS = 1_000;
const TASKS = 10;
const MB = 1024 * 1024;

/** Lines of the size that the published files have: some 12 KB of verifier, some 120 KB of rows a scenario. */
async function writeFiles(folder: string): Promise<number> {
  const lines = async (name: string, count: number, line: (at: number) => unknown): Promise<number> => {
    const stream = createWriteStream(join(folder, name));
    for (let at = 0; at < count; at += 1) {
      if (!stream.write(`${JSON.stringify(line(at))}\n`)) await once(stream, 'drain');
    }
    stream.end();
    await once(stream, 'finish');
    return statSync(join(folder, name)).size;
  };
  const verifier = (name: string) => (at: number) => ({
    scenario: `Scenario No. ${String(Math.floor(at / TASKS))}`,
    task_idx: at % TASKS,
    task: 'Do what has to be done.',
    verification: {
      code: `def ${name}(initial_db_path, final_db_path):\n    return {}\n# ${'x'.repeat(12_000)}`,
      raw_response: JSON.stringify({ success_criteria: 'It is done.' }),
    },
  });
  const seed = (at: number) => ({
    scenario: `Scenario No. ${String(at)}`,
    sample_data: { tables: [{ table_name: 't', insert_statements: ['INSERT INTO t VALUES (1)'] }] },
    padding: 'x'.repeat(120_000),
  });
  const schema = (at: number) => ({
    scenario: `Scenario No. ${String(at)}`,
    db_schema: { tables: [{ name: 't', ddl: 'CREATE TABLE t (id INTEGER PRIMARY KEY)', indexes: [] }] },
  });
  return (
    (await lines('gen_verifier.jsonl', SCENARIOS * TASKS, verifier('verify_task'))) +
    (await lines('gen_verifier.pure_code.jsonl', SCENARIOS * TASKS, verifier('verify_task_completion'))) +
    (await lines('gen_sample.jsonl', SCENARIOS, seed)) +
    (await lines('gen_db.jsonl', SCENARIOS, schema))
  );
}

const say = (what: string, figure: string): void => console.log(`${what.padEnd(64)} ${figure}`);

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const value = await work();
  say(what, `${(performance.now() - startedAt).toFixed(1)} ms`);
  return value;
}

const folder = mkdtempSync(join(tmpdir(), 'interject-perf-awm-'));
try {
  const bytes = await writeFiles(folder);
  let mostMemory = 0;
  const watch = setInterval(() => (mostMemory = Math.max(mostMemory, process.memoryUsage().rss)), 5);
  const data = createAwmData(folder);
  const found = await timed(
    `find a task's verifiers in ${String(Math.round(bytes / MB))} MB of data, the first time`,
    () => data.find('scenario_no_777', 7),
  );
  await timed('the same for another task', () => data.find('scenario_no_3', 3));
  const statements = await timed("a scenario's first database, the first time", () =>
    data.seed('scenario_no_999'),
  );
  await timed('the same for another scenario', () => data.seed('scenario_no_1'));
  clearInterval(watch);
  say('most memory of the whole process', `${String(Math.round(mostMemory / MB))} MB`);
  if (found.length !== 2 || statements?.length !== 2) throw new Error('it was not found');
} finally {
  rmSync(folder, { recursive: true });
}
