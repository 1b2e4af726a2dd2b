// The results of a bench, as `results_summary.json` holds them. They have no time, no id and no path, so that the same
// bench run again gives the same bytes. Figures and reports are drawn from them alone.
import { z } from 'zod';
import { Condition } from '../events/lifecycle.ts';
import { BenchPlan } from './plan.ts';

const Share = z.number().min(0).max(1);
const Interval = z.strictObject({ low: z.number(), high: z.number() });

/** Reasons to exclude an episode from figures. */
export const Exclusion = z.enum([
  /** The model's provider refused what it was given or what it wrote. */
  'content_filter',
  /** The environment could not be had, or could not be reset. */
  'reset_error',
  /** The environment or the model's server failed while it ran. */
  'server_error',
  /** A person acted on an episode that was to run without help. */
  'step_in',
  /** It ended without a verifier's word. */
  'no_verdict',
  /** It was stopped, or Interject ended before it did. */
  'not_finished',
]);
export type Exclusion = z.infer<typeof Exclusion>;

const Exclusions = z.strictObject(
  Object.fromEntries(Exclusion.options.map((cause) => [cause, z.number().int()])) as Record<
    Exclusion,
    z.ZodNumber
  >,
);

/** One arm's runs of one task. */
const TaskArm = z.strictObject({
  arm: z.string(),
  /** Runs that count, and how many of these the verifier called complete. */
  runs: z.number().int(),
  complete: z.number().int(),
  excluded: z.number().int(),
  /** Questions that were asked over those runs. */
  asks: z.number().int(),
});

const Task = z.strictObject({ scenario: z.string(), task_idx: z.number().int(), arms: z.array(TaskArm) });

/** Averages of an arm over tasks; null where nothing was measured. */
export const ArmFigures = z.strictObject({
  /** Of the verifier's reward components, by rubric, each in [0, 1]: what the run's rubric has. */
  reward_components: z.record(z.string(), z.number()),
  /** Shaped for training. Diagnostic: never a headline. */
  shaped_reward: z.number().nullable(),
  steps: z.number().nullable(),
  format_errors: z.number().nullable(),
  tool_errors: z.number().nullable(),
  asks: z.number().nullable(),
  /** Asks before any tool was tried, and after an honest failed try, as a share of episodes. */
  blind: z.number().nullable(),
  recovery: z.number().nullable(),
  /** Share of compared advice that was followed whole. */
  uptake: z.number().nullable(),
  /** People's active minutes per episode; null where no person acted. */
  expert_minutes: z.number().nullable(),
  /** Verifier reward per minute of a person's. */
  reward_per_expert_minute: z.number().nullable(),
  input_tokens: z.number().nullable(),
  output_tokens: z.number().nullable(),
  cost: z.number().nullable(),
  currency: z.string().nullable(),
});
export type ArmFigures = z.infer<typeof ArmFigures>;

const Arm = z.strictObject({
  arm: z.string(),
  condition: Condition,
  /** What it is called where it is read: `human+draft(scripted)` where no person answered. */
  label: z.string(),
  /** `solo`: nobody may help. Solo and assisted arms never share a figure. */
  kind: z.enum(['solo', 'assisted']),
  /** Its advisors had seen success criteria or the answer: no estimate of help on a new task. */
  is_privileged: z.boolean(),
  /** The agent followed a script, and no model acted: it says nothing of a model. */
  is_rehearsal: z.boolean(),
  model: z.string().nullable(),
  /** Who answered, by acts: people, models, a script, or nobody in time. */
  answered_by: z.strictObject({
    human: z.number().int(),
    model: z.number().int(),
    scripted: z.number().int(),
    nobody: z.number().int(),
  }),
  episodes: z.number().int(),
  counted: z.number().int(),
  excluded: Exclusions,
  /** Tasks with at least one run that counts. */
  tasks: z.number().int(),
  completion: z.strictObject({
    /** The mean of the task means; null without a task. */
    estimate: Share.nullable(),
    interval: Interval.nullable(),
    /** `wilson` with one run per task, else `bootstrap` over tasks; null where there is no interval. */
    method: z.enum(['wilson', 'bootstrap']).nullable(),
  }),
  figures: ArmFigures,
});
export type BenchArm = z.infer<typeof Arm>;

/** The label of an arm wherever people read of it: who answered is part of the name. */
export const armLabel = (arms: readonly BenchArm[], name: string): string =>
  arms.find(({ arm }) => arm === name)?.label ?? name;

/** Two arms on the same tasks: `second` minus `first`. */
export const Comparison = z.strictObject({
  first: z.string(),
  second: z.string(),
  outcome: z.string(),
  /** Shaped reward is looked at, and never claimed from. */
  is_diagnostic: z.boolean(),
  /** Tasks with runs that count in both arms. */
  tasks: z.number().int(),
  estimate: z.number().nullable(),
  interval: Interval.nullable(),
  /** `sign_flip`: what the test would not reject. */
  interval_method: z.enum(['newcombe', 'sign_flip']).nullable(),
  test: z.enum(['mcnemar_exact', 'sign_flip_exact', 'sign_flip_monte_carlo']).nullable(),
  p: Share.nullable(),
  /** Among all secondary comparisons (Holm); null for the primary one, which stands alone. */
  p_adjusted: Share.nullable(),
  /** Whether a difference is shown at 5 %. */
  is_shown: z.boolean(),
  /** In plain words, the same for a difference and for none. */
  says: z.string(),
});
export type Comparison = z.infer<typeof Comparison>;

const Primary = Comparison.extend({
  /** One run per task: how the tasks came out; null with several. */
  pairs: z
    .strictObject({
      both: z.number().int(),
      only_first: z.number().int(),
      only_second: z.number().int(),
      neither: z.number().int(),
    })
    .nullable(),
  /** The least true difference that this bench would have shown four times of five; null where nothing could be. */
  power: z.strictObject({
    power: Share,
    alpha: Share,
    least_difference: Share.nullable(),
    says: z.string(),
  }),
});
export type PrimaryComparison = z.infer<typeof Primary>;

/** One seat's part; seats are counted one by one, since fewer than ten tell nothing of experts in general. */
const Seat = z.strictObject({
  seat: z.string(),
  arm: z.string(),
  answers: z.number().int(),
  episodes: z.number().int(),
  complete: z.number().int(),
  minutes: z.number(),
  /** Answers to tasks that the seat had met in another episode of the bench, or of whose answer it had seen something. */
  had_seen: z.number().int(),
});

export const BENCH_SUMMARY_VERSION = 1 as const;
export const BenchSummary = z.strictObject({
  kind: z.literal('interject.bench'),
  version: z.literal(BENCH_SUMMARY_VERSION),
  plan: BenchPlan,
  /** Episodes planned, and of these over. */
  planned: z.number().int(),
  finished: z.number().int(),
  is_complete: z.boolean(),
  arms: z.array(Arm),
  primary: Primary,
  secondary: z.array(Comparison),
  seats: z.array(Seat),
  /** How prompts differ between arms: each line is one that only one side has. */
  prompts: z.strictObject({
    /** The differing lines name nothing but the tool that asks an expert. */
    is_only_tool: z.boolean(),
    differences: z.array(
      z.strictObject({ first: z.string(), second: z.string(), lines: z.array(z.string()) }),
    ),
  }),
  tasks: z.array(Task),
  /** What a reader must know before they quote a number. */
  cautions: z.array(z.string()),
});
export type BenchSummary = z.infer<typeof BenchSummary>;
