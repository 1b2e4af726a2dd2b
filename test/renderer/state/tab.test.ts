import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  createKept,
  createMemoryStorage,
  type TabStorage,
  type Storage,
} from '../../../src/renderer/state/kept.ts';
import { openTab, tabKept } from '../../../src/renderer/state/tab.ts';

let kept: TabStorage;
let lastId: number;
beforeEach(() => {
  kept = createKept(createMemoryStorage());
  held.clear();
  lastId = 0;
});

type Locks = Pick<LockManager, 'request'>;
type OnLock = (lock: Lock | null) => unknown;
const held = new Set<string>();
/** As a browser's locks, but a page that would wait is refused at once. */
const locks: Locks = {
  request: (async (name: string, { ifAvailable = false }: LockOptions, onLock: OnLock) => {
    if (held.has(name) && !ifAvailable) throw new DOMException('it waited too long', 'TimeoutError');
    if (held.has(name)) return onLock(null);
    held.add(name);
    await onLock({ name, mode: 'exclusive' });
    held.delete(name);
  }) as Locks['request'],
};
const leave = (tab: string): boolean => held.delete(`interject.tab.${tab}`);

/** Opens a page in a tab; `session` is the tab's own storage, the same after a reload. */
async function open(session: Storage = createMemoryStorage(), by: Locks | null = locks) {
  const newId = (): string => `tab${String((lastId += 1))}`;
  const tab = await openTab({ kept, session, locks: by, newId });
  const own = tabKept(kept, tab);
  return {
    tab,
    session,
    write: (name: string, text: string) => own.write(name, text),
    read: (name: string) => own.read(name, z.string().nullable(), null),
  };
}

describe('what a tab keeps', () => {
  it('is not taken from a tab that loads again at the same moment', async () => {
    const [one, two] = [await open(), await open()];
    two.write('words/q', 'of two');
    for (const { tab } of [one, two]) leave(tab);
    const again = await open(one.session);

    expect(again.read('words/q')).toBeNull();
    expect((await open(two.session)).read('words/q')).toBe('of two');
  });

  it('is never mixed: words on one question come with their own basis, or wait for another new tab', async () => {
    const [first, second] = [await open(), await open()];
    first.write('words/q', 'written alone');
    second.write('words/q', 'from a draft');
    second.write('basis/q', 'draft-1');
    second.write('words/other', 'about another');
    leave(first.tab);
    leave(second.tab);
    const [next, later] = [await open(), await open()];

    expect([next.read('words/q'), next.read('basis/q')]).toEqual(['written alone', null]);
    expect(next.read('words/other')).toBe('about another');
    expect([later.read('words/q'), later.read('basis/q')]).toEqual(['from a draft', 'draft-1']);
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
