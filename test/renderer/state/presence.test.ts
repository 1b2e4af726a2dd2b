import { expect, it } from 'vitest';
import { presenceOf } from '../../../src/renderer/state/presence.ts';
import type { SeatRow } from '../../../src/shared/episode/rowShapes.ts';

const seats = (presence: SeatRow['presence']): SeatRow[] => [{ seat: 'ada', presence } as SeatRow];

it('shows what a person chose at once, and follows main again as soon as it says something new', () => {
  const chosen = { chosen: 'on_duty' as const, before: seats('away') };

  expect(presenceOf('ada', seats('away'), chosen)).toBe('on_duty');
  expect(presenceOf('ada', seats('on_duty'), chosen)).toBe('on_duty');
  expect(presenceOf('ada', seats('off'), chosen)).toBe('off');
  expect(presenceOf('ada', seats('away'), null)).toBe('away');
  expect(presenceOf('ada', [], null)).toBe('on_duty');
});
