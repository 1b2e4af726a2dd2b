import { expect, it } from 'vitest';
import { parseRoute } from '../../src/renderer/state/route.ts';
import { formatDeepLink, linkHash, parseDeepLink } from '../../src/shared/deepLink.ts';

it('leads to an event of an episode and back, whatever the id holds', () => {
  for (const link of [
    { episode: '01J9Z', n: 34 },
    { episode: 'a/b #1?', n: 0 },
    { episode: 'plain', n: null },
  ]) {
    expect(parseDeepLink(formatDeepLink(link))).toEqual(link);
    expect(parseRoute(linkHash(link))).toEqual({ view: 'replay', ...link });
  }
  expect(formatDeepLink({ episode: '01J9Z', n: 34 })).toBe('interject://episode/01J9Z#34');
});

it('takes no other address for a link', () => {
  for (const other of [
    'https://episode/x',
    'interject://settings/x',
    'interject://episode/',
    'interject://episode/x#y',
    'interject://episode/x/../../y',
    'interject://episode/%E0%A4%A',
  ])
    expect(parseDeepLink(other)).toBeNull();
});
