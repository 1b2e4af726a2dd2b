// Commands of the frame from anywhere: the palette's, and the keys that do the same.
import { nextAfter, waitingOf } from '../../parts/desk/deskQueue.ts';
import { setSelected, setTheme } from '../../state/choices.ts';
import type { Bindings } from '../../state/keyboard.ts';
import { keyRow, keyRows, type KeyId } from '../../state/keys.ts';
import type { Role } from '../../../shared/contract/seat.ts';
import { hasReviews, isViewOf } from '../../state/role.ts';
import { navigate, routeTo } from '../../state/route.ts';
import { changeUi, type Overlay, type ConsoleStore } from '../../state/store.ts';
import { goKey, PLACE_VIEWS, VIEWS } from '../../state/views.ts';
import { THEMES } from './theme.ts';

type Command = { label: string; key: KeyId | null; run: () => void };

const show = (store: ConsoleStore, overlay: Overlay) => (): void => changeUi(store, () => ({ overlay }));

/** Goes to the desk and the card after the selected one; after the last comes the first again. */
function goToNextWaiting(store: ConsoleStore): void {
  const { record, ui } = store.getState();
  const seat = record.app?.seat ?? '';
  const now = Date.now();
  const gone = new Set(ui.sending.flatMap(({ keys }) => keys));
  const list = waitingOf(record.desk, { seat, order: ui.prefs.order, now }, gone);
  const next = nextAfter(list, ui.selected['desk'] ?? '', seat, now);
  if (next !== null) setSelected(store, 'desk', next);
  navigate({ view: 'desk' });
}

/** The acts that have a command in the palette and a key everywhere, for that role. */
function frameActs(store: ConsoleStore, role: Role | null): { key: KeyId; run: () => void }[] {
  const start = { key: 'episode.start', run: show(store, 'start') } as const;
  const places = PLACE_VIEWS.filter(
    (view) => isViewOf(view, role) && (VIEWS[view].audience !== 'reviewer' || hasReviews(store, role)),
  );
  return [
    ...(role === 'expert' ? [] : [start]),
    { key: 'desk.next', run: () => goToNextWaiting(store) },
    ...places.map((view) => ({ key: goKey(view), run: () => navigate(routeTo(view)) })),
    { key: 'keys.show', run: show(store, 'keys') },
  ];
}

const introduction = (store: ConsoleStore): Command => ({
  label: 'Help: repeat the introduction',
  key: null,
  run: () => changeUi(store, () => ({ isGuideRepeated: true })),
});

/** Every command of the palette that is not an episode. */
export const paletteCommands = (store: ConsoleStore, role: Role | null = null): Command[] => [
  ...frameActs(store, role).map(({ key, run }) => ({ label: keyRow(key).label, key, run })),
  ...(role === 'expert' ? [introduction(store)] : []),
  ...THEMES.map(({ value, label }) => ({
    label: `Theme: ${label.toLowerCase()}`,
    key: null,
    run: () => setTheme(store, value),
  })),
];

/** Other acts on the screen as it is: every key that is bound and is no command of the palette already. */
export function screenActs(bound: ReadonlySet<KeyId>, commands: readonly Command[]): KeyId[] {
  const known = new Set(commands.map(({ key }) => key));
  return keyRows()
    .map(({ id }) => id)
    .filter((id) => bound.has(id) && !known.has(id) && id !== 'palette.open');
}

/** The keys that work everywhere for that role. */
export const frameBindings = (store: ConsoleStore, role: Role | null = null): Bindings =>
  Object.fromEntries([
    ['palette.open', show(store, 'palette')],
    ...frameActs(store, role).map(({ key, run }) => [key, run]),
  ]);
