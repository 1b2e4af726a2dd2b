import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  createKept,
  createMemoryStorage,
  type TabStorage,
  type Storage,
} from '../../../src/renderer/state/kept.ts';
import { leaveTab, openTab, tabKept, type TabLocks } from '../../../src/renderer/state/tab.ts';

let kept: TabStorage;
let held: Set<string>;
let lastId: number;
let time: number;
let whenSlept: () => void;
beforeEach(() => {
  time = 1000;
  whenSlept = () => undefined;
  kept = createKept(createMemoryStorage());
  held = new Set();
  lastId = 0;
});

const locks: TabLocks = {
  hold: (name) => {
    const isFree = !held.has(name);
    held.add(name);
    return Promise.resolve(isFree);
  },
  held: () => Promise.resolve(new Set(held)),
};
const leave = (tab: string): boolean => held.delete(`interject.tab.${tab}`);

/** Opens a page in a tab; `session` is the tab's own storage, the same after a reload. */
async function open(session: Storage = createMemoryStorage(), by: TabLocks | null = locks) {
  const newId = (): string => `tab${String((lastId += 1))}`;
  const now = (): number => time;
  const sleep = (ms: number): Promise<void> => {
    time += ms;
    whenSlept();
    return Promise.resolve();
  };
  const tab = await openTab({ kept, session, locks: by, newId, now, sleep });
  const own = tabKept(kept, tab);
  return {
    tab,
    session,
    write: (name: string, text: string) => own.write(name, text),
    read: (name: string) => own.read(name, z.string().nullable(), null),
  };
}

describe('what a tab keeps', () => {
  it('is its own: two tabs that write about the same question each keep theirs', async () => {
    const [one, two] = [await open(), await open()];
    one.write('words/q', 'from one');
    two.write('words/q', 'from two');

    expect([one.read('words/q'), two.read('words/q')]).toEqual(['from one', 'from two']);
  });

  it('is there again after a reload', async () => {
    const before = await open();
    await open();
    before.write('words/q', 'mine');
    leave(before.tab);
    const after = await open(before.session);

    expect(after.tab).toBe(before.tab);
    expect(after.read('words/q')).toBe('mine');
  });

  it('is not taken from a tab that loads again at the same moment', async () => {
    const [one, two] = [await open(), await open()];
    two.write('words/q', 'of two');
    for (const { tab } of [one, two]) {
      leave(tab);
      leaveTab(kept, tab, time);
    }
    whenSlept = () => void held.add(`interject.tab.${two.tab}`);
    const again = await open(one.session);

    expect(again.read('words/q')).toBeNull();
    expect(two.read('words/q')).toBe('of two');
    expect(time).toBeLessThan(1200);
  });

  it('of a tab that was closed just now is waited for, but not for long', async () => {
    const gone = await open();
    gone.write('words/q', 'left behind');
    leave(gone.tab);
    leaveTab(kept, gone.tab, time);
    const next = await open();

    expect(next.read('words/q')).toBe('left behind');
    expect(time).toBeLessThanOrEqual(3000);
  });

  it('goes to the next tab when this one is gone, and to no second one', async () => {
    const gone = await open();
    gone.write('words/q', 'left behind');
    gone.write('basis/q', 'draft-1');
    leave(gone.tab);
    const [next, later] = [await open(), await open()];

    expect([next.read('words/q'), next.read('basis/q')]).toEqual(['left behind', 'draft-1']);
    expect(later.read('words/q')).toBeNull();
    expect(gone.read('words/q')).toBeNull();
  });

  it('is never mixed: words on one question come with their own basis, or not at all', async () => {
    const here = await open();
    here.write('words/q', 'written alone');
    const gone = await open();
    gone.write('words/q', 'from a draft');
    gone.write('basis/q', 'draft-1');
    gone.write('words/other', 'about another');
    leave(gone.tab);
    leave(here.tab);
    const again = await open(here.session);

    expect(again.read('words/q')).toBe('written alone');
    expect(again.read('basis/q')).toBeNull();
    expect(again.read('words/other')).toBe('about another');
    expect(gone.read('words/q')).toBe('from a draft');
  });

  it('stays with the first when a tab is duplicated with all it knows', async () => {
    const one = await open();
    one.write('words/q', 'mine');
    const copy = createMemoryStorage();
    copy.setItem('interject.tab', one.tab);
    const two = await open(copy);

    expect(two.tab).not.toBe(one.tab);
    expect(two.read('words/q')).toBeNull();
    expect(one.read('words/q')).toBe('mine');
  });

  it('is copied, and left where it is, where nobody can tell which tabs are gone', async () => {
    const one = await open(createMemoryStorage(), null);
    one.write('words/q', 'mine');
    const two = await open(createMemoryStorage(), null);

    expect([one.read('words/q'), two.read('words/q')]).toEqual(['mine', 'mine']);
  });
});
