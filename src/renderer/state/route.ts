// The address of what is on screen, as a hash, so that back, forward and a shared link work in both hosts.
import { useMemo, useSyncExternalStore } from 'react';
import { HOME, VIEWS, views, type View, type ViewParams } from './views.ts';

export type RouteOf = { [V in View]: { view: V } & ViewParams[V] };
/** A view and what its address holds. */
export type Route = RouteOf[View];

const isView = (name: string): name is View => Object.hasOwn(VIEWS, name);

function readRoute(view: View, path: readonly string[], query: URLSearchParams): Route | null {
  const params = views[view].address.read(path, query);
  // A view's address reads that view's parameters, which the compiler does not follow through the table.
  return params === null ? null : ({ view, ...params } as Route);
}

/** The route a hash stands for; anything unknown is the desk. */
export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  const [name = '', ...rest] = path.split('/');
  const view = isView(name) ? name : HOME;
  return (
    readRoute(view, rest.map(decodePath), new URLSearchParams(query)) ?? routeTo(VIEWS[view].parent ?? HOME)
  );
}

/** A view with nothing in particular open in it. */
export const routeTo = (view: View): Route => readRoute(view, [], new URLSearchParams()) ?? { view: HOME };

function writeAddress<V extends View>(view: V, params: ViewParams[V]): string {
  const { path = [], query = '' } = views[view].address.write(params);
  const names = path.filter((name) => name !== null).map(encodeURIComponent);
  return `#/${[view, ...names].join('/')}${query === '' ? '' : `?${query}`}`;
}

/** The hash of a route. */
export const formatRoute = (route: Route): string => writeAddress(route.view, route);

function decodePath(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Reviews: a project, one of its queues, or an item of it; `isDeciding` where reviewers of the item disagree. */
export const reviewRoute = (
  project: string | null = null,
  queue: string | null = null,
  item: string | null = null,
  isDeciding = false,
): Route => ({ view: 'review', project, queue, item, isDeciding });

/** The page of an episode; with `n`, at that event of the recording. */
export const episodeRoute = (episode: string, n: number | null = null): RouteOf['episode'] => ({
  view: 'episode',
  episode,
  n,
});

/** True if an address is that of this episode, wherever in it. */
export function isOfEpisode(hash: string, episode: string): boolean {
  const route = parseRoute(hash);
  return route.view === 'episode' && route.episode === episode;
}

/** Goes there; `replace` leaves no step to come back to, as a moving scrubber needs. */
export function navigate(route: Route, options: { replace?: boolean } = {}): void {
  const hash = formatRoute(route);
  if (options.replace === true) {
    history.replaceState(null, '', hash);
    window.dispatchEvent(new HashChangeEvent('hashchange'));
  } else window.location.hash = hash;
}

const subscribe = (listener: () => void): (() => void) => {
  window.addEventListener('hashchange', listener);
  return () => window.removeEventListener('hashchange', listener);
};

/** The current route. */
export function useRoute(): Route {
  const hash = useSyncExternalStore(subscribe, () => window.location.hash);
  return useMemo(() => parseRoute(hash), [hash]);
}
