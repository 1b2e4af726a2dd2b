// The results of a training run, as `results_summary.json` of its report holds them: no time, no path, the same bytes
// from the same run.
import { z } from 'zod';
import { CurriculumSummary } from '../curriculum/overview.ts';
import { TrainingRun } from './run.ts';

export const TRAINING_SUMMARY_VERSION = 1;
export const TrainingSummary = z.strictObject({
  kind: z.literal('interject.training'),
  version: z.literal(TRAINING_SUMMARY_VERSION),
  run: TrainingRun,
  /** Every decision with what it was taken from; absent where nothing was decided. */
  curriculum: CurriculumSummary.optional(),
  /** The title of each figure, and its file without an ending. */
  figures: z.array(z.strictObject({ file: z.string(), title: z.string() })),
});
export type TrainingSummary = z.infer<typeof TrainingSummary>;

export const COMPARISON_SUMMARY_VERSION = 1;
/** Several runs in the same figures. */
export const TrainingComparison = z.strictObject({
  kind: z.literal('interject.training_comparison'),
  version: z.literal(COMPARISON_SUMMARY_VERSION),
  runs: z.array(TrainingRun),
  figures: TrainingSummary.shape.figures,
});
