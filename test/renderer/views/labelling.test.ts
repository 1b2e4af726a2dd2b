import { expect, it } from 'vitest';
import { drawOf } from '../../../src/renderer/views/episode/LabelCard.tsx';

it('which turns wait for a label draws the stated share, the same for the same turn', () => {
  const draws = Array.from({ length: 4000 }, (_, index) => drawOf(`episode-${String(index % 200)}`, index));
  const share = draws.filter((draw) => draw < 0.25).length / draws.length;

  expect(share).toBeGreaterThan(0.22);
  expect(share).toBeLessThan(0.28);
  expect(drawOf('e1', 7)).toBe(drawOf('e1', 7));
});
