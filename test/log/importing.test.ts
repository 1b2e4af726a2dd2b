import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/main/log/database.ts';
import { createEventLog, type EventLog, type TimedEntry } from '../../src/main/log/eventLog.ts';
import type { PieceOwner } from '../../src/main/log/importQueue.ts';
import { importPieces, type ImportPiece } from '../../src/main/log/importPieces.ts';
import { openSearch } from '../../src/main/log/searchIndex.ts';
import type { LogEvent } from '../../src/shared/events/vocabulary.ts';
import { ended, reset, started, SYSTEM } from '../support/log.ts';
import { folderPerTest } from '../support/temporaryFolder.ts';

const folder = folderPerTest();

const note = (text: string): LogEvent => ({
  kind: 'model.failed',
  turn: 1,
  code: 'x',
  message: text,
  retry_in_ms: null,
});
/** An episode of so many events. */
const entries = (count: number, task: string): TimedEntry[] =>
  [
    started({ source: 'import' }),
    reset({ task }),
    ...Array.from({ length: count - 3 }, (_, i) => note(String(i))),
    ended(),
  ].map((event) => ({ actor: SYSTEM, event, at: 1000 }));
const cut = (stream: string, count: number, task = 'Rename it.'): ImportPiece[] => [
  ...importPieces({ stream, entries: entries(count, task) }, 1000),
];

function open() {
  const db = openDatabase(join(folder(), 'interject.db'));
  const log = createEventLog({ db, clock: () => 5000, onListenerError: () => undefined });
  const search = openSearch(db, log, { schedule: () => () => undefined, report: () => undefined });
  return { db, log, ...search };
}

function owner() {
  const whole: string[] = [];
  const failed: unknown[] = [];
  const own: PieceOwner = {
    onWhole: ({ stream }) => whole.push(stream),
    onFailed: (thrown) => failed.push(thrown),
  };
  return { own, whole, failed };
}

const put = (log: EventLog, pieces: readonly ImportPiece[], own: PieceOwner): Promise<void> => {
  for (const piece of pieces) void log.importing.put(piece, own);
  return log.importing.settled();
};

describe('episodes that come in pieces', () => {
  it('are in the list, and told to listeners, when their last piece is there and not before', async () => {
    const { log, db } = open();
    const { own, whole } = owner();
    const heard: string[] = [];
    log.subscribe(({ stream, event }) => heard.push(`${stream} ${event.kind}`));
    const pieces = cut('long', 1_300);
    await put(log, pieces.slice(0, -1), own);

    expect(pieces.length).toBeGreaterThan(2);
    expect(log.projections.episode('long')).toBeNull();
    expect([whole, heard]).toEqual([[], []]);

    await put(log, pieces.slice(-1), own);
    expect(log.projections.episode('long')).toMatchObject({ status: 'ended', task: 'Rename it.' });
    expect(log.read('long').map(({ n }) => n)).toEqual(Array.from({ length: 1_300 }, (_, i) => i + 1));
    expect(whole).toEqual(['long']);
    expect(heard).toEqual(['long episode.ended']);
    db.close();
  });

  it('leave nothing when the process was killed half-way, and their places in the log are searched anew', async () => {
    const before = open();
    await put(before.log, cut('short', 3, 'Find the teapot.'), owner().own);
    await put(before.log, cut('long', 1_300, 'Find the samovar.').slice(0, 2), owner().own);
    before.searchIndex.catchUp();
    before.db.close();

    const { log, db, search, searchIndex } = open();
    expect(log.read('long')).toEqual([]);
    expect(log.lastSeq()).toBe(3);
    await put(log, cut('next', 3, 'Find the kettle.'), owner().own);
    searchIndex.catchUp();
    const found = (query: string): string[] =>
      search.find({ query, kinds: [], before: null, limit: 9 }).found.map(({ recorded }) => recorded.stream);
    expect(found('find')).toEqual(['next', 'short']);
    expect(found('samovar')).toEqual([]);
    db.close();
  });

  it('fail alone when one cannot be written: others that came with it are whole', async () => {
    const { log, db } = open();
    await put(log, cut('there', 3), owner().own);
    const [bad, good] = [owner(), owner()];
    for (const piece of cut('one', 3)) void log.importing.put(piece, good.own);
    for (const piece of cut('half', 1_300).slice(0, 1)) void log.importing.put(piece, bad.own);
    for (const piece of cut('there', 3)) void log.importing.put(piece, bad.own);
    for (const piece of cut('after', 3)) void log.importing.put(piece, bad.own);
    await put(log, cut('two', 3), good.own);

    expect(good.whole).toEqual(['one', 'two']);
    expect(bad.failed).toMatchObject([{ code: 'bad_input' }]);
    expect([log.read('half'), log.read('after')]).toEqual([[], []]);
    db.close();
  });

  it('of which nothing is written can be taken back', async () => {
    const { log, db } = open();
    const { own, whole } = owner();
    for (const piece of [...cut('one', 3), ...cut('two', 1_300)]) void log.importing.put(piece, own);

    expect(log.importing.withdraw(own)).toEqual(new Set(['one', 'two']));
    await log.importing.settled();
    expect(whole).toEqual([]);
    expect(log.lastSeq()).toBe(0);
    db.close();
  });
});
