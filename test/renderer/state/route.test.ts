import { describe, expect, it } from 'vitest';
import {
  annotateRoute,
  formatRoute,
  parseRoute,
  queueItemsRoute,
  type Route,
} from '../../../src/renderer/state/route.ts';
import { VIEWS } from '../../../src/renderer/state/views.ts';

describe('an address', () => {
  it('leads where it was made', () => {
    const routes: Route[] = [
      { view: 'desk' },
      { view: 'desk', question: 'e/1:c2 &' },
      { view: 'live', episode: null },
      { view: 'live', episode: 'e/1 ?#' },
      { view: 'replay', episode: 'e1', n: 12 },
      { view: 'replay', episode: 'e1', n: null },
      { view: 'library' },
      { view: 'data' },
      { view: 'data', format: 'kto' },
      { view: 'library', isImporting: true },
      { view: 'settings' },
      { view: 'settings', section: 'environments' },
      { view: 'connect' },
      { view: 'answers' },
      { view: 'library', group: 'g/1 ?' },
      { view: 'training', run: null },
      { view: 'training', run: 'r/1 ?' },
      { view: 'bench', bench: null, isNew: false },
      { view: 'bench', bench: null, isNew: true },
      { view: 'bench', bench: 'b/1 ?', isNew: false },
      { view: 'compare', left: 'a/b', right: 'c d' },
      annotateRoute(),
      annotateRoute('p1', 'q 1', 'i/1'),
      annotateRoute('p1', 'q1', null, true),
      queueItemsRoute('p1', 'q1'),
    ];

    expect(new Set(routes.map(({ view }) => view))).toEqual(new Set(Object.keys(VIEWS)));

    expect(routes.map((route) => parseRoute(formatRoute(route)))).toEqual(routes);
  });

  it('leads to the desk when it means nothing, and to the library for a replay of nothing', () => {
    expect(['', '#', '#/', '#/nonsense', '#/%E0%A4%A'].map(parseRoute)).toEqual(
      Array.from({ length: 5 }, () => ({ view: 'desk' })),
    );
    expect(parseRoute('#/replay/')).toEqual({ view: 'library' });
    expect(parseRoute('#/compare/e1')).toEqual({ view: 'library' });
    expect(parseRoute('#/replay/e1?n=-3')).toEqual({ view: 'replay', episode: 'e1', n: null });
  });
});
