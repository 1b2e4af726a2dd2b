// Keeping what the person chose about the screen: theme, panes, selections.
import type { TabStorage } from './kept.ts';
import { changeUi, type Pane, type ConsoleStore, type Theme } from './store.ts';

/** Keeps every later choice; returns its undo. */
export function keepChoices(store: ConsoleStore, kept: TabStorage): () => void {
  return store.subscribe(({ ui }, { ui: before }) => {
    if (ui.theme !== before.theme) kept.write('theme', ui.theme);
    if (ui.panes !== before.panes) kept.write('panes', ui.panes);
    if (ui.selected !== before.selected) kept.write('selected', ui.selected);
    if (ui.prefs !== before.prefs) kept.write('prefs', ui.prefs);
    if (ui.lostSeenAt !== before.lostSeenAt) kept.write('lost-seen', ui.lostSeenAt);
    if (ui.snippets !== before.snippets) kept.write('snippets', ui.snippets);
  });
}

export const setTheme = (store: ConsoleStore, theme: Theme): void => changeUi(store, () => ({ theme }));

export const setPane = (store: ConsoleStore, name: string, pane: Pane): void =>
  changeUi(store, ({ panes }) => ({ panes: { ...panes, [name]: pane } }));

export const setSelected = (store: ConsoleStore, list: string, id: string | null): void =>
  changeUi(store, ({ selected }) => {
    const { [list]: _old, ...rest } = selected;
    return { selected: id === null ? rest : { ...rest, [list]: id } };
  });
