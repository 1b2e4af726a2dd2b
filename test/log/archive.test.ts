// Episodes that are moved into an archive file and back, on a real log on disk.
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  archiveEpisodes,
  bringEpisodesBack,
  LEAVING,
  type ArchiveProgress,
} from '../../src/main/log/archiveRun.ts';
import { rowsOfStream } from '../../src/main/log/archiveFile.ts';
import { openDatabase, type Database } from '../../src/main/log/database.ts';
import { createEventLog, type EventLog } from '../../src/main/log/eventLog.ts';
import { rebuildProjections } from '../../src/main/log/rebuild.ts';
import { openSearch, type Searching } from '../../src/main/log/searchIndex.ts';
import { writeEpisode } from '../support/dataFolder.ts';
import { ended, HUMAN, openQuestion, reset, started, SYSTEM } from '../support/log.ts';

let folder = '';
let db: Database;
let log: EventLog;
let searching: Searching;

const open = (): void => {
  db = openDatabase(join(folder, 'interject.db'));
  log = createEventLog({
    db,
    clock: () => 1_000_000,
    onListenerError: (thrown) => expect(thrown).toBeNull(),
  });
  searching = openSearch(db, log, { schedule: () => () => undefined, report: () => undefined });
  searching.searchIndex.catchUp();
};
const close = (): void => {
  log.archives.close();
  db.close();
};
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'interject-archive-'));
  open();
});
afterEach(() => {
  close();
  rmSync(folder, { recursive: true, force: true });
});

const LONG = 'a result that is very long '.repeat(2_000);
/** Two episodes that ended, one of them with a long text, tags and a judgement beside it, and one that runs. */
function fill(): void {
  writeEpisode({ log }, 'old', `first answer ${LONG}`);
  log.append('tags/old', HUMAN, { kind: 'tags.changed', episode: 'old', added: ['kept'], removed: [] });
  writeEpisode({ log }, 'other', 'second answer');
  openQuestion(log, 'running');
  searching.searchIndex.catchUp();
}
const path = (): string => join(folder, 'archives', 'one.sqlite');
const edges = { actor: HUMAN, signal: new AbortController().signal, onProgress: () => undefined };
const archive = (episodes: readonly string[], over: object = {}) =>
  archiveEpisodes(log, path(), { episodes, isCompacted: true, ...edges, ...over });
const bringBack = (episodes: readonly string[]) => bringEpisodesBack(log, { episodes, ...edges });
const list = () =>
  log.projections.episodes({ query: '', status: null, condition: null, offset: 0, limit: 10 }).rows;
const found = (query: string): (string | undefined)[] =>
  searching.search
    .find({ query, kinds: [], before: null, limit: 10 })
    .found.map(({ recorded }) => recorded.stream);

describe('archiving', () => {
  it('takes the events out of the log and reads them from the file as they were', async () => {
    fill();
    const before = { rows: rowsOfStream(db, 'old'), record: log.record('old'), events: log.read('old') };
    const size = log.bytes();

    const done = await archive(['old', 'running']);

    expect(done).toMatchObject({ episodes: 1, skipped: 1, file: path() });
    expect(rowsOfStream(db, 'old')).toEqual([]);
    expect(db.prepare('SELECT count(*) AS n FROM texts').get()).toEqual({ n: 0 });
    expect(log.bytes()).toBeLessThan(size);
    expect(log.read('old')).toEqual(before.events);
    expect(log.read('old', 2, 1)).toEqual(before.events.slice(2, 3));
    expect(log.record('old')).toEqual(before.record);
    const approved = before.events.find(({ event }) => event.kind === 'advice.approved')?.event;
    expect(approved?.kind === 'advice.approved' && log.texts.loadText(approved.text)).toBe(
      `first answer ${LONG}`,
    );
    expect(rowsOfStream(log.archives.open(path()), 'old')).toEqual(before.rows);
    // Its owner's alone, as the log is.
    expect(statSync(path()).mode & 0o777).toBe(0o600);
  });

  it('writes a file that another SQLite calls whole, with tags beside the events', async () => {
    fill();
    await archive(['old']);
    log.archives.close();
    const script = `import sqlite3,sys,json
c=sqlite3.connect(sys.argv[1])
print(json.dumps([c.execute('PRAGMA integrity_check').fetchone()[0], sorted(r[0] for r in c.execute('SELECT DISTINCT stream FROM events')), c.execute('SELECT count(*) FROM texts').fetchone()[0]]))`;

    const said: unknown = JSON.parse(execFileSync('python3', ['-c', script, path()], { encoding: 'utf8' }));

    expect(said).toEqual(['ok', ['old', 'tags/old'], 1]);
  });

  it('keeps the line of the list, says in which file the rest lies, and finds other episodes only', async () => {
    fill();
    const before = list();
    expect(found('answer')).toEqual(['other', 'old']);

    await archive(['old']);

    expect(list()).toEqual(
      before.map((row) => (row.id === 'old' ? { ...row, archived: join('archives', 'one.sqlite') } : row)),
    );
    expect(found('answer')).toEqual(['other']);
    rebuildProjections(db);
    expect(list().map(({ id, archived, tags }) => [id, archived !== undefined, tags])).toEqual([
      ['running', false, []],
      ['other', false, []],
      ['old', true, ['kept']],
    ]);
  });

  it('is the log it was once everything is brought back', async () => {
    fill();
    const rows = rowsOfStream(db, 'old');
    const before = { list: list(), similar: log.projections.similar(['meant'], 5), hits: found('answer') };
    await archive(['old', 'other']);
    expect(log.projections.similar(['meant'], 5)).toEqual([]);

    await bringBack(['old', 'other']);

    expect(rowsOfStream(db, 'old')).toEqual(rows);
    expect({ list: list(), similar: log.projections.similar(['meant'], 5), hits: found('answer') }).toEqual(
      before,
    );
    rebuildProjections(db);
    expect(list()).toEqual(before.list);
    expect(log.archives.episodes()).toEqual([]);
  });

  it('leaves the numbers of the newest events to those that come back', async () => {
    writeEpisode({ log }, 'old', 'first answer');
    const before = rowsOfStream(db, 'old');
    await archive(['old']);
    openQuestion(log, 'later');

    await bringBack(['old']);

    expect(rowsOfStream(db, 'old')).toEqual(before);
    expect(log.record('later').consultations).toHaveLength(1);
  });

  it('refuses to write to an archived episode, to erase it, and to import it again', async () => {
    fill();
    await archive(['old']);

    expect(() => log.append('old', SYSTEM, ended())).toThrow(/is archived/);
    expect(() => log.erase('old', null, HUMAN, null)).toThrow(/is archived/);
    expect(() =>
      log.importStreams([{ stream: 'old', entries: [{ actor: SYSTEM, event: started(), at: 1 }] }]),
    ).toThrow(/already/);
  });

  it('leaves long texts that another episode refers to', async () => {
    writeEpisode({ log }, 'old', LONG);
    writeEpisode({ log }, 'other', LONG);

    await archive(['old']);

    expect(db.prepare('SELECT count(*) AS n FROM texts').get()).toEqual({ n: 1 });
  });
});

describe('a file that cannot be read', () => {
  it('is named with what to do, and found again in the folder of archives', async () => {
    fill();
    await archive(['old']);
    log.archives.close();
    const away = join(folder, 'away.sqlite');
    renameSync(path(), away);

    expect(() => log.read('old')).toThrow(/one\.sqlite is not there/);
    expect(log.archives.isThere('old')).toBe(false);
    expect(list().map(({ id }) => id)).toContain('old');
    renameSync(away, path());
    expect(log.read('old')).toHaveLength(6);
  });

  it('is told from that of another folder', async () => {
    fill();
    await archive(['other']);
    log.archives.close();
    renameSync(path(), join(folder, 'of-another'));
    await archive(['old']);
    log.archives.close();
    renameSync(join(folder, 'of-another'), path());

    expect(() => log.read('old')).toThrow(/does not hold old: it is another folder’s/);
    await expect(bringBack(['old'])).rejects.toThrow(/does not hold old/);
  });

  it('is refused when its events are not those that were taken out', async () => {
    fill();
    await archive(['old']);
    log.archives.close();
    const file = new Sqlite(path());
    file
      .prepare("UPDATE events SET body = replace(body, 'Which one', 'What one') WHERE stream = 'old'")
      .run();
    file.close();

    expect(() => log.read('old')).toThrow(/not those that were archived/);
    await expect(bringBack(['old'])).rejects.toThrow(/not those that were archived/);
    writeFileSync(path(), 'no database');
    log.archives.close();
    expect(() => log.record('old')).toThrow(/cannot be read/);
  });
});

/** Episodes of three events each. */
function fillMany(): string[] {
  const ids = Array.from({ length: 45 }, (_, i) => `e${String(i)}`);
  for (const id of ids)
    log.appendAll(
      id,
      [started(), reset(), ended()].map((event) => ({ actor: SYSTEM, event })),
    );
  return ids;
}

describe('an archiving that ends half-way', () => {
  const stages: ArchiveProgress['stage'][] = ['writing', 'checking', 'removing'];
  it.each(stages)('loses nothing when it is stopped while %s', async (stage) => {
    const ids = fillMany();
    const before = ids.map((id) => log.read(id));
    const stopping = new AbortController();
    const onProgress = (progress: ArchiveProgress): void => {
      if (progress.stage === stage) stopping.abort();
    };

    await expect(archive(ids, { signal: stopping.signal, onProgress })).rejects.toThrow(/stopped/);

    close();
    open();
    expect(ids.map((id) => log.read(id))).toEqual(before);
    expect(readdirSync(join(folder, 'archives'))).toEqual([]);
    expect(log.archives.episodes()).toEqual([]);
    expect(ids.map((id) => log.projections.episode(id)?.status)).toEqual(ids.map(() => 'ended'));
  });

  it('stays as it is when the product is closed meanwhile, and each episode is read from where it is', async () => {
    const ids = fillMany();
    const before = ids.map((id) => log.read(id));
    const leaving = new AbortController();
    const onProgress = ({ stage }: ArchiveProgress): void =>
      stage === 'removing' ? leaving.abort(LEAVING) : undefined;

    await expect(archive(ids, { signal: leaving.signal, onProgress })).rejects.toThrow(/4 episodes are in/);

    close();
    open();
    expect(log.archives.episodes()).toHaveLength(4);
    expect(ids.map((id) => log.read(id))).toEqual(before);
  });

  it('undoes what it did when an episode was changed meanwhile', async () => {
    const ids = fillMany();
    const onProgress = ({ stage, done }: ArchiveProgress): void => {
      if (stage === 'removing' && done === 4) log.erase('e44', null, HUMAN, null);
    };

    await expect(archive(ids, { onProgress })).rejects.toThrow(/e44 has changed since it was archived/);

    expect(log.archives.episodes()).toEqual([]);
    expect(readdirSync(join(folder, 'archives'))).toEqual([]);
    expect(ids.map((id) => log.read(id).length)).toEqual(ids.map((id) => (id === 'e44' ? 4 : 3)));
  });

  it('takes nothing out when what was written is not what the log holds', () => {
    fill();
    const draft = log.archiver.draft(path());
    draft.add(['old']);
    const hidden = readdirOf(join(folder, 'archives'));
    const file = new Sqlite(join(folder, 'archives', hidden));
    file.prepare("UPDATE events SET at = at + 1 WHERE stream = 'old' AND n = 1").run();
    file.close();

    expect(() => draft.check()).toThrow(/not those of the log/);
    draft.discard();
    expect(log.read('old')).toHaveLength(6);
    expect(existsSync(path())).toBe(false);
  });
});

const readdirOf = (at: string): string =>
  execFileSync('ls', ['-A', at], { encoding: 'utf8' }).trim().split('\n')[0] ?? readFileSync(at, 'utf8');
