// The settings of a curriculum, each with its default. A run keeps those it was begun with until they are changed.
import { z } from 'zod';
import { PHASE_DEFAULTS, RECIPE_BOUNDS } from '../training/controller.ts';

export const SignalName = z.enum([
  'format_error_rate',
  'timeout_rate',
  'solo_completion',
  'reward',
  'calibration_error',
]);
export type SignalName = z.infer<typeof SignalName>;

const finite = z.number().refine(Number.isFinite, 'a finite number');
const share = z.number().min(0).max(1);

/** A signal that falls as help is needed (completions, reward) has `scaffold` below `independence`. */
const SignalRule = z
  .strictObject({
    signal: SignalName,
    scaffold: finite,
    independence: finite,
    hysteresis: z.number().min(0).default(PHASE_DEFAULTS.hysteresis),
    dwell: z.number().int().min(1).max(1000).default(PHASE_DEFAULTS.dwell),
  })
  .refine(
    ({ scaffold, independence, hysteresis }) => Math.abs(scaffold - independence) > 2 * hysteresis,
    'the bounds must lie further apart than twice the hysteresis',
  );
type SignalRule = z.infer<typeof SignalRule>;

/** The bounds a signal has where nobody names others; those of format errors are the public recipe's. */
const SIGNAL_BOUNDS: Readonly<Record<SignalName, { scaffold: number; independence: number }>> = {
  format_error_rate: RECIPE_BOUNDS,
  timeout_rate: { scaffold: 0.5, independence: 0.2 },
  solo_completion: { scaffold: 0.1, independence: 0.4 },
  reward: { scaffold: 0, independence: 0.5 },
  calibration_error: { scaffold: 0.35, independence: 0.15 },
};

const Phases = z.strictObject({
  /** Each is followed by itself; the phase is that of the one that asks for the most help. */
  signals: z
    .array(SignalRule)
    .min(1)
    .max(SignalName.options.length)
    .refine(
      (rules) => new Set(rules.map(({ signal }) => signal)).size === rules.length,
      'each signal stands once',
    )
    .default([
      {
        signal: 'format_error_rate',
        ...RECIPE_BOUNDS,
        hysteresis: PHASE_DEFAULTS.hysteresis,
        dwell: PHASE_DEFAULTS.dwell,
      },
    ]),
  start: z.enum(['scaffold', 'balanced', 'independence']).default(PHASE_DEFAULTS.start),
  /** The same share at every step, whatever is measured; null: by phases. */
  fixed_share: share.nullable().default(null),
});

/** Wilson's lower bound at 95 % over a task's last `window` rollouts alone. By default 7 of 8 and 4 of 8. */
const Withdrawal = z
  .strictObject({
    is_on: z.boolean().default(true),
    window: z.number().int().min(2).max(256).default(8),
    /** At this bound or above the expert leaves the task. */
    withdraw_at: share.default(0.5),
    /** Below this bound it comes back. */
    return_below: share.default(0.25),
  })
  .refine(({ withdraw_at, return_below }) => return_below < withdraw_at, {
    message: 'return_below must be less than withdraw_at',
  });

const Hints = z.strictObject({
  is_on: z.boolean().default(true),
  /** So many whole groups at zero in a row bring the next hint. */
  groups_at_zero: z.number().int().min(1).max(100).default(1),
  /** A group that completed this share or more with a hint takes the hint back by one. */
  ease_at: z.number().gt(0).max(1).default(0.5),
});

const DifficultySettings = z.strictObject({
  /** `on`: begins with the lowest level. `triggered`: all levels are open until rewards stay low. */
  mode: z.enum(['off', 'triggered', 'on']).default('triggered'),
  /** The next level opens when the mean reward alone on the highest open one is above this. */
  unlock_above: finite.default(0.3),
  /** Over so many rollouts. */
  unlock_rollouts: z.number().int().min(1).max(100_000).default(32),
  trigger_below: finite.default(0.1),
  trigger_rollouts: z.number().int().min(1).max(100_000).default(500),
});

const SECTIONS = {
  phases: Phases,
  withdrawal: Withdrawal,
  hints: Hints,
  difficulty: DifficultySettings,
} as const;

export const CurriculumSettings = z.strictObject({
  phases: Phases.prefault({}),
  withdrawal: Withdrawal.prefault({}),
  hints: Hints.prefault({}),
  difficulty: DifficultySettings.prefault({}),
});
export type CurriculumSettings = z.infer<typeof CurriculumSettings>;
export const CURRICULUM_DEFAULTS: CurriculumSettings = CurriculumSettings.parse({});

/** Sections, and settings within them, that are to change; the others stay as they are. */
export const SettingsChange = z.partialRecord(
  z.enum(Object.keys(SECTIONS) as (keyof typeof SECTIONS)[]),
  z.record(z.string(), z.unknown()),
);
export type SettingsChange = z.infer<typeof SettingsChange>;

/** New settings have their bounds the right way round; older logs are read as they are. */
const NewSettings = CurriculumSettings.superRefine(({ phases }, context) => {
  for (const [at, { signal, scaffold, independence }] of phases.signals.entries()) {
    const usual = SIGNAL_BOUNDS[signal];
    if (scaffold > independence === usual.scaffold > usual.independence) continue;
    const isHigh = usual.scaffold > usual.independence;
    context.addIssue({
      code: 'custom',
      path: ['phases', 'signals', at],
      message: `of ${signal}, scaffold has to be ${isHigh ? 'above' : 'below'} independence: ${isHigh ? 'high' : 'low'} values ask for more help`,
    });
  }
});

/** Throws a ZodError where what comes of it is none. */
export function changedSettings(settings: CurriculumSettings, change: SettingsChange): CurriculumSettings {
  const names = Object.keys(SECTIONS) as (keyof typeof SECTIONS)[];
  return NewSettings.parse(
    Object.fromEntries(names.map((name) => [name, { ...settings[name], ...change[name] }])),
  );
}

/** Changes that the owner of a run may ask for; a trainer never does any of it. */
export const CurriculumSteering = z.discriminatedUnion('what', [
  /** From the next decision on. */
  z.strictObject({ what: z.literal('settings'), settings: SettingsChange }),
  /** The decisions from this step on, and what was told after the first of them, are taken back. */
  z.strictObject({ what: z.literal('set_back'), step: z.number().int().min(0) }),
  /** The run goes on with another key: its id. */
  z.strictObject({ what: z.literal('key'), key: z.string() }),
]);
export type CurriculumSteering = z.infer<typeof CurriculumSteering>;
