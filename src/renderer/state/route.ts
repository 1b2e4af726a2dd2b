// Owns: the address of what is on screen, as a hash, so that back, forward and a shared link work in both hosts.
import { useMemo, useSyncExternalStore } from 'react';

export type Route =
  | { view: 'desk' }
  | { view: 'live'; episode: string | null }
  | { view: 'wall' }
  | { view: 'replay'; episode: string; n: number | null }
  | { view: 'compare'; left: string; right: string }
  | { view: 'decisions' }
  | { view: 'answers' }
  | { view: 'library' }
  | { view: 'groups'; group: string | null }
  | {
      view: 'annotate';
      project: string | null;
      queue: string | null;
      item: string | null;
      isJudged: boolean;
      /** A queue as the list of what it holds. */
      isListed?: boolean;
    }
  /** `format` as the address has it; the view decides whether there is such a one. */
  | { view: 'data'; format?: string }
  | { view: 'lab' }
  | { view: 'settings' }
  | { view: 'connect' };
export type View = Route['view'];

const HOME: Route = { view: 'desk' };

/** The route a hash stands for; anything unknown is the desk. */
export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  const [view = '', ...rest] = path.split('/');
  const id = decoded(rest.join('/'));
  switch (view) {
    case 'live':
      return { view, episode: id === '' ? null : id };
    case 'replay': {
      if (id === '') return { view: 'library' };
      const n = Number(new URLSearchParams(query).get('n') ?? Number.NaN);
      return { view, episode: id, n: Number.isInteger(n) && n >= 0 ? n : null };
    }
    case 'compare': {
      const [left = '', right = ''] = rest.map(decoded);
      return left === '' || right === '' ? { view: 'library' } : { view, left, right };
    }
    case 'annotate': {
      const [project = null, queue = null, item = null] = rest.map(decoded).filter(Boolean);
      const asked = new URLSearchParams(query);
      const place = { view, project, queue, item, isJudged: asked.has('judge') };
      return asked.has('items') ? { ...place, isListed: true } : place;
    }
    case 'groups':
      return { view, group: id === '' ? null : id };
    case 'data': {
      const format = new URLSearchParams(query).get('format');
      return format === null ? { view } : { view, format };
    }
    case 'decisions':
    case 'wall':
    case 'answers':
    case 'library':
    case 'lab':
    case 'settings':
    case 'connect':
      return { view };
    default:
      return HOME;
  }
}

/** The hash of a route. */
export function formatRoute(route: Route): string {
  if (route.view === 'compare') {
    return `#/compare/${encodeURIComponent(route.left)}/${encodeURIComponent(route.right)}`;
  }
  if (route.view === 'annotate') {
    const path = [route.project, route.queue, route.item].filter((part) => part !== null);
    const how = route.isJudged ? '?judge' : route.isListed === true ? '?items' : '';
    return `#/${['annotate', ...path.map(encodeURIComponent)].join('/')}${how}`;
  }
  if (route.view === 'data') {
    return route.format === undefined ? '#/data' : `#/data?format=${encodeURIComponent(route.format)}`;
  }
  const named = 'episode' in route ? route.episode : 'group' in route ? route.group : null;
  const id = named === null ? '' : `/${encodeURIComponent(named)}`;
  const query = route.view === 'replay' && route.n !== null ? `?n=${String(route.n)}` : '';
  return `#/${route.view}${id}${query}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Annotation: the projects, one of them, one of its queues, or an item on screen. */
export const annotateRoute = (
  project: string | null = null,
  queue: string | null = null,
  item: string | null = null,
  isJudged = false,
): Route => ({ view: 'annotate', project, queue, item, isJudged });

/** A queue as the list of what it holds. */
export const queueItemsRoute = (project: string, queue: string): Route => ({
  view: 'annotate',
  project,
  queue,
  item: null,
  isJudged: false,
  isListed: true,
});

/** Whether an address is that of a replay of this episode, wherever in it. */
export function isReplayOf(hash: string, episode: string): boolean {
  const route = parseRoute(hash);
  return route.view === 'replay' && route.episode === episode;
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

/** Where we are. */
export function useRoute(): Route {
  const hash = useSyncExternalStore(subscribe, () => window.location.hash);
  return useMemo(() => parseRoute(hash), [hash]);
}
