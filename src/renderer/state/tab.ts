// The identity of this tab, and what it keeps for itself: two tabs of one browser never write over each other's drafts,
// and a tab that is gone leaves its drafts to the next one that opens.
import * as z from 'zod/mini';
import type { TabStorage, Storage } from './kept.ts';

type TabEdges = {
  kept: TabStorage;
  /** Survives a reload of this tab, and is copied when the tab is duplicated. */
  session: Pick<Storage, 'getItem' | 'setItem'>;
  /** Held as long as a page lives. Null where the browser has none: then nobody knows which tabs are gone. */
  locks: Pick<LockManager, 'request'> | null;
  newId: () => string;
};

const ID = 'interject.tab';
const lockOf = (tab: string): string => `interject.tab.${tab}`;
const TAB_PREFIX = 'tab/';
/** A page that reloads lets its lock go a moment after the next one has begun. */
const RELOAD_MS = 1000;

/** This tab's id, the same after a reload. A new tab takes over the drafts of tabs that are gone. */
export async function openTab({ kept, session, locks, newId }: TabEdges): Promise<string> {
  const known = session.getItem(ID);
  if (known !== null && (await holdTab(locks, known))) return known;
  const tab = newId();
  session.setItem(ID, tab);
  await holdTab(locks, tab);
  const own = tabKept(kept, tab);
  for (const other of tabsOf(kept)) {
    if (other === tab) continue;
    const left = tabKept(kept, other);
    // A tab that may still be there keeps what is copied.
    if (locks === null) takeDrafts(own, left, false);
    else
      await locks.request(lockOf(other), { ifAvailable: true }, (lock) => {
        if (lock !== null) takeDrafts(own, left, true);
      });
  }
  return tab;
}

/** False when another page still has this id. */
const holdTab = (locks: TabEdges['locks'], tab: string): Promise<boolean> =>
  new Promise((tell) => {
    if (locks === null) return tell(true);
    const holdWhileOpen = (): Promise<never> => {
      tell(true);
      return new Promise(() => undefined);
    };
    locks
      .request(lockOf(tab), { signal: AbortSignal.timeout(RELOAD_MS) }, holdWhileOpen)
      .catch(() => tell(false));
  });

/** The storage of one tab, under names of its own. */
export function tabKept(kept: TabStorage, tab: string): TabStorage {
  const own = (name: string): string => `${TAB_PREFIX}${tab}/${name}`;
  return {
    read: (name, schema, fallback) => kept.read(own(name), schema, fallback),
    write: (name, value) => kept.write(own(name), value),
    remove: (name) => kept.remove(own(name)),
    names: (prefix) => kept.names(own(prefix)).map((name) => name.slice(own('').length)),
  };
}

/** Takes what a tab left, but nothing about a question that another tab had left something about already. */
function takeDrafts(own: TabStorage, left: TabStorage, isGone: boolean): void {
  const known = new Set(own.names('').map(subjectOf));
  for (const name of left.names('')) {
    if (known.has(subjectOf(name))) continue;
    const isKept = own.write(name, left.read(name, z.unknown(), null));
    if (isGone && isKept) left.remove(name);
  }
}

const tabsOf = (kept: TabStorage): Set<string> =>
  new Set(kept.names(TAB_PREFIX).map((name) => name.slice(TAB_PREFIX.length).split('/')[0] ?? ''));

/** The subject of a kept name: a draft, what it began from and what it reused belong together. */
const subjectOf = (name: string): string =>
  name.replace(/^(words|basis|reused)\//, '').replace(/:reason$/, '');
