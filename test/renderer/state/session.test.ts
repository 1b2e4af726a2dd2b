import { describe, expect, it } from 'vitest';
import { foldAll } from '../../../src/shared/episode/fold.ts';
import { createSession, type Session } from '../../../src/renderer/state/session.ts';
import { createMemoryStorage, type Storage } from '../../../src/renderer/state/kept.ts';
import { showToast } from '../../../src/renderer/state/toasts.ts';
import { hasReviews } from '../../../src/renderer/state/role.ts';
import { setUnsentText } from '../../../src/renderer/state/drafts.ts';
import { deskItem } from '../../support/desk.ts';
import { episodeOf, recordedOf, rowOf } from './events.ts';
import { createScriptedTransport, DESCRIBED, settled, type ScriptedTransport } from './transport.ts';

const openSession = (
  transport: ScriptedTransport = createScriptedTransport(),
  storage: Storage = createMemoryStorage(),
  now: () => number = () => 1_000_000,
): Session => createSession({ transport, seat: 'seat-1', tab: 'one', storage, now });

const entry = (session: Session, id: string) => session.store.getState().record.episodes[id];

describe('an episode on screen', () => {
  it('is the same record main has, folded from the same events', () => {
    const transport = createScriptedTransport();
    const session = openSession(transport);
    const events = episodeOf('e1', 40);

    session.episodes.acquire('e1');
    transport.tell({ topic: 'episode', episode: 'e1', events: events.slice(0, 25), is_caught_up: false });
    const before = entry(session, 'e1');
    transport.tell({ topic: 'episode', episode: 'e1', events: events.slice(20), is_caught_up: true });

    expect(entry(session, 'e1')?.record).toEqual(foldAll('e1', events));
    expect(entry(session, 'e1')?.events).toEqual(events);
    expect(before?.isLoaded).toBe(false);
    expect(before?.record).toEqual(foldAll('e1', events.slice(0, 25)));
    expect(entry(session, 'e1')?.isLoaded).toBe(true);
  });

  it('is watched once, however many views show it, and until the last one goes', () => {
    const transport = createScriptedTransport();
    const session = openSession(transport);

    const first = session.episodes.acquire('e1');
    const second = session.episodes.acquire('e1');
    first();
    first();
    const whileOne = transport.watching('episode').length;
    second();

    expect(whileOne).toBe(1);
    expect(transport.watching('episode')).toHaveLength(1);
  });

  it('stays warm for going back to it; the one left longest ago is let go', () => {
    const transport = createScriptedTransport();
    const session = openSession(transport);

    for (const id of ['e1', 'e2', 'e3', 'e4', 'e5', 'e6', 'e7']) session.episodes.acquire(id)();

    expect(Object.keys(session.store.getState().record.episodes)).toEqual([
      'e2',
      'e3',
      'e4',
      'e5',
      'e6',
      'e7',
    ]);
    expect(transport.watching('episode')).toHaveLength(6);
  });

  it('is read anew, once, when texts were taken out of the log, so that nothing of them stays on screen', () => {
    const transport = createScriptedTransport();
    const session = openSession(transport);
    const before = episodeOf('e1', 3);
    const after = [
      ...episodeOf('e1', 3).map((recorded) =>
        recorded.n === 2 ? recordedOf('e1', 2, { kind: 'stop.requested', reason: '[erased]' }) : recorded,
      ),
      recordedOf('e1', 4, {
        kind: 'episode.erased',
        what: 'text',
        reason: null,
        events: 1,
        sha256: null,
      }),
    ];

    session.episodes.acquire('e1');
    transport.tell({ topic: 'episode', episode: 'e1', events: before, is_caught_up: true });
    transport.tell({ topic: 'episode', episode: 'e1', events: after.slice(3), is_caught_up: true });

    const [again] = transport.watching('episode');
    expect(transport.watching('episode')).toHaveLength(1);
    expect(again?.topic).toMatchObject({ after: 0 });
    expect(entry(session, 'e1')?.events).toEqual([]);
    transport.tell({ topic: 'episode', episode: 'e1', events: after, is_caught_up: true });
    expect(entry(session, 'e1')?.record).toEqual(foldAll('e1', after));
    expect(transport.watching('episode')).toHaveLength(1);
  });

  it('says so when there is no such episode', () => {
    const transport = createScriptedTransport();
    const session = openSession(transport);

    session.episodes.acquire('nobody');
    transport.tell({ topic: 'episode', episode: 'nobody', events: [], is_caught_up: true });

    expect(entry(session, 'nobody')?.failure).toMatchObject({ code: 'not_found' });
  });
});

describe('what runs', () => {
  it('is read when the line opens, and kept up to date by news', async () => {
    const transport = createScriptedTransport({
      'episodes.page': ({ status }) =>
        status === 'running'
          ? { total: 1, rows: [rowOf({ seq: 5, turns: 2 })], seq: 5 }
          : { total: 0, rows: [], seq: 5 },
    });
    const session = openSession(transport);
    await settled();

    transport.tell({ topic: 'episodes', rows: [rowOf({ seq: 4, turns: 1 }), rowOf({ id: 'e2', seq: 6 })] });
    transport.tell({ topic: 'episodes', rows: [rowOf({ seq: 9, turns: 3 })] });

    const { rows, areRowsLoaded } = session.store.getState().record;
    expect([...rows.values()].map(({ id, turns }) => [id, turns])).toEqual([
      ['e1', 3],
      ['e2', 1],
    ]);
    expect(areRowsLoaded).toBe(true);
  });

  it('forgets what ended while the line was down, and tells lists to read again', async () => {
    let running = [rowOf({ id: 'e1' }), rowOf({ id: 'e2' })];
    const transport = createScriptedTransport({
      'episodes.page': ({ status }) =>
        status === 'running' ? { total: 2, rows: running, seq: 5 } : { total: 0, rows: [], seq: 5 },
    });
    const session = openSession(transport);
    await settled();
    const revision = session.store.getState().record.rowsRevision;

    running = [rowOf({ id: 'e2', seq: 8 })];
    transport.become({ state: 'closed', attempt: 1, retryAt: 0 });
    transport.become({ state: 'open' });
    await settled();

    expect([...session.store.getState().record.rows.keys()]).toEqual(['e2']);
    expect(session.store.getState().record.rowsRevision).toBe(revision + 1);
    expect(session.store.getState().ui.connection).toEqual({ state: 'open' });
  });
});

it('a seat that was there first is led to reviews once a queue is made that is for it, and not asked about again then', async () => {
  let [asked, mayReview] = [0, false];
  const transport = createScriptedTransport({
    'app.describe': () => {
      asked += 1;
      return { ...DESCRIBED, role: 'expert', may_review: mayReview };
    },
  });
  const session = openSession(transport);
  await settled();
  expect(hasReviews(session.store, 'expert')).toBe(false);

  mayReview = true;
  transport.tell({ topic: 'projects', projects: ['p1'] });
  await settled();
  transport.tell({ topic: 'projects', projects: ['p1'] });
  await settled();

  expect(hasReviews(session.store, 'expert')).toBe(true);
  expect(asked).toBe(2);
});

it('the desk knows the card that the page opens with from one that comes later', () => {
  const opensWith = (count: number): boolean => {
    const transport = createScriptedTransport();
    const session = openSession(transport);
    const items = Array.from({ length: count }, () => deskItem('e1'));
    transport.tell({ topic: 'desk', total: count, items, holds: [], seats: [] });
    transport.tell({ topic: 'desk', total: 1, items: [deskItem('e2')], holds: [], seats: [] });
    return session.store.getState().ui.isFirstCardNext;
  };

  expect(opensWith(1)).toBe(true);
  expect(opensWith(0)).toBe(false);
});

describe('what a person did on this screen', () => {
  it('is written with each key, so that a page that goes has lost nothing', () => {
    const storage = createMemoryStorage();
    const session = openSession(createScriptedTransport(), storage);

    setUnsentText(session.store, 'c1', 'a');
    setUnsentText(session.store, 'c1', 'ab');

    expect(storage.getItem('interject.tab/one/words/c1')).toContain('"ab"');
  });

  it('keeps an emptied answer apart from one never begun', () => {
    const storage = createMemoryStorage();
    const session = openSession(createScriptedTransport(), storage);
    setUnsentText(session.store, 'c1', '');

    expect(openSession(createScriptedTransport(), storage).store.getState().ui.unsentTexts).toEqual({
      c1: '',
    });
  });

  it('drops words nobody came back to for a month', () => {
    const storage = createMemoryStorage();
    storage.setItem('interject.tab/one/words/old', JSON.stringify({ text: 'x', at: 0 }));

    const session = openSession(createScriptedTransport(), storage, () => 31 * 24 * 3600 * 1000);

    expect(session.store.getState().ui.unsentTexts).toEqual({});
    expect(storage.getItem('interject.tab/one/words/old')).toBeNull();
  });

  it('goes on when the browser keeps nothing', () => {
    const full: Storage = {
      ...createMemoryStorage(),
      setItem: () => {
        throw new Error('quota');
      },
    };
    const session = openSession(createScriptedTransport(), full);

    setUnsentText(session.store, 'c1', 'still here');

    expect(session.store.getState().ui.unsentTexts).toEqual({ c1: 'still here' });
  });

  it('shows few messages: the same one only once, the oldest makes way', () => {
    const { store } = openSession();

    for (const title of ['a', 'b', 'a', 'c', 'd', 'e']) showToast(store, { tone: 'plain', title });

    expect(store.getState().ui.toasts.map(({ title }) => title)).toEqual(['a', 'c', 'd', 'e']);
  });
});
