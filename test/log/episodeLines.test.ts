import { expect, it } from 'vitest';
import type { LogEvent } from '../../src/shared/events/vocabulary.ts';
import { openDatabase } from '../../src/main/log/database.ts';
import { createEventLog } from '../../src/main/log/eventLog.ts';
import { checkLines } from '../support/episodeLines.ts';
import { ended, HUMAN, openQuestion, reset, started, SYSTEM } from '../support/log.ts';

function open() {
  const db = openDatabase(':memory:');
  return { db, log: createEventLog({ db, clock: () => 5, onListenerError: () => undefined }) };
}

it('are right after a commit that failed once they were written', () => {
  const { db, log } = open();
  openQuestion(log, 'e1');
  log.append('e2', SYSTEM, started());
  const before = log.record('e2');
  db.exec("CREATE TRIGGER full BEFORE INSERT ON holds BEGIN SELECT RAISE(ABORT, 'the disk is full'); END");

  const paused = {
    kind: 'phase.changed',
    from: 'autonomous',
    to: 'paused',
    cause: 'person',
    at_once: true,
    reason: null,
  } as const;
  expect(() =>
    log.appendAll('e2', [
      { actor: SYSTEM, event: reset() },
      { actor: HUMAN, event: paused },
    ]),
  ).toThrow('the disk is full');

  expect(log.record('e2')).toEqual(before);
  checkLines(db, log);
  db.exec('DROP TRIGGER full');
  log.append('e2', SYSTEM, reset());
  checkLines(db, log);
  log.appendAll('e2', [
    { actor: SYSTEM, event: reset() },
    { actor: HUMAN, event: paused },
  ]);
  expect(log.projections.holds(10)).toHaveLength(1);
  checkLines(db, log);
  log.append('e2', SYSTEM, ended());
  expect(log.projections.holds(10)).toEqual([]);
  checkLines(db, log);
});

it('are told from the table where a process begins with them, and from memory once it wrote them, alike', () => {
  const { db, log } = open();
  openQuestion(log, 'e1');
  const told = log.projections.episode('e1');
  const later = createEventLog({ db, clock: () => 5, onListenerError: () => undefined });

  expect(later.projections.episode('e1')).toEqual(told);
  later.append('e1', SYSTEM, { kind: 'tags.changed', episode: 'e1', added: ['odd'], removed: [] });
  expect(later.projections.episode('e1')).toMatchObject({ seq: later.lastSeq(), tags: ['odd'] });
  checkLines(db, later);
});

it('are right after batches of several streams, an erasure, and an episode whose record is no longer kept', () => {
  const { db, log } = open();
  const batch = (streams: readonly string[], event: LogEvent, value: number): void =>
    log.appendMany(
      streams.map((stream) => ({ stream, entries: [{ actor: SYSTEM, event, at: null }] })),
      { name: 'source', value },
    );
  // More than are kept once they have ended.
  const streams = Array.from({ length: 20 }, (_, at) => `e${String(at)}`);
  for (const [at, event] of [started(), reset(), ended()].entries()) {
    batch(streams, event, at);
    checkLines(db, log);
  }
  for (const stream of [streams[0] ?? '', streams[19] ?? '']) {
    log.append(stream, SYSTEM, { kind: 'tags.changed', episode: stream, added: ['odd'], removed: [] });
    checkLines(db, log);
    log.erase(stream, null, HUMAN, null);
    checkLines(db, log);
    expect(log.projections.episode(stream)?.tags).toEqual(['odd']);
  }
});
