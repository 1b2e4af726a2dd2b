// Maps each view to its component. The desk comes with the page; every other view is fetched when it is first needed.
import { useEffect, type ReactNode } from 'react';
import type { Role } from '../shared/contract/seat.ts';
import { useConsole } from './state/hooks.ts';
import { isViewOf, useRole } from './state/role.ts';
import { parseRoute, useRoute, type RouteOf } from './state/route.ts';
import type { View } from './state/views.ts';
import { whenIdle } from './ui/idle.ts';
import { lazyPart } from './ui/LazyPart.tsx';
import { DeskView } from './views/desk/DeskView.tsx';
import { DeskCard, DeskList } from './views/desk/laterCards.ts';

const loading = (title: string) => ({ label: `Loading ${title}` });

const AnswersView = lazyPart(
  async () => (await import('./views/seat/AnswersView.tsx')).AnswersView,
  loading('your answers'),
);
const CompareView = lazyPart(
  async () => (await import('./views/compare/CompareView.tsx')).CompareView,
  loading('the comparison'),
);
const DataView = lazyPart(
  async () => (await import('./views/data/DataView.tsx')).DataView,
  loading('the data'),
);
const EpisodePage = lazyPart(
  async () => (await import('./views/episode/EpisodePage.tsx')).EpisodePage,
  loading('the episode'),
);
const EpisodesView = lazyPart(
  async () => (await import('./views/episodes/EpisodesView.tsx')).EpisodesView,
  loading('the episodes'),
);
const ReviewView = lazyPart(
  async () => (await import('./views/review/ReviewView.tsx')).ReviewView,
  loading('the reviews'),
);
const SetupView = lazyPart(
  async () => (await import('./views/setup/SetupView.tsx')).SetupView,
  loading('the setup'),
);
const RunsView = lazyPart(
  async () => (await import('./views/runs/RunsView.tsx')).RunsView,
  loading('the runs'),
);

const StartDialog = lazyPart(async () => (await import('./views/start/StartDialog.tsx')).StartDialog, {
  label: 'Loading the dialog',
  // What is typed ahead is for the dialog: no key of the view behind it takes it.
  fallback: <div data-overlay="open" />,
});

type Preloaded = { preload: () => Promise<void> };

type Screen<V extends View> = {
  draw: (route: RouteOf[V]) => ReactNode;
  /** What is fetched for it; of the desk, the frame comes with the page. */
  parts: readonly Preloaded[];
};

const SCREENS: { readonly [V in View]: Screen<V> } = {
  desk: { draw: () => <DeskView />, parts: [DeskCard, DeskList] },
  answers: { draw: () => <AnswersView />, parts: [AnswersView] },
  episodes: {
    draw: ({ isImporting = false, group = null }) => <EpisodesView isImporting={isImporting} group={group} />,
    parts: [EpisodesView],
  },
  episode: {
    draw: ({ episode, n }) => <EpisodePage key={episode} episode={episode} n={n} />,
    parts: [EpisodePage],
  },
  runs: { draw: ({ run }) => <RunsView run={run} bench={null} isNew={false} />, parts: [RunsView] },
  bench: {
    draw: ({ bench, isNew }) => <RunsView run={null} bench={bench} isNew={isNew} />,
    parts: [RunsView],
  },
  review: { draw: (route) => <ReviewView {...route} />, parts: [ReviewView] },
  data: { draw: () => <DataView />, parts: [DataView] },
  setup: {
    draw: ({ part, section = null }) => <SetupView part={part} section={section} />,
    parts: [SetupView],
  },
  compare: { draw: ({ left, right }) => <CompareView left={left} right={right} />, parts: [CompareView] },
};
const drawScreen = <V extends View>(view: V, route: RouteOf[V]): ReactNode => SCREENS[view].draw(route);

/** Fetches a view ahead of the moment it is shown. */
export function preloadScreen(view: View): void {
  for (const part of SCREENS[view].parts) void part.preload();
}

/** Fetches the view of the page's address while the console is still being set up. */
export const preloadFirstScreen = (hash: string): void => preloadScreen(parseRoute(hash).view);

/** A seat's next screens, as a rule: fetched once the desk is there and the page has nothing else to do. */
const LIKELY: Readonly<Record<Role, readonly Preloaded[]>> = {
  owner: [EpisodePage, StartDialog, EpisodesView],
  expert: [EpisodePage, AnswersView],
};

/** Fetches the view behind a link that the pointer or the focus comes to. */
function preloadLinked({ target }: Event): void {
  const link = target instanceof Element ? target.closest('a[href^="#/"]') : null;
  if (link !== null) preloadScreen(parseRoute(link.getAttribute('href') ?? '').view);
}

function usePreloads(): void {
  const role = useRole();
  const isReady = useConsole(({ record }) => record.desk.isLoaded);
  useEffect(() => {
    if (!isReady || role === null) return undefined;
    return whenIdle(() => {
      for (const part of LIKELY[role]) void part.preload();
    });
  }, [isReady, role]);
  useEffect(() => {
    document.addEventListener('pointerover', preloadLinked);
    document.addEventListener('focusin', preloadLinked);
    return () => {
      document.removeEventListener('pointerover', preloadLinked);
      document.removeEventListener('focusin', preloadLinked);
    };
  }, []);
}

/** The dialog that starts an episode, over whatever view there is. */
export function StartOverlay(): ReactNode {
  const isOpen = useConsole(({ ui }) => ui.overlay === 'start');
  return isOpen ? <StartDialog /> : null;
}

/** Draws the view of the address; the desk for a view that is not for this seat. */
export function CurrentScreen(): ReactNode {
  const route = useRoute();
  usePreloads();
  return isViewOf(route.view, useRole()) ? drawScreen(route.view, route) : <DeskView />;
}
