// Which tab this is, and what it keeps for itself: two tabs of one browser never write over each other's words, and a
// tab that is gone leaves its words to the next one.
import { z } from 'zod';
import type { TabStorage, Storage } from './kept.ts';

/** Locks that end with the page that holds them: how a tab knows which others are there. */
export type TabLocks = {
  /** Holds a name as long as the page lives; false when another page still holds it after a moment. */
  hold: (name: string) => Promise<boolean>;
  /** The names that any page holds. */
  held: () => Promise<ReadonlySet<string>>;
};

type TabEdges = {
  kept: TabStorage;
  /** Survives a reload of this tab, and is copied when the tab is duplicated. */
  session: Pick<Storage, 'getItem' | 'setItem'>;
  /** Null where the browser has none: then nobody knows which tabs are gone. */
  locks: TabLocks | null;
  newId: () => string;
  now: () => number;
  sleep: (ms: number) => Promise<void>;
};

const ID = 'interject.tab';
const lockOf = (tab: string): string => `interject.tab.${tab}`;
const TAB_PREFIX = 'tab/';

/** This tab's id, the same after a reload. Words that gone tabs left are this tab's from now on. */
export async function openTab({ kept, session, locks, newId, now, sleep }: TabEdges): Promise<string> {
  const known = session.getItem(ID);
  const tab = known !== null && (locks === null || (await locks.hold(lockOf(known)))) ? known : newId();
  if (tab !== known) {
    session.setItem(ID, tab);
    await locks?.hold(lockOf(tab));
  }
  kept.remove(GONE + tab);
  let held = await heldBy(locks);
  // A tab that went a moment ago may be loading again: its words are not taken from under it.
  while (held !== null && mayComeBack(kept, held, now())) {
    await sleep(POLL_MS);
    held = await heldBy(locks);
  }
  adopt(kept, tab, held);
  for (const name of kept.names(GONE)) kept.remove(name);
  return tab;
}

/** For a page that is about to go. */
export const leaveTab = (kept: TabStorage, tab: string, now: number): boolean => kept.write(GONE + tab, now);

const GONE = 'gone/';
/** How long a tab that loads again is waited for. */
const RELOAD_MS = 2000;
const POLL_MS = 50;

const heldBy = async (locks: TabLocks | null): Promise<ReadonlySet<string> | null> =>
  (await locks?.held().catch(() => null)) ?? null;

const mayComeBack = (kept: TabStorage, held: ReadonlySet<string>, now: number): boolean =>
  kept.names(GONE).some((name) => {
    const age = now - kept.read(name, z.number(), 0);
    return age >= 0 && age < RELOAD_MS && !held.has(lockOf(name.slice(GONE.length)));
  });

/** What one tab keeps, under names of its own. */
export function tabKept(kept: TabStorage, tab: string): TabStorage {
  const own = (name: string): string => `${TAB_PREFIX}${tab}/${name}`;
  return {
    read: (name, schema, fallback) => kept.read(own(name), schema, fallback),
    write: (name, value) => kept.write(own(name), value),
    remove: (name) => kept.remove(own(name)),
    names: (prefix) => kept.names(own(prefix)).map((name) => name.slice(own('').length)),
  };
}

/**
 * Takes over what gone tabs kept, but nothing about a question this tab has words for. Where `held` is null a tab may
 * be gone or not, so its words are copied and left where they are.
 */
function adopt(kept: TabStorage, tab: string, held: ReadonlySet<string> | null): void {
  const own = tabKept(kept, tab);
  for (const other of tabsOf(kept)) {
    if (other === tab || held?.has(lockOf(other)) === true) continue;
    const left = tabKept(kept, other);
    const known = new Set(own.names('').map(subjectOf));
    for (const name of left.names('')) {
      if (known.has(subjectOf(name))) continue;
      const isKept = own.write(name, left.read(name, z.unknown(), null));
      if (held !== null && isKept) left.remove(name);
    }
  }
}

const tabsOf = (kept: TabStorage): Set<string> =>
  new Set(kept.names(TAB_PREFIX).map((name) => name.slice(TAB_PREFIX.length).split('/')[0] ?? ''));

/** What a kept name is about: words, the draft they began from and what they reused belong together. */
const subjectOf = (name: string): string =>
  name.replace(/^(words|basis|reused)\//, '').replace(/:reason$/, '');
