// Takes in a trainer's report of its run, once: what of it goes to the log, and what the trainer is told back.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { canonical } from '../../shared/canonical.ts';
import { lastStep, newestStep, type CurriculumHistory } from '../../shared/curriculum/history.ts';
import { CurriculumTask, RolloutOutcome, taskKey, type TaskName } from '../../shared/curriculum/rollout.ts';
import { RUN_NAME_MAX } from '../../shared/events/library.ts';
import type { LogEvent } from '../../shared/events/vocabulary.ts';
import { Failure } from '../../shared/failure.ts';
import { holdsSecret } from '../../shared/redact/redact.ts';
import { EXAMPLE_RUN } from '../../shared/training/publicExample.ts';
import { readMetricRows } from './readMetrics.ts';

export const RunName = z
  .string()
  .min(1)
  .max(RUN_NAME_MAX)
  .refine((name) => !holdsSecret(name), {
    error: 'a name cannot hold what looks like a key: it stands in the log and in file names',
  });

export const CurriculumReport = z.strictObject({
  run: RunName,
  /** The trainer's own name of this report: sent again, it changes nothing. */
  id: RunName,
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

/** No events for a report that was taken in before. Throws `bad_input`. */
export function takeReport(
  history: CurriculumHistory,
  report: CurriculumReport,
  isHeldOut: (task: TaskName) => boolean,
): { reply: ReportReply; events: LogEvent[] } {
  const { run, id, tasks, rollouts } = report;
  const sha256 = createHash('sha256').update(canonical(report)).digest('hex');
  const known = history.reports.get(id);
  if (known !== undefined && known !== sha256) throw otherReport(id);
  const { steps, unread: all } = readMetricRows(report.metrics);
  const unread = all.map((name) => name.slice(0, 300));
  const reply = {
    run,
    id,
    is_new: known === undefined,
    newest_step: newestStep(history),
    tasks: tasks.length,
    rollouts: rollouts.length,
    steps: steps.map(({ step }) => step),
    unread,
  };
  if (known !== undefined) return { reply, events: [] };
  const last = lastStep(history);
  const far = [...rollouts, ...report.metrics].find(({ step }) => step < 0 || step > last);
  if (far !== undefined) throw farStep(run, far.step, last);
  const held = tasks.find(isHeldOut);
  if (held !== undefined) throw heldOut(held);
  if (run === EXAMPLE_RUN) throw new Failure('bad_input', 'the example’s name is taken', RENAME);
  return {
    reply,
    events: [
      ...taskEvents(history, report),
      { kind: 'curriculum.reported', run, report: id, sha256, rollouts, steps, unread },
    ],
  };
}

function taskEvents({ tasks }: CurriculumHistory, { run, tasks: named }: CurriculumReport): LogEvent[] {
  const isKnown = named.every((task) => canonical(tasks.get(taskKey(task)) ?? null) === canonical(task));
  return isKnown ? [] : [{ kind: 'curriculum.tasks_named', run, tasks: named }];
}

/** A step that lies before the first or too far ahead. */
export const farStep = (run: string, step: number, last: number): Failure =>
  new Failure('bad_input', `${String(step)} is no step of ${run}: the furthest now is ${String(last)}`, {
    next: 'Steps are counted from 1, and each is asked for or told of as it comes.',
  });
const RENAME = { next: 'Choose another name.' };
const otherReport = (id: string): Failure =>
  new Failure('bad_input', `the report ${id} was another one`, {
    next: 'Give each report an id of its own.',
  });
const heldOut = ({ scenario, task_idx }: TaskName): Failure =>
  new Failure('bad_input', `${scenario ?? ''} ${String(task_idx)} is held out by a split`, {
    next: 'Train on other tasks: a task that is trained on can measure nothing.',
  });
