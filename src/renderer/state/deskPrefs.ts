// A person's preferences for the desk: order, time to take back, notifications, snippets.
import { changeUi, type DeskPrefs, type ConsoleStore } from './store.ts';

export const setPrefs = (store: ConsoleStore, change: Partial<DeskPrefs>): void =>
  changeUi(store, ({ prefs }) => ({ prefs: { ...prefs, ...change } }));

/** Names a text, or with null forgets it. */
export const setSnippet = (store: ConsoleStore, name: string, text: string | null): void =>
  changeUi(store, ({ snippets }) => {
    const { [name]: _old, ...rest } = snippets;
    return { snippets: text === null ? rest : { ...rest, [name]: text } };
  });

/** A name as it is typed after `;`. */
export const isSnippetName = (name: string): boolean => /^[A-Za-z0-9_-]{1,40}$/.test(name);
