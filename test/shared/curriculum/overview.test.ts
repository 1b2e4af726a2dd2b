import { expect, it } from 'vitest';
import {
  decidedFrom,
  historyAfter,
  NO_HISTORY,
  reportedSteps,
} from '../../../src/shared/curriculum/history.ts';
import { CurriculumOverview, overviewOf, type DecidedStep } from '../../../src/shared/curriculum/overview.ts';
import { CURRICULUM_DEFAULTS } from '../../../src/shared/curriculum/settings.ts';
import type { EventOf, LogEvent } from '../../../src/shared/events/vocabulary.ts';
import { emptyStep } from '../../../src/shared/training/run.ts';
import { rolloutsOf } from './planted.ts';

/** Task 0 is solved alone, then forgotten; task 1 never is. */
function decided(): DecidedStep[] {
  let history = NO_HISTORY;
  return [0, 8, 0, 0].map((solved, at) => {
    const step = at + 1;
    const rollouts = at === 0 ? [] : [...rolloutsOf(0, 8, { task_idx: 1 }), ...rolloutsOf(solved, 8)];
    const inputs = { step, group: 8, told: {}, rollouts };
    const { plan } = decidedFrom(history, inputs, history.settings);
    history = historyAfter(history, { kind: 'curriculum.decided', run: 'r', inputs, plan });
    return { at: step, inputs, plan };
  });
}

it('shows every decision, newest first, with what it was taken from', () => {
  const overview = overviewOf(CURRICULUM_DEFAULTS, decided());

  expect(CurriculumOverview.parse(overview)).toEqual(overview);
  expect(overview?.decisions.map(({ step, rollouts }) => [step, rollouts])).toEqual([
    [4, 16],
    [3, 16],
    [2, 16],
    [1, 0],
  ]);
  expect(overviewOf(CURRICULUM_DEFAULTS, [])).toBeNull();
});

it('shows steps of which only rollouts were reported as those rollouts count, and metrics over them', () => {
  const rollouts = [
    ...rolloutsOf(3, 8, { group: 'a', arm: 'expert' }),
    ...rolloutsOf(8, 8, { group: 'b', format_error: true }),
    ...rolloutsOf(8, 8, { arm: 'evaluation' }),
  ];
  const report = (told: Pick<EventOf<'curriculum.reported'>, 'rollouts' | 'steps'>): LogEvent => ({
    kind: 'curriculum.reported',
    run: 'r',
    report: '1',
    sha256: '',
    unread: [],
    ...told,
  });
  const own = [{ ...emptyStep(1), reward: 0.9, timeout_rate: 0.25 }, emptyStep(2)];
  const history = [report({ rollouts, steps: [] }), report({ rollouts: [], steps: own })].reduce(
    historyAfter,
    NO_HISTORY,
  );

  expect([...reportedSteps(history).values()]).toMatchObject([
    {
      step: 1,
      reward: 0.9,
      rollouts: 16,
      judged: 16,
      completed: 11,
      format_error_rate: 0.5,
      timeout_rate: 0.25,
      expert_share: 0.5,
      groups: 2,
      flat_groups: 1,
    },
    { step: 2, reward: null },
  ]);
});
