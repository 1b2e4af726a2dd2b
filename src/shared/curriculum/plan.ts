// The decision of a curriculum for one step, and its inputs: as it is stored, served and shown.
import { z } from 'zod';
import { CurriculumTask, Difficulty, HintTier, Rollout, TaskName } from './rollout.ts';
import { SignalName } from './settings.ts';

const PhaseName = z.enum(['scaffold', 'balanced', 'independence']);
const number = z.number().nullable();

export const SignalDecision = z.strictObject({
  signal: SignalName,
  step: z.number().int(),
  rate: number,
  from: PhaseName,
  towards: PhaseName,
  streak: z.number().int(),
  phase: PhaseName,
  expert_share: z.number(),
  reason: z.enum(['stays', 'changes', 'waits', 'not_measured']),
});
export type SignalDecision = z.infer<typeof SignalDecision>;

/** Something of a task or a level that is otherwise from this step on, with what it was taken from. */
export const CurriculumChange = z.discriminatedUnion('what', [
  TaskName.extend({
    what: z.literal('expert'),
    change: z.enum(['withdrawn', 'returned']),
    solved: z.number().int(),
    of: z.number().int(),
    /** Wilson's lower bound at 95 % of solved of them. */
    lower: number,
  }),
  TaskName.extend({
    what: z.literal('hint'),
    change: z.enum(['more', 'less']),
    from: HintTier,
    to: HintTier,
    groups: z.array(
      z.strictObject({
        group: z.string(),
        hint: HintTier,
        completed: z.number().int(),
        judged: z.number().int(),
      }),
    ),
  }),
  z.strictObject({
    what: z.literal('difficulty'),
    change: z.enum(['triggered', 'began', 'unlocked', 'opened']),
    /** The highest open level; null: all are open. */
    level: Difficulty.nullable(),
    mean: number,
    rollouts: z.number().int(),
  }),
]);
export type CurriculumChange = z.infer<typeof CurriculumChange>;

const TaskPlan = CurriculumTask.extend({
  /** Its level of difficulty is open. */
  is_open: z.boolean(),
  /** False: all of its groups are without the expert. */
  has_expert: z.boolean(),
  /** Its last rollouts alone, and Wilson's lower bound of their share. */
  solved: z.number().int(),
  of: z.number().int(),
  lower: number,
  /** For its groups without the expert. */
  hint: HintTier,
});
export type TaskPlan = z.infer<typeof TaskPlan>;

export const CurriculumPlan = z.strictObject({
  step: z.number().int(),
  phase: PhaseName,
  /** Of the rollouts of tasks that have the expert. */
  expert_share: z.number(),
  group: z.number().int(),
  /** Of one group, where a trainer splits within groups. */
  split: z.strictObject({ expert: z.number().int(), solo: z.number().int() }),
  /** Whether each arm of such a group is large enough for its deviation to mean something: four, or none at all. */
  divide_by_deviation: z.boolean(),
  signals: z.array(SignalDecision),
  changes: z.array(CurriculumChange),
  /** The highest open level; null: all are open. */
  level: Difficulty.nullable(),
  tasks: z.array(TaskPlan),
});
export type CurriculumPlan = z.infer<typeof CurriculumPlan>;

export const CurriculumInputs = z.strictObject({
  step: z.number().int(),
  group: z.number().int(),
  /** Signals as the trainer itself reports them: they count where no rollout says them. */
  told: z.partialRecord(SignalName, z.number().nullable()),
  /** Since the decision before. */
  rollouts: z.array(Rollout),
});
export type CurriculumInputs = z.infer<typeof CurriculumInputs>;
