import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isBlobRef } from '../../src/shared/events/text.ts';
import { openDatabase } from '../../src/main/log/database.ts';
import { createEventLog } from '../../src/main/log/eventLog.ts';
import { AGENT, asked, ended, HUMAN, openLog, openQuestion, reset, started, SYSTEM } from '../support/log.ts';

describe('the log', () => {
  it('numbers events without gaps, per stream and over all', () => {
    const log = openLog();

    log.append('a', SYSTEM, started());
    log.append('b', SYSTEM, started());
    log.append('a', SYSTEM, reset());

    expect(log.read('a').map(({ n, seq }) => [n, seq])).toEqual([
      [1, 1],
      [2, 3],
    ]);
  });

  it('tells listeners only what is already committed, and survives one that throws', () => {
    const log = openLog();
    const heard: number[] = [];
    log.subscribe(() => {
      throw new Error('a view went away');
    });
    log.subscribe(({ n }) => heard.push(log.read('a').length, n));

    log.append('a', SYSTEM, started());

    expect(heard).toEqual([1, 1]);
  });

  it('commits all of a transaction or nothing of it', () => {
    const log = openLog();
    log.append('a', SYSTEM, started());
    const broken = { kind: 'no.such.kind' } as never;

    expect(() =>
      log.appendAll('a', [
        { actor: SYSTEM, event: reset() },
        { actor: SYSTEM, event: broken },
      ]),
    ).toThrow();

    expect(log.read('a')).toHaveLength(1);
    expect(log.record('a').reset).toBeNull();
    expect(log.append('a', SYSTEM, reset()).n).toBe(2);
  });

  it('covers a secret an episode was given, however many others come between', () => {
    const log = openLog();
    const secret = 'kT7-pQ2-vX9-hidden';
    log.cover('long-waiting', [secret]);
    log.append('long-waiting', SYSTEM, started());
    for (let other = 0; other < 2_500; other++) log.cover(`other-${String(other)}`);

    log.append('long-waiting', AGENT, asked({ question: `Do I sign in with ${secret}?` }));

    expect(JSON.stringify(log.read('long-waiting'))).not.toContain(secret);
  });

  it('keeps a text of any length beside the event, whole and addressed by its content', () => {
    const log = openLog();
    const long = `${'x'.repeat(40_000)}\nend`;
    openQuestion(log, 'e1', { question: long });

    const question = log.record('e1').consultations[0]?.question ?? '';

    expect(isBlobRef(question)).toBe(true);
    expect(question).toMatchObject({ length: 40_004, lines: 2 });
    expect(log.texts.loadText(question)).toBe(long);
    expect(isBlobRef(question) && log.texts.stretch(question.$blob, 39_999, 10).text).toBe('x\nend');
  });

  it('refuses a stored text that is not there instead of inventing one', () => {
    const log = openLog();

    expect(() => log.texts.stretch('0'.repeat(64), 0, 10)).toThrow(/no stored text/);
  });
});

describe('a log on disk', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'interject-log-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is there again after it was closed, record for record', () => {
    const first = openLog(join(folder, 'log.db'));
    openQuestion(first);
    const before = first.record('e1');
    first.close();

    const second = openLog(join(folder, 'log.db'));

    expect(second.record('e1')).toEqual(before);
    expect(second.lastSeq()).toBe(3);
  });

  it('writes a decision with full durability and everything else without', () => {
    const db = openDatabase(join(folder, 'log.db'));
    const seen: unknown[] = [];
    // The clock is read inside the transaction: what it sees is what the commit will use.
    const clock = (): number => seen.push(db.pragma('synchronous', { simple: true }));
    const log = createEventLog({ db, clock, onListenerError: () => undefined });

    log.append('e1', AGENT, asked());
    log.append('e1', HUMAN, { kind: 'stop.requested', reason: null });
    log.append('e1', SYSTEM, ended());

    expect(seen).toEqual([1, 2, 1]);
  });

  it('says that a file which is no database is not one, and leaves it alone', async () => {
    const { writeFileSync, readFileSync } = await import('node:fs');
    const path = join(folder, 'log.db');
    writeFileSync(
      path,
      'these are not the bytes of a database, but they are long enough to be read as a header',
    );

    expect(() => openDatabase(path)).toThrow(/not a readable log/);
    expect(readFileSync(path, 'utf8')).toMatch(/^these are not/);
  });

  it('names the cause when the database cannot be written, and keeps what was there', () => {
    const log = openLog(join(folder, 'log.db'), undefined, 20);
    openQuestion(log);
    const blocker = openDatabase(join(folder, 'log.db'));
    blocker.exec('PRAGMA busy_timeout = 0; BEGIN IMMEDIATE');

    const attempt = (): unknown => log.append('e1', SYSTEM, ended());
    expect(attempt).toThrow(/another process holds/);
    blocker.exec('ROLLBACK');

    expect(log.append('e1', SYSTEM, ended()).n).toBe(4);
  });
});
