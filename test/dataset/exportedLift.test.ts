import { expect, it } from 'vitest';
import { exportedLift } from '../../src/main/dataset/export/interventions.ts';
import type { InterventionLift } from '../../src/shared/lift/intervention.ts';

const lift = (kind: InterventionLift['kind'], counted: number, estimate: number): InterventionLift => ({
  episode: 'e',
  consultation: 'c',
  turn: 1,
  scenario: null,
  task_idx: null,
  advised_by: 'human',
  is_privileged: false,
  with: { counted, complete: 0 },
  without: { counted, complete: 0 },
  excluded: {},
  estimate,
  low: null,
  high: null,
  kind,
  reason: kind === 'causal' ? null : 'not_resampled',
});

it('a later measurement with fewer continuations never takes the place of one with more, or of a causal one', () => {
  const [three, one, again] = [
    lift('descriptive', 3, 0.5),
    lift('descriptive', 1, 1),
    lift('descriptive', 3, 0.2),
  ];

  expect(exportedLift([three, one])).toBe(three);
  expect(exportedLift([three, one, again])).toBe(again);
  expect(
    exportedLift([lift('causal', 3, 0.1), lift('causal', 4, 0.3), lift('descriptive', 9, 1)])?.estimate,
  ).toBe(0.3);
  expect(exportedLift([])).toBeUndefined();
});
