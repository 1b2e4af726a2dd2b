// Every number of the rewards, and the rules any accepted set of them obeys. Read where they are edited, too. Source
// of the defaults: the expert-in-the-loop recipe for the Agent World Model (shaping) and the OpenEnv brief (rubric).
import { z } from 'zod';

const Share = z.number().min(0).max(1);

/** The rubric's components. One that is added gets a name here and a function in src/main/reward/rubric.ts. */
export const COMPONENT_NAMES = ['primary', 'process', 'format', 'efficiency'] as const;
export type ComponentName = (typeof COMPONENT_NAMES)[number];

export const ShapingSettings = z.strictObject({
  /** By the verifier's label; whatever is not named counts as `other`. */
  base: z.strictObject({
    complete: z.number(),
    incomplete: z.number(),
    format_error: z.number(),
    other: z.number(),
  }),
  /** Added on completion: without help, with help after an honest failed try, with help before any. */
  modifiers: z.strictObject({ solo: z.number(), recovery: z.number(), blind: z.number() }),
  /** An episode that was not completed counts as a format error when more than this share of its turns were. */
  format_error_share: Share,
});
export type ShapingSettings = z.infer<typeof ShapingSettings>;

export const RubricSettings = z.strictObject({
  /** Weights of the components; they sum to 1. */
  weights: z.record(z.string(), Share),
  /** Label -> primary objective in [0, 1]. */
  primary: z.record(z.string(), Share),
  /** What the other components count for where the task was not completed. */
  unfinished: Share,
  /** Calls with a use before process quality counts in full, where the task was not completed. */
  process_calls: z.number().int().min(1),
  /** Moves before format compliance counts in full: a single well-formed one proves nothing. */
  format_turns: z.number().int().min(1),
  /** Turns up to which a completed task is fully efficient, and from which it is not at all. */
  efficient_turns: z.number().int().min(1),
  slow_turns: z.number().int().min(2),
});
export type RubricSettings = z.infer<typeof RubricSettings>;

export const RewardSettings = z.strictObject({ shaping: ShapingSettings, rubric: RubricSettings });
export type RewardSettings = z.infer<typeof RewardSettings>;

export const REWARD_DEFAULTS: RewardSettings = {
  shaping: {
    base: { complete: 1, incomplete: 0.1, format_error: -1, other: 0 },
    modifiers: { solo: 1, recovery: 0.3, blind: -0.2 },
    format_error_share: 0.5,
  },
  rubric: {
    weights: { primary: 0.4, process: 0.25, format: 0.2, efficiency: 0.15 },
    primary: { complete: 1, incomplete: 0.1 },
    unfinished: 0.5,
    process_calls: 4,
    format_turns: 3,
    efficient_turns: 4,
    slow_turns: 15,
  },
};

/** A rule that a set of numbers breaks, and the numbers it is about, as paths with dots. */
type BrokenRule = { at: string[]; message: string };

/** Sums of weights are compared with this much room: 0.1 + 0.2 is not 0.3 in binary. */
const ROUNDING = 1e-9;

/** The sum of the rubric's weights. */
export const weightSum = ({ weights }: RubricSettings): number =>
  Object.values(weights).reduce((total, weight) => total + weight, 0);

/** The rules that a set of numbers breaks; empty for one that can be used. */
export const brokenRules = ({ shaping, rubric }: RewardSettings): BrokenRule[] => [
  ...shapingRules(shaping),
  ...weightRules(rubric),
  ...rubricRules(rubric),
];

function shapingRules({ base, modifiers }: ShapingSettings): BrokenRule[] {
  const broken: BrokenRule[] = [];
  // The sums that are paid, not the modifiers: beside a large base a small difference would vanish.
  const [solo, recovery, blind] = (['solo', 'recovery', 'blind'] as const).map(
    (name) => base.complete + modifiers[name],
  ) as [number, number, number];
  if (!(solo > recovery && recovery > blind)) {
    broken.push({
      at: ['shaping.modifiers.solo', 'shaping.modifiers.recovery', 'shaping.modifiers.blind'],
      message: 'the order solo > recovery > blind does not hold',
    });
  }
  const failures = (['incomplete', 'format_error', 'other'] as const).filter((name) => base[name] >= blind);
  if (failures.length > 0) {
    broken.push({
      at: ['shaping.modifiers.blind', ...failures.map((name) => `shaping.base.${name}`)],
      message: 'a task completed after a blind ask would earn no more than one that was not completed',
    });
  }
  return broken;
}

function weightRules(rubric: RubricSettings): BrokenRule[] {
  const names = Object.keys(rubric.weights);
  const unknown = names.filter((name) => !(COMPONENT_NAMES as readonly string[]).includes(name));
  const sum = weightSum(rubric);
  return [
    ...unknown.map((name) => ({
      at: [`rubric.weights.${name}`],
      message: `the rubric has no component ${name}; it has ${COMPONENT_NAMES.join(', ')}`,
    })),
    ...(Math.abs(sum - 1) > ROUNDING
      ? [
          {
            at: names.map((name) => `rubric.weights.${name}`),
            message: `the weights sum to ${shortNumber(sum)}, not to 1`,
          },
        ]
      : []),
  ];
}

function rubricRules({
  weights,
  primary,
  unfinished,
  efficient_turns: fast,
  slow_turns: slow,
}: RubricSettings) {
  const broken: BrokenRule[] = [];
  if (slow <= fast) {
    broken.push({
      at: ['rubric.slow_turns', 'rubric.efficient_turns'],
      message: 'slow_turns must be above efficient_turns',
    });
  }
  const complete = primary['complete'] ?? 0;
  const others = Object.entries(primary).filter(([label]) => label !== 'complete');
  const rest = Math.max(0, ...others.map(([, value]) => value));
  if (complete <= rest) {
    const at = others.flatMap(([label, value]) => (value >= complete ? [`rubric.primary.${label}`] : []));
    broken.push({
      at: ['rubric.primary.complete', ...at],
      message: 'no label may be worth as much as complete',
    });
    return broken;
  }
  // The least a completed task can earn against the most one that was not can.
  const weight = weights['primary'] ?? 0;
  const [least, most] = [weight * complete, weight * rest + unfinished * (1 - weight)];
  if (least <= most + ROUNDING) {
    broken.push({
      at: ['rubric.unfinished', 'rubric.weights.primary'],
      message: `a task that was not completed could earn ${shortNumber(most)}, one that was as little as ${shortNumber(least)}`,
    });
  }
  return broken;
}

const shortNumber = (value: number): string => String(Math.round(value * 1e6) / 1e6);
