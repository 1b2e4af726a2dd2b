import { describe, expect, it } from 'vitest';
import {
  reviewRoute,
  episodeRoute,
  formatRoute,
  parseRoute,
  type Route,
} from '../../../src/renderer/state/route.ts';
import { VIEWS } from '../../../src/renderer/state/views.ts';

describe('an address', () => {
  it('leads where it was made', () => {
    const routes: Route[] = [
      { view: 'desk' },
      { view: 'desk', question: 'e/1:c2 &' },
      episodeRoute('e/1 ?#'),
      episodeRoute('e1', 12),
      episodeRoute('e1'),
      { view: 'episodes' },
      { view: 'data' },
      { view: 'data', format: 'kto' },
      { view: 'episodes', isImporting: true },
      { view: 'setup', part: 'people' },
      { view: 'setup', part: 'connect', section: 'environments' },
      { view: 'answers' },
      { view: 'episodes', group: 'g/1 ?' },
      { view: 'runs', run: null },
      { view: 'runs', run: 'r/1 ?' },
      { view: 'bench', bench: null, isNew: false },
      { view: 'bench', bench: null, isNew: true },
      { view: 'bench', bench: 'b/1 ?', isNew: false },
      { view: 'compare', left: 'a/b', right: 'c d' },
      reviewRoute(),
      reviewRoute('p1', 'q 1', 'i/1'),
      reviewRoute('p1', 'q1', null, true),
    ];

    expect(new Set(routes.map(({ view }) => view))).toEqual(new Set(Object.keys(VIEWS)));

    expect(routes.map((route) => parseRoute(formatRoute(route)))).toEqual(routes);
  });

  it('leads to the desk when it means nothing, and to the list for an episode without a name', () => {
    expect(['', '#', '#/', '#/nonsense', '#/%E0%A4%A'].map(parseRoute)).toEqual(
      Array.from({ length: 5 }, () => ({ view: 'desk' })),
    );
    expect(parseRoute('#/setup')).toEqual({ view: 'setup', part: 'models' });
    expect(parseRoute('#/episode/')).toEqual({ view: 'episodes' });
    expect(parseRoute('#/compare/e1')).toEqual({ view: 'episodes' });
    expect(parseRoute('#/episode/e1?n=-3')).toEqual(episodeRoute('e1'));
  });
});
