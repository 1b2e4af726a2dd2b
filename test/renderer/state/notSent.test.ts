import { expect, it } from 'vitest';
import { createKept, createMemoryStorage } from '../../../src/renderer/state/kept.ts';
import { heldBefore, markHeld, unmarkHeld, wasHeld } from '../../../src/renderer/state/sendLater.ts';

const NOW = 1_700_000_000_000;

it('tells once of what a page kept back when it went, and keeps the line beside the words until it is sent', () => {
  const own = createKept(createMemoryStorage());
  markHeld(own, 'e1:c1', NOW);
  markHeld(own, 'e2:c1', NOW - 25 * 3600 * 1000);

  expect(heldBefore(own, NOW + 10)).toContain('e1:c1');
  expect(heldBefore(own, NOW + 20)).toEqual([]);
  expect(wasHeld(own, 'e1:c1')).toBe(true);
  expect(wasHeld(own, 'e2:c1')).toBe(false);

  unmarkHeld(own, 'e1:c1');
  expect(wasHeld(own, 'e1:c1')).toBe(false);
});
