// The table of views. A new view is its folder, one entry here, and its component in screens.tsx, which does not
// compile without it.
import type { ComponentType } from 'react';
import ChartLine from 'lucide-react/icons/chart-line';
import Database from 'lucide-react/icons/database';
import Highlighter from 'lucide-react/icons/highlighter';
import Inbox from 'lucide-react/icons/inbox';
import Layers from 'lucide-react/icons/layers';
import ListChecks from 'lucide-react/icons/list-checks';
import Settings from 'lucide-react/icons/settings';

/** Reads and writes a view's address. */
type ViewAddress<Params> = {
  /** Takes the decoded path after the view's name; null where it lacks what the view needs. */
  read: (path: readonly string[], query: URLSearchParams) => Params | null;
  write: (params: Params) => { path?: readonly (string | null)[]; query?: string };
};

/** The view on the rail, the key that opens it, and the label of the command in the palette. */
type ViewPlace = { Icon: ComponentType; chord: string; label: string };

type ViewEntry<Params, P extends ViewPlace | null = ViewPlace | null> = {
  /** On the rail, in the window's title, and as the name of the main landmark. */
  title: string;
  address: ViewAddress<Params>;
  /** Null for a view that is only opened from another one. */
  place: P;
  /**
   * Who sees it on the rail. Everybody may open what is not the owner's alone: `expert` is an expert's own view,
   * `reviewer` is for the owner and for an expert with reviews to do.
   */
  audience: 'everyone' | 'owner' | 'expert' | 'reviewer';
  /** The view it belongs to: marked on the rail, and shown when the address is incomplete. */
  parent?: 'episodes' | 'runs';
};

type NoParams = Readonly<Record<never, never>>;
const plainAddress: ViewAddress<NoParams> = { read: () => ({}), write: () => ({}) };

const joinId = (path: readonly string[]): string | null => path.join('/') || null;

/** `isDeciding` is of an item on which reviewers disagree: whoever has the last word looks at what each said. */
const reviewAddress: ViewAddress<{
  project: string | null;
  queue: string | null;
  item: string | null;
  isDeciding: boolean;
}> = {
  read: (path, query) => {
    const [project = null, queue = null, item = null] = path.filter(Boolean);
    return { project, queue, item, isDeciding: query.has('decide') };
  },
  write: ({ project, queue, item, isDeciding }) => ({
    path: [project, queue, item],
    query: isDeciding ? 'decide' : '',
  }),
};

/** `format` as the address has it; the view decides whether there is such a format. */
const dataAddress: ViewAddress<{ format?: string }> = {
  read: (_, query) => {
    const format = query.get('format');
    return format === null ? {} : { format };
  },
  write: ({ format }) => (format === undefined ? {} : { query: `format=${encodeURIComponent(format)}` }),
};

/** `question` is what the desk opens with: a question's id, or the key of another card. */
const deskAddress: ViewAddress<{ question?: string }> = {
  read: (_, query) => {
    const question = query.get('question') ?? '';
    return question === '' ? {} : { question };
  },
  write: ({ question }) =>
    question === undefined ? {} : { query: `question=${encodeURIComponent(question)}` },
};

/** `import` is the list with the menu that opens logs, `group` the list narrowed to rollouts of one prompt. */
const episodesAddress: ViewAddress<{ isImporting?: boolean; group?: string }> = {
  read: (_, query) => {
    const group = query.get('group') ?? '';
    return { ...(query.has('import') ? { isImporting: true } : {}), ...(group === '' ? {} : { group }) };
  },
  write: ({ isImporting, group }) => ({
    query:
      group === undefined ? (isImporting === true ? 'import' : '') : `group=${encodeURIComponent(group)}`,
  }),
};

const SETUP_PARTS = ['models', 'people', 'connect', 'advanced'] as const;
export type SetupPart = (typeof SETUP_PARTS)[number];

/** `section` is one of the part's headings, by the beginning of its id. */
const setupAddress: ViewAddress<{ part: SetupPart; section?: string }> = {
  read: ([name, section = '']) => {
    const part = SETUP_PARTS.find((one) => one === name) ?? 'models';
    return section === '' ? { part } : { part, section };
  },
  write: ({ part, section = null }) => ({ path: [part, section] }),
};

const view = <Params, P extends ViewPlace | null>(entry: ViewEntry<Params, P>): ViewEntry<Params, P> => entry;

/** The view shown for an address that means nothing. */
export const HOME = 'desk';

/** Every view, in the order of the rail and of the palette. */
export const VIEWS = {
  desk: view({
    title: 'Desk',
    address: deskAddress,
    place: { Icon: Inbox, chord: 'g d', label: 'Go to the desk' },
    audience: 'everyone',
  }),
  answers: view({
    title: 'My answers',
    address: plainAddress,
    place: { Icon: ListChecks, chord: 'g a', label: 'Go to my answers' },
    audience: 'expert',
  }),
  episodes: view({
    title: 'Episodes',
    address: episodesAddress,
    place: { Icon: Layers, chord: 'g e', label: 'Go to the episodes' },
    audience: 'owner',
  }),
  review: view({
    title: 'Review',
    address: reviewAddress,
    place: { Icon: Highlighter, chord: 'g r', label: 'Go to the reviews' },
    audience: 'reviewer',
  }),
  data: view({
    title: 'Data',
    address: dataAddress,
    place: { Icon: Database, chord: 'g x', label: 'Go to the data' },
    audience: 'owner',
  }),
  runs: view({
    title: 'Runs',
    address: { read: (path) => ({ run: joinId(path) }), write: ({ run }) => ({ path: [run] }) },
    place: { Icon: ChartLine, chord: 'g t', label: 'Go to the runs' },
    audience: 'owner',
  }),
  bench: view({
    title: 'Bench',
    address: {
      read: (path, query) => ({ bench: joinId(path), isNew: query.has('new') }),
      write: ({ bench, isNew }) => ({ path: [bench], query: isNew ? 'new' : '' }),
    },
    place: null,
    audience: 'owner',
    parent: 'runs',
  }),
  setup: view({
    title: 'Setup',
    address: setupAddress,
    place: { Icon: Settings, chord: 'g s', label: 'Go to the setup' },
    audience: 'owner',
  }),
  /** One episode, while it runs and afterwards; `n` is the event to show of a recorded one. */
  episode: view({
    title: 'Episode',
    address: {
      read: (path, query) => {
        const episode = joinId(path);
        const n = Number(query.get('n') ?? Number.NaN);
        return episode === null ? null : { episode, n: Number.isInteger(n) && n >= 0 ? n : null };
      },
      write: ({ episode, n }) => ({ path: [episode], query: n === null ? '' : `n=${String(n)}` }),
    },
    place: null,
    audience: 'everyone',
    parent: 'episodes',
  }),
  compare: view({
    title: 'Compare',
    address: {
      read: ([left = '', right = '']) => (left === '' || right === '' ? null : { left, right }),
      write: ({ left, right }) => ({ path: [left, right] }),
    },
    place: null,
    audience: 'owner',
    parent: 'episodes',
  }),
};

export type View = keyof typeof VIEWS;
/** The parameters of each view's address. */
export type ViewParams = {
  [V in View]: (typeof VIEWS)[V] extends ViewEntry<infer Params> ? Params : never;
};

/** The same table, with each view and its parameters kept together. */
export const views: { readonly [V in View]: ViewEntry<ViewParams[V]> } = VIEWS;

/** The views with a place of their own. */
export type PlaceView = { [V in View]: (typeof VIEWS)[V]['place'] extends ViewPlace ? V : never }[View];
const isPlace = (name: View): name is PlaceView => VIEWS[name].place !== null;
/** In the order of the rail and of the palette. */
export const PLACE_VIEWS: readonly PlaceView[] = (Object.keys(VIEWS) as View[]).filter(isPlace);

export type PlaceKey = `go.${PlaceView}`;
export const goKey = <V extends PlaceView>(name: V): `go.${V}` => `go.${name}`;
