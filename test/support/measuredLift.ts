// A lift as a measurement writes it beside an episode.
import type { EventOf } from '../../src/shared/events/vocabulary.ts';
import type { InterventionLift } from '../../src/shared/lift/intervention.ts';

export const measuredLift = (
  episode: string,
  over: Partial<InterventionLift> = {},
): EventOf<'lift.measured'> => ({
  kind: 'lift.measured',
  lift: 'worth',
  agent: 'planted',
  measured: {
    episode,
    consultation: `${episode}:c1`,
    turn: 2,
    scenario: 'loomline_workflows',
    task_idx: 0,
    advised_by: 'human',
    is_privileged: false,
    with: { counted: 4, complete: 4 },
    without: { counted: 4, complete: 1 },
    excluded: {},
    estimate: 0.75,
    low: 0.0943,
    high: 0.9544,
    kind: 'causal',
    reason: null,
    ...over,
  },
});
