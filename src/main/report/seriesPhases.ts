// The phases that a curriculum's default rule would have decided over a recorded series. Pure.
import { Failure } from '../../shared/failure.ts';
import type { CurriculumSummary } from '../../shared/curriculum/overview.ts';
import { CURRICULUM_DEFAULTS } from '../../shared/curriculum/settings.ts';
import { decidePhases, groupSplit, PHASE_DEFAULTS } from '../../shared/training/controller.ts';
import type { TrainingRun } from '../../shared/training/run.ts';

/** Rollouts of a group, as in the recipe. */
const GROUP = 8;

/** One decision after each step, for the one after it. Throws `bad_input` where the series tells no format errors. */
export function seriesPhases({ run, steps, unread }: TrainingRun): CurriculumSummary {
  if (steps.every(({ format_error_rate: rate }) => rate === null)) {
    throw new Failure('bad_input', `${run} tells no format errors by step`, {
      next: [
        ...(unread.length === 0 ? [] : [`Not read: ${unread.join('; ')}.`]),
        'It is a column such as format_error_rate, one value a step. Names that are read: docs/figures.md.',
      ].join(' '),
    });
  }
  const series = steps.map(({ step, format_error_rate: rate }) => ({ step, rate }));
  const decisions = decidePhases(series, PHASE_DEFAULTS).map((decision, at) => ({
    step: decision.step + 1,
    phase: decision.phase,
    expert_share: decision.expert_share,
    split: groupSplit(decision.expert_share, GROUP),
    signals: [{ signal: 'format_error_rate' as const, ...decision }],
    changes: [],
    level: null,
    rollouts: steps[at]?.rollouts ?? 0,
  }));
  return { settings: CURRICULUM_DEFAULTS, decisions };
}
