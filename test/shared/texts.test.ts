import { expect, it } from 'vitest';
import { countText } from '../../src/shared/countText.ts';
import { verdictText } from '../../src/shared/verdictText.ts';

it('counts in the singular and the plural', () => {
  expect([0, 1, 2, 1500].map((count) => countText(count, 'step'))).toEqual([
    '0 steps',
    '1 step',
    '2 steps',
    '1,500 steps',
  ]);
});

it('says of a verifier’s label what it means, and never “others”', () => {
  expect(['complete', 'others', 'judge_error', null].map(verdictText)).toEqual([
    'complete',
    'not complete',
    'judge error',
    'no verdict',
  ]);
});
