import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeEventBundle } from '../../../src/main/dataset/bundle.ts';
import { findFiles } from '../../../src/main/dataset/import/findFiles.ts';
import { filesToRead, openIncoming } from '../../../src/main/dataset/import/incoming.ts';
import { createNotes } from '../../../src/main/dataset/import/importNotes.ts';
import { write } from '../../support/exported.ts';
import { rulesOf } from '../../support/exporting.ts';
import { filesOf } from '../../support/filesOf.ts';
import { codes, createBench, lines, type Bench } from './support.ts';

const row = (task: number) => ({
  messages: [
    { role: 'user', content: `Find ${String(task)}.` },
    { role: 'assistant', content: 'Found.' },
  ],
  scenario: 'shop',
  task_idx: task,
  reward: 1,
  reward_type: 'complete',
});

let bench: Bench;
let other: Bench;
let set = '';
beforeEach(async () => {
  bench = createBench();
  other = createBench();
  set = join(bench.folder, 'set');
  await bench.one(lines(row(0), row(1)), 'rows.jsonl');
});
afterEach(() => {
  bench.close();
  other.close();
});

const kit = { name: 'trl' as const, resources: join(import.meta.dirname, '../../../resources') };
const found = (path = set): string[] => findFiles(path, createNotes()).map(({ path: at }) => at);

describe('a data set of ours', () => {
  it('comes back from its events alone: each episode once, whole, and the report says why its rows were not read', async () => {
    await write(bench.log, set, { kit, rules: rulesOf({ validation: { share: 0.5, seed: 1 } }) });

    const { reports, records } = await other.read(set);

    expect(reports.map(({ name }) => basename(name))).toEqual(['events.jsonl']);
    expect(reports.flatMap(codes)).toEqual(['same_episodes']);
    expect(records.map(({ id }) => id)).toEqual(bench.log.projections.ended());
    expect(records.map(({ ended }) => ended?.reward)).toEqual([1, 1]);
  });

  it('that the log came from is there already, and that is no failure', async () => {
    await write(bench.log, set);

    const { reports } = await bench.read(set);

    expect(reports).toMatchObject([{ episodes: 2, known: 2, failure: null }]);
    expect(reports.flatMap(codes)).toContain('same_episodes');
  });

  it.each([
    ['cut off', (text: string) => text.slice(0, -200)],
    ['a head alone', (text: string) => text.slice(0, text.indexOf('\n') + 1)],
  ])('whose events are %s says that its rows were not read, and may hold more', async (_, cut) => {
    await write(bench.log, set);
    const path = join(set, 'events.jsonl');
    writeFileSync(path, cut(readFileSync(path, 'utf8')));

    const { reports } = await other.read(set);

    expect(reports.flatMap(codes)).toContain('rows_unread');
    expect(reports.flatMap(codes)).not.toContain('same_episodes');
    expect(reports[0]?.failure?.message ?? '').not.toContain('same episodes');
    const fresh = createBench();
    expect((await fresh.read(join(set, 'data'))).reports[0]?.episodes).toBe(2);
    fresh.close();
  });

  it('is read from its rows where its events were not written, without a word about what lies beside them', async () => {
    await write(bench.log, set, { format: 'episode_record' });
    rmSync(join(set, 'events.jsonl'));
    expect(Object.keys(filesOf(set))).toContain('provenance.jsonl');

    const { reports, records } = await other.read(set);

    expect(reports.map(({ name }) => relative(set, name))).toEqual(['data/episode_record-train.jsonl']);
    expect(records).toHaveLength(2);
  });

  it('is known among other folders, and beside logs of other tools', async () => {
    await write(bench.log, set);
    writeFileSync(join(set, 'more.jsonl'), lines(row(3)));

    expect(found(bench.folder).filter((path) => path.startsWith(`${set}/`))).toEqual([
      join(set, 'events.jsonl'),
      join(set, 'more.jsonl'),
    ]);
  });

  it('gives any file of it that is named', async () => {
    await write(bench.log, set);

    expect(found(join(set, 'data/sft-train.jsonl'))).toHaveLength(1);
    expect(found(join(set, 'rules.json'))).toHaveLength(1);
    const { report } = await other.read(join(set, 'data/sft-train.jsonl'));
    expect(report).toMatchObject({ format: 'chat', episodes: 2, diagnostics: [] });
  });

  it('is told from a folder that only has files of the same names', async () => {
    const folder = bench.write({
      'rules.json': '{"type":"house rules"}',
      'events.jsonl': lines(row(4)),
      'data/a.jsonl': lines(row(5)),
      'README.md': '# mine',
    });

    expect(found(folder).map((path) => relative(folder, path))).toEqual([
      'README.md',
      'data/a.jsonl',
      'events.jsonl',
      'rules.json',
    ]);
  });

  it('is known when its folder is dropped on the console', async () => {
    await write(bench.log, set);
    const files = Object.entries(filesOf(set)).map(([name, text]) => ({ name: `set/${name}`, text }));
    const incoming = openIncoming(
      join(bench.folder, 'in'),
      'a',
      files.map(({ name, text }) => ({ name, bytes: Buffer.byteLength(text) })),
    );
    for (const [index, { text }] of files.entries()) writeFileSync(incoming.files[index]?.path ?? '', text);

    expect(filesToRead(incoming)).toMatchObject([
      { name: 'set/events.jsonl', remarks: { whole: { code: 'same_episodes' } } },
    ]);
  });
});

describe('a bundle of ours', () => {
  it('has sums beside it that nobody takes for a log', async () => {
    await writeEventBundle(bench.log, { folder: set, isForced: false });

    const { reports } = await other.read(set);

    expect(reports).toMatchObject([{ format: 'interject_events', episodes: 2, diagnostics: [] }]);
    rmSync(join(set, 'events.jsonl'));
    expect(found().map((path) => basename(path))).toEqual(['CHECKSUMS']);
  });
});
