import { expect, it } from 'vitest';
import { parseRoute } from '../../src/renderer/state/route.ts';
import { formatDeepLink, linkHash, linkIn, parseDeepLink } from '../../src/shared/deepLink.ts';

it('leads to an event of an episode and back, whatever the id holds', () => {
  for (const link of [
    { episode: '01J9Z', n: 34 },
    { episode: 'a/b #1?', n: 0 },
    { episode: 'plain', n: null },
  ]) {
    expect(parseDeepLink(formatDeepLink(link))).toEqual(link);
    expect(parseRoute(linkHash(link))).toEqual({ view: 'episode', ...link });
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

it('is found among the arguments a system starts the product with', () => {
  expect(linkIn(['/usr/bin/interject', '--flag', 'interject://episode/e1#7'])).toEqual({
    episode: 'e1',
    n: 7,
  });
  expect(linkIn(['/usr/bin/interject', '--data', 'x'])).toBeNull();
});
