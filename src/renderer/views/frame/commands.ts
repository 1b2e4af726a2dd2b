// Owns: what the frame can do from anywhere: the palette's commands and the keys that do the same.
import { setSelected, setTheme } from '../../state/choices.ts';
import type { Bindings } from '../../state/keyboard.ts';
import type { KeyId } from '../../state/keys.ts';
import { navigate } from '../../state/route.ts';
import { changeUi, type Overlay, type Store } from '../../state/store.ts';
import { THEMES } from './theme.ts';

export type Command = { label: string; key: KeyId | null; run: () => void };

const show = (store: Store, overlay: Overlay) => (): void => changeUi(store, () => ({ overlay }));

/** Goes to the desk and the question after the selected one; after the last comes the oldest again. */
export function goToNextWaiting(store: Store): void {
  const { record, ui } = store.getState();
  const ids = record.desk.items.map((item) => item.consultation);
  const next = ids[(ids.indexOf(ui.selected['desk'] ?? '') + 1) % Math.max(1, ids.length)];
  if (next !== undefined) setSelected(store, 'desk', next);
  navigate({ view: 'desk' });
}

/** Every command of the palette that is not an episode. */
export function paletteCommands(store: Store): Command[] {
  return [
    { label: 'Start an episode', key: 'episode.start', run: show(store, 'start') },
    { label: 'Next waiting question', key: 'desk.next', run: () => goToNextWaiting(store) },
    { label: 'Go to the desk', key: 'go.desk', run: () => navigate({ view: 'desk' }) },
    {
      label: 'Go to the live episodes',
      key: 'go.live',
      run: () => navigate({ view: 'live', episode: null }),
    },
    { label: 'Go to the library', key: 'go.library', run: () => navigate({ view: 'library' }) },
    { label: 'Go to the data', key: 'go.data', run: () => navigate({ view: 'data' }) },
    { label: 'Go to connect', key: 'go.connect', run: () => navigate({ view: 'connect' }) },
    { label: 'Go to the settings', key: 'go.settings', run: () => navigate({ view: 'settings' }) },
    { label: 'Show the keys', key: 'keys.show', run: show(store, 'keys') },
    ...THEMES.map(({ value, label }) => ({
      label: `Theme: ${label.toLowerCase()}`,
      key: null,
      run: () => setTheme(store, value),
    })),
  ];
}

/** The keys that work everywhere. */
export const frameBindings = (store: Store): Bindings => ({
  'palette.open': show(store, 'palette'),
  'keys.show': show(store, 'keys'),
  'episode.start': show(store, 'start'),
  'desk.next': () => goToNextWaiting(store),
  'go.desk': () => navigate({ view: 'desk' }),
  'go.live': () => navigate({ view: 'live', episode: null }),
  'go.library': () => navigate({ view: 'library' }),
  'go.data': () => navigate({ view: 'data' }),
  'go.connect': () => navigate({ view: 'connect' }),
  'go.settings': () => navigate({ view: 'settings' }),
});
