// Owns: what the frame can do from anywhere: the palette's commands and the keys that do the same.
import { nextAfter, waitingOf } from '../../parts/desk/waiting.ts';
import { setSelected, setTheme } from '../../state/choices.ts';
import type { Bindings } from '../../state/keyboard.ts';
import { keyRows, type KeyId } from '../../state/keys.ts';
import type { Role } from '../../../shared/contract/seat.ts';
import { hasReviews, isViewOf } from '../../state/role.ts';
import { annotateRoute, navigate, type View } from '../../state/route.ts';
import { changeUi, type Overlay, type Store } from '../../state/store.ts';
import { THEMES } from './theme.ts';

export type Command = { label: string; key: KeyId | null; run: () => void };

/** What leads out of an expert's views, or starts what is the owner's to start. */
const OWNERS: Partial<Record<KeyId, View>> = {
  'episode.start': 'library',
  'go.wall': 'wall',
  'go.library': 'library',
  'go.groups': 'groups',
  'go.data': 'data',
  'go.lab': 'lab',
  'go.connect': 'connect',
  'go.settings': 'settings',
};
const isOffered = (store: Store, key: KeyId, role: Role | null): boolean =>
  isViewOf(OWNERS[key] ?? 'desk', role) && (key !== 'go.annotate' || hasReviews(store, role));

const show = (store: Store, overlay: Overlay) => (): void => changeUi(store, () => ({ overlay }));

/** Goes to the desk and the card after the selected one; after the last comes the first again. */
export function goToNextWaiting(store: Store): void {
  const { record, ui } = store.getState();
  const seat = record.app?.seat ?? '';
  const now = Date.now();
  const gone = new Set(ui.sending.flatMap(({ keys }) => keys));
  const list = waitingOf(record.desk, { seat, order: ui.prefs.order, now }, gone);
  const next = nextAfter(list, ui.selected['desk'] ?? '', seat, now);
  if (next !== null) setSelected(store, 'desk', next);
  navigate({ view: 'desk' });
}

/** Every command of the palette that is not an episode. */
export const paletteCommands = (store: Store, role: Role | null = null): Command[] =>
  allCommands(store).filter(({ key }) => key === null || isOffered(store, key, role));

function allCommands(store: Store): Command[] {
  return [
    { label: 'Start an episode', key: 'episode.start', run: show(store, 'start') },
    { label: 'Next waiting question', key: 'desk.next', run: () => goToNextWaiting(store) },
    { label: 'Go to the desk', key: 'go.desk', run: () => navigate({ view: 'desk' }) },
    {
      label: 'Go to the live episodes',
      key: 'go.live',
      run: () => navigate({ view: 'live', episode: null }),
    },
    { label: 'Go to the wall', key: 'go.wall', run: () => navigate({ view: 'wall' }) },
    { label: 'Go to my answers', key: 'go.answers', run: () => navigate({ view: 'answers' }) },
    { label: 'Go to the library', key: 'go.library', run: () => navigate({ view: 'library' }) },
    {
      label: 'Go to the groups',
      key: 'go.groups',
      run: () => navigate({ view: 'groups', group: null }),
    },
    { label: 'Go to annotation', key: 'go.annotate', run: () => navigate(annotateRoute()) },
    { label: 'Go to the data', key: 'go.data', run: () => navigate({ view: 'data' }) },
    { label: 'Go to the rewards', key: 'go.lab', run: () => navigate({ view: 'lab' }) },
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

/** What else can be done on the screen as it is: every key that is bound and is no command of the palette already. */
export function screenActs(bound: ReadonlySet<KeyId>, commands: readonly Command[]): KeyId[] {
  const known = new Set(commands.map(({ key }) => key));
  return keyRows()
    .map(({ id }) => id)
    .filter((id) => bound.has(id) && !known.has(id) && id !== 'palette.open');
}

/** The keys that work everywhere for that role. */
export function frameBindings(store: Store, role: Role | null = null): Bindings {
  const all = Object.entries(allBindings(store)) as [KeyId, () => void][];
  return Object.fromEntries(all.filter(([key]) => isOffered(store, key, role)));
}

const allBindings = (store: Store): Bindings => ({
  'palette.open': show(store, 'palette'),
  'keys.show': show(store, 'keys'),
  'episode.start': show(store, 'start'),
  'desk.next': () => goToNextWaiting(store),
  'go.desk': () => navigate({ view: 'desk' }),
  'go.live': () => navigate({ view: 'live', episode: null }),
  'go.wall': () => navigate({ view: 'wall' }),
  'go.answers': () => navigate({ view: 'answers' }),
  'go.library': () => navigate({ view: 'library' }),
  'go.groups': () => navigate({ view: 'groups', group: null }),
  'go.annotate': () => navigate(annotateRoute()),
  'go.data': () => navigate({ view: 'data' }),
  'go.lab': () => navigate({ view: 'lab' }),
  'go.connect': () => navigate({ view: 'connect' }),
  'go.settings': () => navigate({ view: 'settings' }),
});
