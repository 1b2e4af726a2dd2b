// Archiving a folder of played, forked, tapped, imported and reviewed episodes, and `interject archive` over it.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeEventBundle } from '../../src/main/dataset/bundle.ts';
import { writeExport } from '../../src/main/dataset/export/runExport.ts';
import { folderChecks } from '../../src/main/hosts/folderChecks.ts';
import { archiveEpisodes, bringEpisodesBack } from '../../src/main/log/archiveRun.ts';
import { openDatabase } from '../../src/main/log/database.ts';
import { createEventLog, type EventLog } from '../../src/main/log/eventLog.ts';
import { ExportFormat, ExportRules } from '../../src/shared/contract/export.ts';
import { SYSTEM } from '../../src/shared/events/actor.ts';
import { typeIn } from '../support/commandLine.ts';
import { filesOf } from '../support/filesOf.ts';

const PLAYED = resolve(import.meta.dirname, '../pins/folder');
let folder = '';
const logPath = (): string => join(folder, 'home', 'interject.db');
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'interject-archive-command-'));
  cpSync(PLAYED, join(folder, 'home'), { recursive: true });
  writeFileSync(logPath(), brotliDecompressSync(readFileSync(`${logPath()}.br`)));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const hooks = { signal: new AbortController().signal, onProgress: () => undefined };

/** Every file of every format, and the log itself, of whatever has ended. */
async function exported(log: EventLog, into: string): Promise<Record<string, string>> {
  for (const format of ExportFormat.options) {
    const rules = ExportRules.parse(format === 'demonstrations' ? {} : { verdict: 'any' });
    const where = { folder: join(folder, into, format), isForced: false, onReport: () => undefined };
    const despite = ['too_few', 'no_rows'];
    await writeExport(log, { format, rules, files: 'jsonl', kit: null, despite, ...where }, hooks);
  }
  await writeEventBundle(log, { folder: join(folder, into, 'log'), isForced: false, ...hooks });
  return filesOf(join(folder, into));
}

it('exports the same bytes in every format before, while archived, and once brought back', async () => {
  const db = openDatabase(logPath());
  const log = createEventLog({ db, clock: () => 1, onListenerError: () => undefined });
  const rows = () => db.prepare("SELECT * FROM events WHERE stream NOT LIKE 'archive/%' ORDER BY seq").all();
  const before = { files: await exported(log, 'before'), rows: rows() };
  const ids = log.projections.ended();
  const edges = { episodes: ids, actor: SYSTEM, isCompacted: true, ...hooks };

  await archiveEpisodes(log, join(folder, 'all.sqlite'), edges);

  expect(rows().length).toBeLessThan(before.rows.length / 2);
  expect(await exported(log, 'archived')).toEqual(before.files);
  await bringEpisodesBack(log, edges);
  expect(rows()).toEqual(before.rows);
  expect(await exported(log, 'back')).toEqual(before.files);
  expect(Object.keys(before.files).length).toBeGreaterThan(40);
  log.archives.close();
  db.close();
});

it('archives what is named, says what an export leaves out when the file is gone, and brings back', async () => {
  const { out, err, codes } = await typeIn(folder, [
    { args: ['archive', '--since-date', '2000-01-01', '--dry-run', '--json'] },
    { args: ['archive', '--since-date', '2000-01-01', '--json'] },
    { args: ['archive', '--since-date', '2000-01-01', '--json'] },
    { args: ['archive'] },
  ]);
  const lines = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const { episodes } = lines[0] ?? {};
  expect(lines[0]).toMatchObject({ dry_run: true, file: null });
  expect(lines[1]).toMatchObject({ episodes, skipped: 0, dry_run: false });
  expect(lines[2]).toMatchObject({ episodes: 0 });
  expect(err).toContain('which episodes to archive is not said');
  expect(codes).toEqual([0, 0, 0, 2]);
  const archives = join(folder, 'home', 'archives');
  const [file = ''] = readdirSync(archives);
  cpSync(join(archives, file), join(folder, 'kept'));
  rmSync(join(archives, file));

  const left = await typeIn(folder, [
    { args: ['export', '--format', 'events', '--out', 'gone'] },
    { args: ['unarchive', '--all'] },
    { args: ['backup', '--out', 'without'] },
  ]);
  // As `interject doctor` says it.
  const check = folderChecks(join(folder, 'home')).find(({ name }) => name === 'archives');
  await expect(check?.run()).rejects.toThrow(`the archive ${join(archives, file)} is not there`);
  cpSync(join(folder, 'kept'), join(archives, file));
  const inside = await typeIn(folder, [{ args: ['backup', '--out', join('home', 'copy')] }]);
  expect(inside.err).toContain('a backup inside the data folder would be lost with it');
  expect([inside.codes, existsSync(join(folder, 'home', 'copy'))]).toEqual([[2], false]);
  const copied = await typeIn(folder, [{ args: ['backup', '--out', 'copy', '--json'] }]);
  const back = await typeIn(folder, [{ args: ['unarchive', '--all', '--json'] }]);

  // One of them was erased before: every export leaves it out for that.
  expect(left.err).toContain(
    `${String(Number(episodes) - 1)} left out: It is archived, and the archive file is not where it was`,
  );
  expect(left.err).toContain('Put the file back to that place');
  expect(left.err).toContain(`not copied, ${String(episodes)} archived episodes in archives/${file}`);
  expect(left.codes).toEqual([0, 1, 1]);
  expect(copied.codes).toEqual([0]);
  expect(await check?.run()).toMatchObject({ status: 'pass' });
  expect(filesOf(join(folder, 'copy', 'archives'))).toEqual(filesOf(archives));
  expect(JSON.parse(back.out)).toEqual({ type: 'unarchive', episodes });
});
