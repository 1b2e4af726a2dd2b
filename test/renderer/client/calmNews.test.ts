import { beforeEach, describe, expect, it } from 'vitest';
import { createCalmNews } from '../../../src/renderer/client/calmNews.ts';
import type { Transport } from '../../../src/renderer/client/transport.ts';
import type { Push } from '../../../src/shared/contract/envelope.ts';

const rows = (n: number): Push => ({ topic: 'projects', projects: [String(n)] });
const numbersOf = (pushes: readonly Push[]): number[] =>
  pushes.map((push) => (push.topic === 'projects' ? Number(push.projects[0]) : NaN));

let at = 0;
let timers: { at: number; run: () => void }[] = [];
const later = (ms: number, run: () => void): (() => void) => {
  const timer = { at: at + ms, run };
  timers.push(timer);
  return () => void (timers = timers.filter((one) => one !== timer));
};
/** Lets time pass, and what waits for it happen. */
const pass = (ms: number): void => {
  const until = at + ms;
  for (;;) {
    const next = timers.filter((timer) => timer.at <= until).toSorted((a, b) => a.at - b.at)[0];
    if (next === undefined) break;
    at = next.at;
    timers = timers.filter((timer) => timer !== next);
    next.run();
  }
  at = until;
};

let push: (told: Push) => void = () => undefined;
const wire: Transport = {
  call: () => Promise.reject(new Error('nothing is asked for')),
  subscribe: (_topic, onPush) => {
    push = onPush;
    return () => undefined;
  },
  status: () => ({ state: 'open' }),
  onStatus: () => () => undefined,
  retry: () => undefined,
  close: () => undefined,
};
let heard: Push[] = [];
const open = () => {
  const calm = createCalmNews(wire, { now: () => at, later });
  const end = calm.transport.subscribe({ topic: 'projects' }, (told) => heard.push(told));
  return { ...calm.doing, end };
};

beforeEach(() => {
  [at, timers, heard] = [10_000, [], []];
});

describe('news of main', () => {
  it('comes at once while nobody types, and again once they have stopped', () => {
    const { typed, shown } = open();
    push(rows(1));
    expect(numbersOf(heard)).toEqual([1]);
    typed();
    shown();
    pass(601);
    push(rows(2));
    expect(numbersOf(heard)).toEqual([1, 2]);
  });

  it('waits while a person types, and comes right after a key is on screen, in its order and not for every key', () => {
    const { typed, shown } = open();
    let told = 0;
    const toldAfterKeys: number[] = [];
    for (let key = 0; key < 20; key += 1) {
      typed();
      push(rows((told += 1)));
      push(rows((told += 1)));
      const before = heard.length;
      pass(20);
      expect(heard).toHaveLength(before);
      shown();
      pass(0);
      if (heard.length > before) toldAfterKeys.push(key);
      pass(80);
    }
    expect(toldAfterKeys).toEqual([0, 3, 6, 9, 12, 15, 18]);
    pass(400);
    expect(numbersOf(heard)).toEqual(Array.from({ length: told }, (_, n) => n + 1));
  });

  it('does not wait for a key that does not come', () => {
    const { typed } = open();
    typed();
    push(rows(1));
    pass(399);
    expect(heard).toEqual([]);
    pass(1);
    expect(numbersOf(heard)).toEqual([1]);
  });

  it('comes with the next task once the person does something else, never within what they do', () => {
    const { typed, acted } = open();
    typed();
    push(rows(1));
    acted();
    expect(heard).toEqual([]);
    pass(0);
    push(rows(2));
    expect(numbersOf(heard)).toEqual([1, 2]);
  });

  it('is not told to who no longer watches', () => {
    const { typed, end } = open();
    typed();
    push(rows(1));
    end();
    pass(1_000);
    expect(heard).toEqual([]);
  });
});
