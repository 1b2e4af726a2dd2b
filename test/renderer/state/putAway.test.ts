import { describe, expect, it } from 'vitest';
import { createSession, type Session } from '../../../src/renderer/state/session.ts';
import { createMemoryStorage } from '../../../src/renderer/state/kept.ts';
import { IN_PLACE_MAX, isPutAway, putAway } from '../../../src/renderer/state/putAway.ts';
import { writeWhole } from '../../../src/renderer/state/readAway.ts';
import { wholeText } from '../../../src/renderer/state/texts.ts';
import { episodeMarkdown } from '../../../src/renderer/parts/timeline/markdown.ts';
import { findRows } from '../../../src/renderer/parts/timeline/useTimeline.ts';
import { rowsOf } from '../../../src/shared/timeline/rows.ts';
import { align } from '../../../src/renderer/views/compare/align.ts';
import { foldAll } from '../../../src/shared/episode/fold.ts';
import type { EpisodeRecord } from '../../../src/shared/episode/record.ts';
import type { LogEvent, Recorded } from '../../../src/shared/events/vocabulary.ts';
import { started, generated, proposed, returned } from '../../support/log.ts';
import { recordedOf } from './events.ts';
import { createScriptedTransport, type ScriptedTransport } from './transport.ts';

const AT = '2026-05-01T10:00:00Z';

/** Turns of a call each, whose results are this long: a beginning all share, and an end of their own. */
function heavyEpisode(stream: string, turns: number, length: number, endOf = endWords): Recorded[] {
  const events: LogEvent[] = [started()];
  for (let turn = 1; turn <= turns; turn += 1) {
    const call = `c${String(turn)}`;
    const text = `${'row, '.repeat(Math.ceil(length / 5)).slice(0, length)} ${endOf(turn)}`;
    events.push(
      generated({ turn, content: 'I look.', model: 'm', stop_reason: 'stop', latency_ms: 1 }),
      proposed({
        turn,
        call,
        move: { type: 'call_tool', tool_name: 'list_orders', arguments: { page: turn } },
      }),
      { kind: 'call.sent', call, tool_name: 'list_orders', arguments: { page: turn } },
      returned({ call, frame: text, text, latency_ms: 2 }),
    );
  }
  return events.map((event, index) => recordedOf(stream, index + 1, event));
}

const endWords = (turn: number): string => `end of page ${String(turn)}, written ${AT}.`;

const open = (events: readonly Recorded[]): { session: Session; transport: ScriptedTransport } => {
  const transport = createScriptedTransport({
    'episode.read': ({ after, limit }) => ({
      events: events.slice(after, after + limit),
      last_n: events.length,
    }),
  });
  const session = createSession({
    transport,
    seat: 'seat-1',
    tab: 'one',
    storage: createMemoryStorage(),
    now: () => 1_000_000,
  });
  const id = events[0]?.stream ?? '';
  session.episodes.acquire(id);
  transport.tell({ topic: 'episode', episode: id, events: [...events], is_caught_up: true });
  return { session, transport };
};

const recordOf = (session: Session, id: string): EpisodeRecord => {
  const entry = session.store.getState().record.episodes[id];
  if (entry === undefined) throw new Error('not watched');
  return entry.record;
};

const lengthInPage = (value: unknown): number => JSON.stringify(value).length;
const TURNS = 60;
const LENGTH = 400_000;

describe('a replay of more text than a page should hold', () => {
  const events = heavyEpisode('e1', TURNS, LENGTH);
  const { session } = open(events);
  const record = recordOf(session, 'e1');

  it('keeps so much in place and no more, whatever the episode holds', () => {
    const entry = session.store.getState().record.episodes['e1'];
    const held = lengthInPage(entry?.events);

    expect(lengthInPage(events)).toBeGreaterThan(2 * IN_PLACE_MAX);
    expect(held).toBeLessThan(IN_PLACE_MAX * 1.2);
    expect(entry?.record.counts).toEqual(foldAll('e1', events).counts);
    expect(rowsOf(record)).toHaveLength(rowsOf(foldAll('e1', events)).length);
  });

  it('reads every text again as it was', async () => {
    const text = record.turns.at(-1)?.call?.returned?.text ?? '';
    const first = record.turns[0]?.call?.returned?.text ?? '';

    expect(isPutAway(first)).toBe(false);
    expect(isPutAway(text)).toBe(true);
    expect(text.length).toBe(LENGTH + 1 + endWords(TURNS).length);
    expect(await wholeText(session.texts, text)).toContain(endWords(TURNS));
  });

  it('is copied as Markdown whole', async () => {
    const rows = rowsOf(record);
    const copied = await writeWhole(session, (whole) => episodeMarkdown(record, rows, whole));

    const plain = foldAll('e1', events);
    expect(copied).toBe(episodeMarkdown(plain, rowsOf(plain)));
  });

  it('is searched whole once its texts were read through', () => {
    const rows = rowsOf(record);
    const place = `${String(events.length)} text`;

    expect(findRows(rows, record, `page ${String(TURNS)},`).at).toEqual([]);
    expect(findRows(rows, record, `page ${String(TURNS)},`).partly).toBeGreaterThan(0);
    const found = findRows(rows, record, `page ${String(TURNS)},`, new Set([place]));
    expect(found.at.map((at) => rows[at]?.n)).toEqual([record.turns.at(-1)?.n]);
    expect(found.partly).toBe(0);
  });

  it('is compared by what the whole texts are, times aside', () => {
    const light = (list: readonly Recorded[]): EpisodeRecord =>
      foldAll(list[0]?.stream ?? '', list.map(putAway));
    const later = (turn: number): string => endWords(turn).replace(AT, '2027-01-02T03:04:05Z');
    const other = (turn: number): string => (turn === 2 ? 'another end' : later(turn));
    const left = light(heavyEpisode('a', 3, 9_000));
    const inPlace = foldAll('b', heavyEpisode('b', 3, 9_000, other));
    const away = light(heavyEpisode('c', 3, 9_000, other));

    const differences = ['same', 'result', 'same'];
    expect(align(left, inPlace).pairs.map(({ difference }) => difference)).toEqual(differences);
    expect(align(left, away).pairs.map(({ difference }) => difference)).toEqual(differences);
  });
});

it('episodes that were left stay warm only as far as there is room for their texts', () => {
  const { session, transport } = open(heavyEpisode('e1', 30, LENGTH));
  for (const id of ['e2', 'e3']) {
    const end = session.episodes.acquire(id);
    const events = heavyEpisode(id, 15, LENGTH);
    transport.tell({ topic: 'episode', episode: id, events, is_caught_up: true });
    end();
  }

  expect(Object.keys(session.store.getState().record.episodes)).toEqual(['e1', 'e3']);
});

it('a short episode is held as it came', () => {
  const events = heavyEpisode('e1', 20, 9_000);
  const { session } = open(events);

  expect(recordOf(session, 'e1')).toEqual(foldAll('e1', events));
});
