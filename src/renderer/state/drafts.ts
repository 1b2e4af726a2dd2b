// Drafts of answers: written but not sent. They survive a reload, a crash of the page and a lost line.
import { z } from 'zod';
import type { TabStorage } from './kept.ts';
import { changeUi, type ConsoleStore } from './store.ts';

const WORDS_PREFIX = 'words/';
/** What a person has not sent of anything but an answer; see keptValue.ts. */
export const UNSENT_PREFIX = 'unsent/';
/** What nobody came back to for this long belongs to a question that is gone. */
const UNSENT_KEEP_MS = 30 * 24 * 3600 * 1000;

const KeptDraft = z.strictObject({ text: z.string(), at: z.number() });

/** The draft of every consultation. */
export const readDrafts = (kept: TabStorage): Record<string, string> =>
  Object.fromEntries(
    kept.names(WORDS_PREFIX).flatMap((name) => {
      const entry = kept.read(name, KeptDraft.nullable(), null);
      return entry === null ? [] : [[name.slice(WORDS_PREFIX.length), entry.text]];
    }),
  );

/** Drops what nobody came back to. */
export function forgetOldDrafts(kept: TabStorage, now: number): void {
  for (const name of [...kept.names(WORDS_PREFIX), ...kept.names(UNSENT_PREFIX)]) {
    const { at } = kept.read(name, z.looseObject({ at: z.number() }), { at: 0 });
    if (now - at > UNSENT_KEEP_MS) kept.remove(name);
  }
}

/** Sets or clears the draft of a consultation. */
export const setWords = (store: ConsoleStore, consultation: string, text: string | null): void =>
  changeUi(store, ({ words }) => {
    const { [consultation]: _old, ...rest } = words;
    return { words: text === null ? rest : { ...rest, [consultation]: text } };
  });

/** Keeps drafts as they are typed; returns its undo. */
export const keepDrafts = (store: ConsoleStore, kept: TabStorage, now: () => number): (() => void) =>
  store.subscribe(({ ui: { words } }, { ui: { words: before } }) => {
    if (words === before) return;
    for (const [id, text] of Object.entries(words))
      if (before[id] !== text) kept.write(WORDS_PREFIX + id, { text, at: now() });
    for (const id of Object.keys(before)) if (!Object.hasOwn(words, id)) kept.remove(WORDS_PREFIX + id);
  });
