// Drafts of answers: written but not sent. They survive a reload, a crash of the page and a lost line.
import * as z from 'zod/mini';
import type { TabStorage } from './kept.ts';
import { changeUi, type ConsoleStore } from './store.ts';

const ANSWER_PREFIX = 'words/';
/** Prefix of what a person has not sent, but for answers; see keptValue.ts. */
export const UNSENT_PREFIX = 'unsent/';
/** A draft left for this long belongs to a question that is gone. */
const UNSENT_KEEP_MS = 30 * 24 * 3600 * 1000;

const KeptDraft = z.strictObject({ text: z.string(), at: z.number() });

/** The draft of every consultation. */
export const readDrafts = (kept: TabStorage): Record<string, string> =>
  Object.fromEntries(
    kept.names(ANSWER_PREFIX).flatMap((name) => {
      const entry = kept.read(name, z.nullable(KeptDraft), null);
      return entry === null ? [] : [[name.slice(ANSWER_PREFIX.length), entry.text]];
    }),
  );

/** Drops what nobody came back to. */
export function forgetOldDrafts(kept: TabStorage, now: number): void {
  for (const name of [...kept.names(ANSWER_PREFIX), ...kept.names(UNSENT_PREFIX)]) {
    const { at } = kept.read(name, z.looseObject({ at: z.number() }), { at: 0 });
    if (now - at > UNSENT_KEEP_MS) kept.remove(name);
  }
}

/** Sets or clears the draft of a consultation. */
export const setUnsentText = (store: ConsoleStore, consultation: string, text: string | null): void =>
  changeUi(store, ({ unsentTexts }) => {
    const { [consultation]: _old, ...rest } = unsentTexts;
    return { unsentTexts: text === null ? rest : { ...rest, [consultation]: text } };
  });

/** Keeps drafts as they are typed; returns its undo. */
export const keepDrafts = (store: ConsoleStore, kept: TabStorage, now: () => number): (() => void) =>
  store.subscribe(({ ui: { unsentTexts } }, { ui: { unsentTexts: before } }) => {
    if (unsentTexts === before) return;
    for (const [id, text] of Object.entries(unsentTexts))
      if (before[id] !== text) kept.write(ANSWER_PREFIX + id, { text, at: now() });
    for (const id of Object.keys(before))
      if (!Object.hasOwn(unsentTexts, id)) kept.remove(ANSWER_PREFIX + id);
  });
