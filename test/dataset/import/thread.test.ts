import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { importFile, type ImportListener } from '../../../src/main/dataset/import/importFile.ts';
import { blankReport } from '../../../src/main/dataset/import/readFile.ts';
import {
  readOnThread,
  type ReadFiles,
  type FileReaderHandle,
} from '../../../src/main/dataset/import/readOnThread.ts';
import type { FileReport } from '../../../src/shared/contract/import.ts';
import { startThread } from '../../../src/main/hosts/edges.ts';
import { PROJECTED_TABLES, rebuildProjections } from '../../../src/main/log/rebuild.ts';
import { openDatabase } from '../../../src/main/log/database.ts';
import { createEventLog } from '../../../src/main/log/eventLog.ts';
import { writeEventBundle } from '../../../src/main/dataset/bundle.ts';
import { importPieces, type ImportPiece } from '../../../src/main/log/importPieces.ts';
import { ended, HUMAN, openLog, openQuestion, started, SYSTEM } from '../../support/log.ts';
import { createBench, lines, type Bench } from './support.ts';

let bench: Bench;
let reading: FileReaderHandle | null = null;
beforeEach(() => {
  bench = createBench();
});
afterEach(async () => {
  await reading?.close();
  reading = null;
  bench.close();
});

const row = (content: string) => ({
  messages: [
    { role: 'user', content },
    { role: 'assistant', content: 'Ж — done' },
  ],
});
/** An episode too long for one piece. */
const cutLong = (): ImportPiece[] => {
  const note = { kind: 'model.failed' as const, turn: 1, code: 'x', message: 'y', retry_in_ms: null };
  const events = [started({ source: 'import' }), ...Array.from({ length: 900 }, () => note), ended()];
  return [
    ...importPieces({ stream: 'long', entries: events.map((event) => ({ actor: SYSTEM, event, at: 1 })) }, 1),
  ];
};
const quiet: ImportListener = {
  signal: new AbortController().signal,
  onBytes: () => undefined,
  onEpisode: () => undefined,
};

function read(path: string, listening = quiet, start = startThread): Promise<FileReport> {
  reading ??= readOnThread(start, join(bench.folder, 'home', 'sources'));
  const parts = { ...bench.parts, read: reading.read };
  return importFile(parts, { name: path, path, beside: [] }, listening);
}

describe('reading on a thread of its own', () => {
  it('puts the same into the log as reading here, with the file kept as it was', async () => {
    const text = lines(row('a'), 'broken', row('long '.repeat(20_000)));
    const here = await bench.one(text);
    const path = join(bench.write({ 'a.json': `${text}\n` }), 'a.json');
    const report = await read(path);

    expect({ ...report, first: [], name: '', sha256: '', bytes: 0 }).toEqual({
      ...here.report,
      first: [],
      name: '',
      sha256: '',
      bytes: 0,
    });
    const plain = (id: string): string =>
      JSON.stringify(bench.log.read(id).map(({ n, at, event }) => [n, at, event])).replaceAll(id, '');
    const source = /"(?:source|record)":\{[^}]*\}/g;
    expect(report.first.map((id) => plain(id).replace(source, ''))).toEqual(
      here.ids.map((id) => plain(id).replace(source, '')),
    );
    expect(bench.sources.find(report.sha256 ?? '')).not.toBeNull();
  });

  it('recognises the same bytes while they are still on their way in', async () => {
    const folder = bench.write({
      'a.jsonl': lines(row('1'), row('2')),
      'b.jsonl': lines(row('1'), row('2')),
    });
    const [one, two] = await Promise.all([read(join(folder, 'a.jsonl')), read(join(folder, 'b.jsonl'))]);

    expect(one).toMatchObject({ episodes: 2, known: 0 });
    expect(two).toMatchObject({ episodes: 2, known: 2, first: one.first });
  });

  it('stops when it is cancelled, and what was written stays', async () => {
    const path = join(
      bench.write({ 'a.jsonl': lines(...Array.from({ length: 1_500 }, (_, i) => row(String(i)))) }),
      'a.jsonl',
    );
    const stopping = new AbortController();
    const report = await read(path, { ...quiet, signal: stopping.signal, onEpisode: () => stopping.abort() });

    expect(report.failure?.code).toBe('cancelled');
    expect(report.episodes).toBeGreaterThan(0);
    expect(report.episodes).toBeLessThan(1_500);
    expect(await read(path)).toMatchObject({ episodes: 1_500, known: report.episodes, failure: null });
  });

  it('reads small files to the end however slowly they are taken, though several wait for room at once', async () => {
    const content = 'long '.repeat(98_000);
    const names = Array.from({ length: 24 }, (_, i) => `${String(i)}.jsonl`);
    const folder = bench.write(
      Object.fromEntries(
        names.map((name) => [name, lines(row(`a ${name} ${content}`), row(`b ${name} ${content}`))]),
      ),
    );
    const slow = {
      now: 5,
      secret: 's',
      put: () => new Promise<void>((go) => setTimeout(go, 20)),
      onBytes: () => undefined,
    };
    reading = readOnThread(startThread, join(bench.folder, 'home', 'sources'));
    const { read: take } = reading;
    const reports = await Promise.all(
      names.map((name) => take({ name, path: join(folder, name), beside: [] }, slow, quiet.signal)),
    );

    expect(reports.map(({ failure }) => failure)).toEqual(names.map(() => null));
  });

  it('reads small files beside each other, and tells an episode that two of them hold once', async () => {
    openQuestion(bench.log, 'e1');
    bench.log.append('e1', SYSTEM, ended());
    await writeEventBundle(bench.log, { folder: join(bench.folder, 'bundle'), isForced: false });
    const bundle = readFileSync(join(bench.folder, 'bundle', 'events.jsonl'), 'utf8');
    const names = ['a', 'b', 'c', 'd'];
    const folder = bench.write({
      ...Object.fromEntries(names.map((name) => [`${name}.jsonl`, lines(row(name))])),
      'one.jsonl': bundle,
      'two.jsonl': `${bundle}\n`,
    });
    const log = openLog();
    reading = readOnThread(startThread, join(bench.folder, 'home', 'sources'));
    const parts = { ...bench.parts, log, read: reading.read };
    const reports = await Promise.all(
      [...names, 'one', 'two'].map((name) => {
        const path = join(folder, `${name}.jsonl`);
        return importFile(parts, { name, path, beside: [] }, quiet);
      }),
    );

    expect(reports.map(({ episodes, skipped }) => [episodes, skipped])).toEqual([
      ...names.map(() => [1, 0]),
      [1, 0],
      [1, 0],
    ]);
    expect(reports.at(-1)?.known).toBe(1);
    expect(log.read('e1').map(({ event }) => event)).toEqual(bench.log.read('e1').map(({ event }) => event));
    log.close();
  });

  it('that ends inside an episode leaves nothing of it, and the import goes on', async () => {
    const lost: ReadFiles = async (file, home) => {
      const [first] = cutLong();
      if (first !== undefined)
        await home.put(first, { index: 0, format: 'chat', sha256: 'a', record: null, refusal: null });
      return { ...blankReport(file.name), failure: { code: 'import_failed', message: 'gone', next: null } };
    };
    const report = await importFile(
      { ...bench.parts, read: lost },
      { name: 'a', path: 'a', beside: [] },
      quiet,
    );
    await bench.log.importing.settled();

    expect(report).toMatchObject({ episodes: 0, failure: { code: 'import_failed', message: 'gone' } });
    expect(bench.log.read('long')).toEqual([]);
    expect(await read(join(bench.write({ 'a.jsonl': lines(row('1')) }), 'a.jsonl'))).toMatchObject({
      episodes: 1,
      failure: null,
    });
  });

  it('that ends under a file fails that file and reads the next', async () => {
    const folder = bench.write({ 'a.jsonl': lines(row('1')), 'b.jsonl': lines(row('2')) });
    let started = 0;
    const start: typeof startThread = (role, data) =>
      (started += 1) === 1 ? new Worker('process.exit(3)', { eval: true }) : startThread(role, data);
    const [one, two] = await Promise.all(
      ['a.jsonl', 'b.jsonl'].map((name) => read(join(folder, name), quiet, start)),
    );

    expect(one?.failure).toMatchObject({ code: 'import_failed' });
    expect(two).toMatchObject({ episodes: 1, failure: null });
  });
});

it('fills the same tables as making them again from the events does', async () => {
  openQuestion(bench.log, 'e1');
  bench.log.append('e1', HUMAN, {
    kind: 'advice.approved',
    consultation: 'e1:c1',
    act: 'edit',
    text: 'Use the second.',
    draft: null,
    privilege: [],
    seen_seq: 3,
    timing: { first_seen_at: null, active_ms: 1200 },
    human_act: null,
  });
  bench.log.append('e1', SYSTEM, ended());
  await writeEventBundle(bench.log, { folder: join(bench.folder, 'bundle'), isForced: false });
  const db = openDatabase(':memory:');
  const log = createEventLog({ db, clock: () => 5, onListenerError: () => undefined });
  const parts = { ...bench.parts, log };
  const path = join(bench.write({ 'rows.jsonl': lines(row('a'), row('b')) }), 'rows.jsonl');
  for (const from of [join(bench.folder, 'bundle', 'events.jsonl'), path])
    await importFile(parts, { name: from, path: from, beside: [] }, quiet);
  const tables = (): unknown[] => PROJECTED_TABLES.map((table) => db.prepare(`SELECT * FROM ${table}`).all());
  const before = tables();

  rebuildProjections(db);

  expect(db.prepare('SELECT fate FROM draft_fates').pluck().all()).toEqual(['written']);
  expect(tables()).toEqual(before);
  db.close();
});
