import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/main/log/database.ts';
import { createEventLog } from '../../src/main/log/eventLog.ts';
import { PROJECTED_TABLES, rebuildProjections } from '../../src/main/log/rebuild.ts';
import { SYSTEM } from '../../src/shared/events/actor.ts';
import { textHead } from '../../src/shared/events/text.ts';
import type { LogEvent } from '../../src/shared/events/vocabulary.ts';
import { makeRows } from '../support/exporting.ts';
import { asked, ended, openLog, started } from '../support/log.ts';
import { openProduct, removeFolder, startInput, type Product } from '../support/product.ts';

const SECRET = 'sk-live-0123456789 "quoted"\nsecond line';
const HUMAN = { type: 'human', id: 'seat-one' } as const;
const TIMING = { first_seen_at: null, active_ms: null };

/** Every byte of a folder, as text. */
const bytesOf = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');

describe('erasing', () => {
  let product: Product;
  let episode = '';
  let other = '';
  beforeEach(async () => {
    product = await openProduct();
    const ask = product.as('seat-one');
    const play = async (): Promise<string> => {
      const { episodes } = await ask('episode.start', startInput({ limits: { consultations: 1 } }));
      const id = episodes[0] ?? '';
      const asking = await product.until(id, ({ consultations }) => consultations[0]?.draft);
      await ask('desk.answer', {
        episode: id,
        consultation: asking.consultations[0]?.id ?? '',
        text: `Use the key ${SECRET} for it. ${'long '.repeat(10_000)}`,
        draft: null,
        seen_seq: asking.seq,
        timing: TIMING,
      });
      await product.ended(id);
      return id;
    };
    episode = await play();
    other = await play();
  });
  afterEach(async () => {
    await product.close();
    removeFolder(product.folder);
  });

  it('takes a pasted secret out of every event and every file, and says so', async () => {
    const before = product.log.record(episode);
    product.log.erase(other, SECRET, HUMAN, null);
    const erased = product.log.erase(episode, SECRET, HUMAN, 'pasted by mistake');
    const after = product.log.record(episode);

    expect(erased.events).toBeGreaterThanOrEqual(3);
    expect(after.erased).toMatchObject({ what: 'text', reason: 'pasted by mistake' });
    expect(after.counts).toEqual({ ...before.counts, humanActs: after.counts.humanActs });
    const advice = after.consultations[0]?.decision;
    const text = advice?.type === 'approved' ? product.log.texts.loadText(advice.text) : '';
    expect(text).toMatch(/^Use the key \[erased sha256:[0-9a-f]{64}\] for it\. long /);
    const all = bytesOf(product.folder);
    expect(all).not.toContain('sk-live-0123456789');
  });

  it('takes all texts of an episode out, keeps its shape, and leaves other episodes as they were', () => {
    const untouched = JSON.stringify(product.log.read(other));
    const before = product.log.record(episode);
    product.log.erase(episode, null, HUMAN, null);
    const after = product.log.record(episode);

    expect(after.turns.length).toBe(before.turns.length);
    expect(after.ended?.reward_type).toBe(before.ended?.reward_type);
    expect(JSON.stringify(product.log.read(episode))).not.toContain('sk-live');
    expect(JSON.stringify(product.log.read(episode))).not.toContain(textHead(before.reset?.task ?? ''));
    expect(JSON.stringify(product.log.read(other))).toBe(untouched);
    expect(product.log.texts.loadText(after.reset?.task ?? '')).toMatch(/^\[erased sha256:/);
  });

  it('leaves every table as one made again from the events would be, though only this episode’s rows are', () => {
    product.log.erase(episode, SECRET, HUMAN, null);
    const db = new Sqlite(join(product.folder, 'interject.db'));
    const tables = () =>
      PROJECTED_TABLES.filter((table) => table !== 'past_advice_words').map((table) => [
        table,
        db
          .prepare(`SELECT * FROM ${table}`)
          .all()
          .map((row) => JSON.stringify(row))
          .toSorted(),
      ]);
    const before = tables();
    rebuildProjections(db);
    expect(tables()).toEqual(before);
    db.close();
  });

  it('keeps an erased episode out of exports, and counts it', async () => {
    const before = await makeRows(product.log, 'sft');
    product.log.erase(episode, SECRET, HUMAN, null);
    const after = await makeRows(product.log, 'sft');
    expect(after.dropped['erased']).toBe(1);
    expect(JSON.stringify(after.rows)).not.toContain(`"episode":"${episode}"`);
    expect(after.rows.length).toBeLessThanOrEqual(before.rows.length);
  });

  it('finds the advice of an erased episode no more among earlier answers', async () => {
    product.log.erase(other, null, HUMAN, null);
    product.log.erase(episode, null, HUMAN, null);
    const { episodes } = await product.as('seat-one')('episode.start', startInput());
    const id = episodes[0] ?? '';
    const asking = await product.until(id, ({ consultations }) => consultations[0]?.draft);
    const consultation = asking.consultations[0]?.id ?? '';
    const similar = await product.as('seat-one')('advice.similar', { episode: id, consultation, limit: 5 });
    expect(JSON.stringify(similar)).not.toContain('sk-live');
  });

  it('refuses a text too short to be told apart, one that is not there, and an episode that runs', async () => {
    expect(() => product.log.erase(episode, 'key', HUMAN, null)).toThrow(/fewer than 6 characters/);
    expect(() => product.log.erase(episode, 'not in this episode at all', HUMAN, null)).toThrow(
      /does not stand/,
    );
    expect(() => product.log.erase('nobody', null, HUMAN, null)).toThrow(/no episode/);
    const { episodes } = await product.as('seat-one')('episode.start', startInput());
    await product.until(episodes[0] ?? '', ({ consultations }) => consultations[0]);
    expect(() => product.log.erase(episodes[0] ?? '', null, HUMAN, null)).toThrow(/still running/);
  });
});

describe('what holds words', () => {
  it.each<[string, LogEvent]>([
    ['what an agent said it has at hand', asked({ available_tools: 'the card of Ada Lovelace' })],
    [
      'what a person asked of a draft that failed',
      {
        kind: 'advice.draft_failed',
        consultation: 'e1:c1',
        draft: 'd2',
        hint: { text: 'ask Ada Lovelace', seat: 'seat-one' },
        code: 'model_failed',
        message: 'it did not answer',
      },
    ],
  ])('includes %s', (_what, event) => {
    const log = openLog();
    for (const one of [started(), asked(), event, ended()]) log.append('e1', SYSTEM, one);

    log.erase('e1', null, HUMAN, null);

    expect(JSON.stringify(log.read('e1'))).not.toContain('Ada Lovelace');
  });

  it('survives a log opened again', () => {
    const folder = mkdtempSync(join(tmpdir(), 'interject-erase-'));
    const path = join(folder, 'log.db');
    const open = () =>
      createEventLog({ db: openDatabase(path), clock: () => 1, onListenerError: () => undefined });
    const log = open();
    log.append('e1', SYSTEM, { kind: 'stop.requested', reason: 'a reason with a name in it' });
    log.erase('e1', null, HUMAN, null);
    const again = open();
    expect(again.record('e1').erased).toMatchObject({ what: 'episode', events: 1 });
    expect(JSON.stringify(again.read('e1'))).not.toContain('a reason with a name');
    rmSync(folder, { recursive: true, force: true });
  });
});
