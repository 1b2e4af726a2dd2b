// Words written but not sent: they survive a reload, a crash of the page and a lost line, until they are sent.
import { z } from 'zod';
import type { TabStorage } from './kept.ts';
import { changeUi, type ConsoleStore } from './store.ts';

const WORDS_PREFIX = 'words/';
const DRAFT_WRITE_DELAY_MS = 200;
/** Words nobody came back to for this long belong to a question that is gone. */
const DRAFT_KEEP_MS = 30 * 24 * 3600 * 1000;

const KeptWords = z.strictObject({ text: z.string(), at: z.number() });

/** The unsent words of every consultation; those nobody came back to are dropped. */
export function readDrafts(kept: TabStorage, now: number): Record<string, string> {
  const words: Record<string, string> = {};
  for (const name of kept.names(WORDS_PREFIX)) {
    const entry = kept.read(name, KeptWords.nullable(), null);
    if (entry === null || now - entry.at > DRAFT_KEEP_MS) kept.remove(name);
    else words[name.slice(WORDS_PREFIX.length)] = entry.text;
  }
  return words;
}

/** Sets or clears the unsent words of a consultation. */
export const setWords = (store: ConsoleStore, consultation: string, text: string | null): void =>
  changeUi(store, ({ words }) => {
    const { [consultation]: _old, ...rest } = words;
    return { words: text === null ? rest : { ...rest, [consultation]: text } };
  });

/** Keeps words as they change, a moment later; `flush` writes at once, for a page that is about to go. */
export function keepWords(
  store: ConsoleStore,
  kept: TabStorage,
  now: () => number,
): { flush: () => void; end: () => void } {
  let written = store.getState().ui.words;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const { words } = store.getState().ui;
    for (const [id, text] of Object.entries(words))
      if (written[id] !== text) kept.write(WORDS_PREFIX + id, { text, at: now() });
    for (const id of Object.keys(written)) if (!Object.hasOwn(words, id)) kept.remove(WORDS_PREFIX + id);
    written = words;
  };
  const unsubscribe = store.subscribe((state) => {
    if (state.ui.words !== written) timer ??= setTimeout(flush, DRAFT_WRITE_DELAY_MS);
  });
  return {
    flush,
    end() {
      unsubscribe();
      flush();
    },
  };
}
