// Owns: words written but not sent: they survive a reload, a crash of the page and a lost line, until they are sent.
import { z } from 'zod';
import type { Kept } from './kept.ts';
import { changeUi, type Store } from './store.ts';

const WORDS = 'words/';
const WRITE_AFTER_MS = 200;
/** Words nobody came back to for this long belong to a question that is gone. */
const KEEP_MS = 30 * 24 * 3600 * 1000;

const KeptWords = z.strictObject({ text: z.string(), at: z.number() });

/** The unsent words of every consultation; those nobody came back to are dropped. */
export function readWords(kept: Kept, now: number): Record<string, string> {
  const words: Record<string, string> = {};
  for (const name of kept.names(WORDS)) {
    const entry = kept.read(name, KeptWords.nullable(), null);
    if (entry === null || now - entry.at > KEEP_MS) kept.remove(name);
    else words[name.slice(WORDS.length)] = entry.text;
  }
  return words;
}

/** Sets or clears the unsent words of a consultation. */
export const setWords = (store: Store, consultation: string, text: string | null): void =>
  changeUi(store, ({ words }) => {
    const { [consultation]: _old, ...rest } = words;
    return { words: text === null ? rest : { ...rest, [consultation]: text } };
  });

/** Keeps words as they change, a moment later; `flush` writes at once, for a page that is about to go. */
export function keepWords(
  store: Store,
  kept: Kept,
  now: () => number,
): { flush: () => void; end: () => void } {
  let written = store.getState().ui.words;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const { words } = store.getState().ui;
    for (const [id, text] of Object.entries(words))
      if (written[id] !== text) kept.write(WORDS + id, { text, at: now() });
    for (const id of Object.keys(written)) if (!Object.hasOwn(words, id)) kept.remove(WORDS + id);
    written = words;
  };
  const unsubscribe = store.subscribe((state) => {
    if (state.ui.words !== written) timer ??= setTimeout(flush, WRITE_AFTER_MS);
  });
  return {
    flush,
    end() {
      unsubscribe();
      flush();
    },
  };
}
