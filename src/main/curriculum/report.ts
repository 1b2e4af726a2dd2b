// What a trainer posts of its run, as it is taken in.
import { z } from 'zod';
import { CurriculumTask, RolloutOutcome } from '../../shared/curriculum/rollout.ts';
import { RUN_NAME_MAX } from '../../shared/events/training.ts';

export const RunName = z.string().min(1).max(RUN_NAME_MAX);

export const CurriculumReport = z.strictObject({
  run: RunName,
  /** The trainer's own name of this report: sent again, it changes nothing. */
  id: z.string().min(1).max(RUN_NAME_MAX),
  tasks: z.array(CurriculumTask).max(10_000).default([]),
  /** Those that were not played through the tap: what came through it is known. */
  rollouts: z.array(RolloutOutcome.strict()).max(10_000).default([]),
  /** Lines of the trainer's own log: `step`, and numbers beside it. */
  metrics: z
    .array(z.looseObject({ step: z.number().int() }))
    .max(1000)
    .default([]),
});
export type CurriculumReport = z.infer<typeof CurriculumReport>;

export type ReportReply = {
  run: string;
  id: string;
  /** False for a report that was taken in before. */
  is_new: boolean;
  /** The newest step that has a plan; 0 for a run that has none. */
  newest_step: number;
  tasks: number;
  rollouts: number;
  /** Steps that its metrics tell something of, and names of metrics that are not read. */
  steps: number[];
  unread: string[];
};
