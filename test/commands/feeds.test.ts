import { describe, expect, it, vi } from 'vitest';
import type { Push } from '../../src/shared/contract/envelope.ts';
import { createDisclosure } from '../../src/main/commands/router.ts';
import { createFeeds } from '../../src/main/commands/feeds.ts';
import {
  createClock,
  drafted,
  ended,
  openLog,
  openQuestion,
  reset,
  started,
  SYSTEM,
} from '../support/log.ts';

function open() {
  const time = createClock();
  const log = openLog(':memory:', time.clock);
  const watching = new Set<() => void>();
  const gateway = {
    status: () => ({
      address: null,
      doors: [],
      environments: [],
      tapped: watching.size,
      backlog: 0,
      lost: 0,
    }),
    onChanged: (listener: () => void) => (watching.add(listener), () => watching.delete(listener)),
  };
  const imports = { list: () => [], onChanged: () => () => undefined };
  const reported: unknown[] = [];
  const feeds = createFeeds({
    log,
    schedule: time.schedule,
    seats: () => [],
    gateway,
    imports,
    disclosure: createDisclosure(log, Date.now),
    report: (thrown) => reported.push(thrown),
  });
  const pushes: Push[] = [];
  return { ...time, log, feeds, reported, watching, pushes, send: (push: Push) => pushes.push(push) };
}
const rowsOf = (pushes: Push[]) => pushes.flatMap((push) => (push.topic === 'episodes' ? push.rows : []));
const ns = (pushes: Push[]) =>
  pushes.flatMap((push) => (push.topic === 'episode' ? push.events.map(({ n }) => n) : []));

describe('watching an episode', () => {
  it('that cannot be read is reported, and news of others goes on', () => {
    const { log, feeds, pushes, send, advance, reported } = open();
    const read = log.read.bind(log);
    log.read = (stream, ...page) => {
      if (stream === 'e1') throw new Error('a row nobody can read');
      return read(stream, ...page);
    };
    log.append('e1', SYSTEM, started());
    log.append('e2', SYSTEM, started());
    feeds.subscribe({ topic: 'episode', episode: 'e1', after: 0 }, send);
    feeds.subscribe({ topic: 'episode', episode: 'e2', after: 0 }, send);
    advance(30);

    expect(reported).toEqual([new Error('a row nobody can read')]);
    expect(pushes).toMatchObject([{ topic: 'episode', episode: 'e2' }]);
  });

  it('catches up from the last event a view has, then goes on live, without a gap or a repeat', () => {
    const { log, feeds, pushes, send, advance } = open();
    openQuestion(log);
    feeds.subscribe({ topic: 'episode', episode: 'e1', after: 1 }, send);
    advance(1);

    log.append('e1', SYSTEM, drafted());
    log.append('e1', SYSTEM, ended());
    advance(30);

    expect(ns(pushes)).toEqual([2, 3, 4, 5]);
    expect(pushes).toHaveLength(2);
  });

  it('sends a long episode in pages and says when it has caught up', () => {
    const { log, feeds, pushes, send, advance } = open();
    log.append('e1', SYSTEM, started());
    log.appendAll(
      'e1',
      Array.from({ length: 1_200 }, () => ({ actor: SYSTEM, event: reset() })),
    );
    feeds.subscribe({ topic: 'episode', episode: 'e1', after: 0 }, send);

    advance(1);

    expect(ns(pushes)).toHaveLength(1_201);
    expect(pushes.map((push) => push.topic === 'episode' && push.is_caught_up)).toEqual([
      false,
      false,
      false,
      true,
    ]);
  });

  it('waits while a view is slow, and then gives it everything it missed', () => {
    const { log, feeds, pushes, send, advance } = open();
    let isSlow = true;
    openQuestion(log);
    feeds.subscribe({ topic: 'episode', episode: 'e1', after: 0 }, send, () => !isSlow);
    advance(200);
    expect(pushes).toEqual([]);

    isSlow = false;
    advance(50);

    expect(ns(pushes)).toEqual([1, 2, 3]);
  });

  it('is silent after it was given up', () => {
    const { log, feeds, pushes, send, advance } = open();
    const stop = feeds.subscribe({ topic: 'episode', episode: 'e1', after: 0 }, send);
    stop();
    openQuestion(log);
    advance(100);

    expect(pushes).toEqual([]);
  });
});

describe('watching the list and the desk', () => {
  it('sends each changed row once, however many events changed it', () => {
    const { log, feeds, pushes, send, advance } = open();
    feeds.subscribe({ topic: 'episodes' }, send);
    advance(1);
    openQuestion(log, 'e1');
    openQuestion(log, 'e2');
    advance(30);

    const last = pushes.at(-1);
    expect(last?.topic === 'episodes' && last.rows.map(({ id, status }) => [id, status])).toEqual([
      ['e1', 'waiting'],
      ['e2', 'waiting'],
    ]);
  });

  it('tells a view to fetch again rather than queue more rows than it can show', () => {
    const { log, feeds, pushes, send, advance } = open();
    feeds.subscribe({ topic: 'episodes' }, send);
    advance(1);
    for (let i = 0; i < 2001; i += 1) log.append(`e${String(i)}`, SYSTEM, started());
    advance(30);

    expect(pushes.at(-1)).toEqual({ topic: 'refetch' });
  });

  it('tells of a crowd in parts, and of every one of it as it is at last', () => {
    const { log, feeds, pushes, send, advance } = open();
    feeds.subscribe({ topic: 'episodes' }, send);
    advance(1);
    for (let i = 0; i < 250; i += 1) log.append(`e${String(i)}`, SYSTEM, started());
    advance(30);
    const first = rowsOf(pushes).length;
    log.append('e249', SYSTEM, reset());
    advance(2_000);

    const told = new Map(rowsOf(pushes).map((row) => [row.id, row]));
    expect(first).toBeLessThan(250);
    expect(rowsOf(pushes)).toHaveLength(250);
    expect([...told.values()]).toEqual(
      log.projections
        .episodes({ query: '', status: null, condition: null, offset: 0, limit: 500 })
        .rows.toSorted((a, b) => a.seq - b.seq),
    );
  });

  it('tells every seat the same desk, read once for all of them', () => {
    const { log, feeds, send, pushes, advance } = open();
    const desk = vi.spyOn(log.projections, 'desk');
    for (let seat = 0; seat < 3; seat += 1)
      feeds.subscribe({ topic: 'desk' }, send, () => true, { seat: `seat-${String(seat)}` });
    advance(1);
    const before = desk.mock.calls.length;
    openQuestion(log);
    advance(30);

    expect(desk.mock.calls.length - before).toBe(1);
    expect(pushes.slice(-3).map((push) => push.topic === 'desk' && push.total)).toEqual([1, 1, 1]);
    expect(new Set(pushes.slice(-3)).size).toBe(1);
  });

  it('shows a question on the desk and takes it away when its episode ends', () => {
    const { log, feeds, pushes, send, advance } = open();
    feeds.subscribe({ topic: 'desk' }, send);
    openQuestion(log);
    advance(30);
    log.append('e1', SYSTEM, { kind: 'consultation.cancelled', consultation: 'e1:c1', reason: 'stopped' });
    advance(30);

    expect(pushes.map((push) => push.topic === 'desk' && push.total)).toEqual([1, 0]);
  });
});

describe('watching the gateway', () => {
  it('tells how it stands at once and after each change, in one push for many, and no more once it is left', () => {
    const { feeds, pushes, watching, send, advance } = open();
    const leave = feeds.subscribe({ topic: 'gateway' }, send);
    advance(1);

    for (const tell of [...watching, ...watching]) tell();
    advance(30);
    leave();

    expect(pushes.map(({ topic }) => topic)).toEqual(['gateway', 'gateway']);
    expect(watching.size).toBe(0);
  });
});

describe('a crowd at the desk', () => {
  it('is told of together, later the more there is to read, and a single question at once', () => {
    const { log, feeds, pushes, send, advance } = open();
    feeds.subscribe({ topic: 'desk' }, send);
    advance(1);
    const come = (from: number, count: number): void => {
      for (let at = from; at < from + count; at += 1) openQuestion(log, `e${String(at)}`);
    };
    const told = (): number[] => pushes.splice(0).map((push) => (push.topic === 'desk' ? push.total : -1));
    told();

    come(0, 1);
    advance(30);
    expect(told()).toEqual([1]);
    come(1, 150);
    advance(30);
    expect(told()).toEqual([151]);
    for (let at = 151; at < 161; at += 1) {
      come(at, 1);
      advance(20);
    }
    expect(told()).toEqual([]);
    advance(300);
    expect(told()).toEqual([161]);
  });
});
