import { expect, it } from 'vitest';
import { countText } from '../../src/shared/countText.ts';

it('counts in the singular and the plural', () => {
  expect([0, 1, 2, 1500].map((count) => countText(count, 'step'))).toEqual([
    '0 steps',
    '1 step',
    '2 steps',
    '1,500 steps',
  ]);
});
