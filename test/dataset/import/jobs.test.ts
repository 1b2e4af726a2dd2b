import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createImportJobs, type ImportJobs } from '../../../src/main/dataset/import/importJobs.ts';
import { createBench, json, lines, type Bench } from './support.ts';

let bench: Bench;
let jobs: ImportJobs;
let folder = '';
beforeEach(() => {
  bench = createBench();
  folder = join(bench.folder, 'home', 'sources');
  jobs = createImportJobs(bench.parts, folder);
});
afterEach(async () => {
  await jobs.close();
  bench.close();
});

const chat = (content: string) => ({
  messages: [
    { role: 'user', content },
    { role: 'assistant', content: 'b' },
  ],
});
const left = (): string[] =>
  existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith('.')) : [];

/** Sends files in small pieces, as a console does. */
function send(files: Record<string, string>): string {
  const all = Object.entries(files).map(([name, text]) => ({ name, bytes: Buffer.from(text) }));
  const id = jobs.begin(all.map(({ name, bytes }) => ({ name, bytes: bytes.length })));
  all.forEach(({ bytes }, file) => {
    for (let at = 0; at < bytes.length; at += 50) jobs.chunk(id, file, at, bytes.subarray(at, at + 50));
  });
  jobs.end(id);
  return id;
}
const over = (id: string) =>
  expect.poll(() => jobs.list().find((job) => job.import === id)?.state).toMatch(/done|cancelled/);

describe('an import a console asked for', () => {
  it('reads a folder with what lies beside its logs, and leaves no copies behind', async () => {
    const id = send({
      'run/trajectory.json': json({
        scenario: 'shop',
        task: 't',
        task_idx: 0,
        steps: 0,
        trajectory: [{ action: 'list_tools', tool_names: [] }],
      }),
      'run/shop_initial.db': 'bytes',
      'run/other.json': '{"a":1}',
      'run/../../../evil/rows.jsonl': lines(chat('a')),
    });
    await over(id);

    const [job] = jobs.list();
    expect(job).toMatchObject({ state: 'done', episodes: 2, ignored: 1, name: '4 files' });
    expect(job?.done).toBe(job?.total);
    const record = bench.log.record(
      job?.reports.find(({ format }) => format === 'awm_trajectory')?.first[0] ?? '',
    );
    expect(record.imported?.companions.map(({ name }) => name)).toEqual(['shop_initial.db']);
    expect(left()).toEqual([]);
    expect(existsSync(join(bench.folder, 'evil'))).toBe(false);
  });

  it('names a single file that is no log', async () => {
    const id = send({ 'letter.txt': 'Dear reader' });
    await over(id);
    expect(jobs.list()[0]?.reports[0]).toMatchObject({
      name: 'letter.txt',
      failure: { code: 'import_failed' },
    });
  });

  it('reads one after the other, and two files of the same name', async () => {
    const first = send({ 'a.jsonl': lines(chat('1')) });
    const second = jobs.begin([
      { name: 'x.jsonl', bytes: 2 },
      { name: 'x.jsonl', bytes: 2 },
    ]);
    jobs.chunk(second, 0, 0, Buffer.from('ab'));
    expect(() => jobs.chunk(second, 1, 5, Buffer.from('b'))).toThrow(/does not follow/);
    expect(() => jobs.end(second)).toThrow(/did not come whole/);
    jobs.cancel(second);
    expect(() => jobs.chunk(second, 1, 0, Buffer.from('b'))).toThrow();
    await over(first);
    expect(left()).toEqual([]);
  });

  it('takes a finished one from the list, and removes what a killed process left', async () => {
    const id = send({ 'a.jsonl': lines(chat('1')) });
    await over(id);
    jobs.cancel(id);
    expect(jobs.list()).toEqual([]);

    mkdirSync(join(folder, '.incoming-old'), { recursive: true });
    const again = createImportJobs(bench.parts, folder);
    expect(left()).toEqual([]);
    await again.close();
  });
});
