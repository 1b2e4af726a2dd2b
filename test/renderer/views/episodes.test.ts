import { describe, expect, it } from 'vitest';
import type { EpisodeRow } from '../../../src/shared/episode/rowShapes.ts';
import { Failure } from '../../../src/shared/failure.ts';
import { cardRows } from '../../../src/renderer/views/episodes/EpisodeCards.tsx';
import { createPager, countNew } from '../../../src/renderer/views/episodes/useEpisodePages.ts';
import {
  matchesFilter,
  agentWord,
  rowOutcome,
  saysState,
  seatOutcome,
  type EpisodeListFilter,
} from '../../../src/renderer/parts/episode/episodeRowText.ts';
import { filterParts } from '../../../src/renderer/parts/episode/filterParts.ts';
import { assisted } from '../parts/episodes.ts';
import { rowOf } from '../state/events.ts';
import { createScriptedTransport, settled } from '../state/transport.ts';

const ANY: EpisodeListFilter = { query: '', status: null, condition: null };

/** A list in main that the test can change, and the offsets that were asked for. */
function mainWith(count: number) {
  let all: EpisodeRow[] = Array.from({ length: count }, (_, i) =>
    rowOf({ id: `e${String(i)}`, started_at: 10_000 - i, condition: i % 2 === 0 ? 'none' : 'human' }),
  );
  const asked: number[] = [];
  let problem: Failure | null = null;
  let seq = 0;
  const { call } = createScriptedTransport({
    'episodes.page': ({ offset, limit, ...filter }) => {
      asked.push(offset);
      if (problem !== null) throw problem;
      const found = all.filter((row) => matchesFilter(row, filter));
      return { total: found.length, rows: found.slice(offset, offset + limit), seq };
    },
  });
  return {
    call,
    asked,
    change: (by: (rows: EpisodeRow[]) => EpisodeRow[]) => (all = by(all)),
    /** What the log holds by now. */
    holds: (newest: number) => (seq = newest),
    breakWith: (failure: Failure | null) => (problem = failure),
  };
}

const calm = async (): Promise<void> => {
  for (let i = 0; i < 8; i += 1) await settled();
};

describe('the list of episodes', () => {
  it('reads only the pages that come into view, each once', async () => {
    const main = mainWith(1000);
    const pager = createPager(main.call, ANY);
    await calm();

    pager.show(450, 520);
    await calm();
    pager.show(440, 510);
    await calm();

    expect(main.asked).toEqual([0, 400, 500]);
    expect(pager.state().total).toBe(1000);
    expect(pager.state().rows.get(519)?.id).toBe('e519');
    expect(pager.state().rows.has(300)).toBe(false);
  });

  it('keeps showing the old rows until those of a new filter are there', async () => {
    const main = mainWith(10);
    const pager = createPager(main.call, ANY);
    await calm();

    pager.setFilter({ ...ANY, condition: 'human' });
    const during = pager.state();
    await calm();

    expect(during.rows.size).toBe(10);
    expect(during.isLoading).toBe(true);
    expect([...pager.state().rows.values()].map(({ id }) => id)).toEqual(['e1', 'e3', 'e5', 'e7', 'e9']);
  });

  it('shows the answer to the last filter even when an earlier one comes later', async () => {
    const answers: (() => void)[] = [];
    const transport = createScriptedTransport({
      'episodes.page': ({ query }) =>
        new Promise((resolve) =>
          answers.push(() =>
            resolve({ total: 1, rows: [rowOf({ id: query === '' ? 'any' : query })], seq: 0 }),
          ),
        ),
    });
    const pager = createPager(transport.call, ANY);
    await calm();
    pager.setFilter({ ...ANY, query: 'second' });
    await calm();

    answers[1]?.();
    await calm();
    answers[0]?.();
    await calm();

    expect(pager.state().rows.get(0)?.id).toBe('second');
  });

  it('reads again what is in view when rows came between two pages, so that no place holds two', async () => {
    const main = mainWith(300);
    const pager = createPager(main.call, ANY);
    await calm();

    main.change((rows) => [rowOf({ id: 'new', started_at: 20_000 }), ...rows]);
    pager.show(90, 150);
    await calm();

    const { rows, total } = pager.state();
    expect(total).toBe(301);
    expect(new Set([...rows.values()].map(({ id }) => id)).size).toBe(rows.size);
    expect(rows.get(101)?.id).toBe('e100');
  });

  it('keeps what it shows when a page cannot be read, says why, and tries again', async () => {
    const main = mainWith(300);
    const pager = createPager(main.call, ANY);
    await calm();
    main.breakWith(new Failure('timeout', 'too slow'));
    pager.show(250, 260);
    await calm();
    const broken = pager.state();

    main.breakWith(null);
    pager.refresh();
    await calm();

    expect(broken.failure).toMatchObject({ code: 'timeout' });
    expect(broken.rows.size).toBe(100);
    expect(pager.state().failure).toBeNull();
    expect(pager.state().rows.get(255)?.id).toBe('e255');
  });
});

describe('new episodes', () => {
  it('are counted, not put under the cursor: those that began later and that the filter shows', async () => {
    const main = mainWith(3);
    const pager = createPager(main.call, ANY);
    await calm();
    const live = new Map(
      [
        rowOf({ id: 'e0', started_at: 10_000, turns: 9 }),
        rowOf({ id: 'new1', started_at: 10_001 }),
        rowOf({ id: 'new2', started_at: 10_002, condition: 'none' }),
        rowOf({ id: 'old', started_at: 5 }),
      ].map((row) => [row.id, row]),
    );

    expect(countNew(pager.state(), live, ANY)).toBe(2);
    expect(countNew(pager.state(), live, { ...ANY, condition: 'none' })).toBe(1);
  });

  it('are not those of an import without times that are listed already, on pages nobody has looked at', async () => {
    const main = mainWith(0);
    const rows = Array.from({ length: 250 }, (_, i) => rowOf({ id: `i${String(i)}`, started_at: 9, seq: i }));
    main.change(() => rows);
    main.holds(249);
    const pager = createPager(main.call, ANY);
    await calm();
    const live = new Map(
      [...rows, rowOf({ id: 'new', started_at: 9, seq: 250 })].map((row) => [row.id, row]),
    );

    expect(pager.state().rows.size).toBe(100);
    expect(countNew(pager.state(), live, ANY)).toBe(1);
  });
});

describe('a line of the list', () => {
  it('shows the reward an imported file told, and says in plain words who acted', () => {
    const told = rowOf({ status: 'ended', outcome: 'interrupted', source: 'import', reward: 0.25 });
    expect([rowOutcome(told), saysState(told)]).toEqual([
      { kind: 'unknown', word: 'Reward only', label: null, reward: 0.25 },
      false,
    ]);
    expect(saysState({ ...told, reward: null })).toBe(true);
    expect([agentWord('foreign', 'import'), agentWord('foreign', 'tap'), agentWord('human', 'run')]).toEqual([
      'agent of the file',
      'client’s agent',
      'a person',
    ]);
  });

  it('never says “No verdict” in an expert’s list, which is told none: the opened episode says how it went', () => {
    const ended = rowOf({ status: 'ended', outcome: 'done' });
    const opened = assisted().record();

    expect(seatOutcome(ended, null)).toBeNull();
    expect(saysState(ended, seatOutcome(ended, null))).toBe(true);
    expect(seatOutcome(ended, opened)).toMatchObject({ kind: 'complete' });
    expect(saysState(ended, seatOutcome(ended, opened))).toBe(false);
    expect(seatOutcome({ ...ended, is_covered: true }, opened)).toBe('hidden');
    expect(rowOutcome(rowOf({ is_covered: true }))).toBeNull();
  });

  it('takes a continuation that just came into the list only where one is asked for', () => {
    const row = rowOf({ lift_arm: 'with', run: 'worth' });
    const all = { query: '', status: null, condition: null, filter: {} } as const;

    expect(matchesFilter(row, all)).toBe(false);
    expect(matchesFilter(row, { ...all, filter: { run: 'worth' } })).toBe(true);
    expect(matchesFilter(rowOf({ run: 'worth' }), all)).toBe(true);
  });
});

it('cards keep their order while episodes move on, with those that have ended up to the newest 64', () => {
  const ended = Array.from({ length: 70 }, (_, at) =>
    rowOf({ id: `old${String(at)}`, started_at: at, status: 'ended' }),
  );
  const rows = new Map(
    [
      rowOf({ id: 'b', started_at: 102, updated_at: 50, status: 'waiting' }),
      rowOf({ id: 'a', started_at: 101, updated_at: 99, status: 'waiting' }),
      rowOf({ id: 'c', started_at: 5 }),
      ...ended,
    ].map((row) => [row.id, row]),
  );

  const shown = cardRows(rows, ANY).map(({ id }) => id);

  expect(shown.filter((id) => !id.startsWith('old'))).toEqual(['c', 'a', 'b']);
  expect(shown.filter((id) => id.startsWith('old'))).toHaveLength(64);
  expect(shown).not.toContain('old5');
  expect(cardRows(rows, { ...ANY, status: 'waiting' }).map(({ id }) => id)).toEqual(['a', 'b']);
});

it('what narrows the list names the reviewer it is narrowed to', () => {
  const people = [{ seat: 's2', label: 'Ada' }];

  expect(filterParts({ reviewer: 's2' }, people)).toEqual([{ key: 'reviewer', label: 'reviewed by Ada' }]);
  expect(filterParts({ reviewer: 'gone' }, people)[0]?.label).toBe('reviewed by gone');
  expect(matchesFilter(rowOf({}), { ...ANY, filter: { reviewer: 's2' } })).toBe(false);
});
