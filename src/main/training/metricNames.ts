// Maps each trainer's metrics to the fields of a step: names of TRL and of our kit, of verl, and of the public briefs,
// as they are written in their logs.
import { emptyStep, type RunStep } from '../../shared/training/run.ts';

/** One number of one metric at one step; null where the log says that there is none. */
export type MetricPoint = { step: number; name: string; value: number | string | null };

type NumberField =
  | 'reward'
  | 'reward_sd'
  | 'rollouts'
  | 'judged'
  | 'completed'
  | 'completed_share'
  | 'format_error_rate'
  | 'timeout_rate'
  | 'expert_share'
  | 'expert_minutes'
  | 'groups'
  | 'flat_groups';

/** Lower case, without the prefix of a split. The first name that a file has is taken. */
const NAMES: Readonly<Record<NumberField, readonly string[]>> = {
  reward: ['reward', 'reward/overall', 'reward_mean', 'mean_reward', 'critic/rewards/mean', 'reward/mean'],
  reward_sd: ['reward_std', 'reward_sd', 'reward/std'],
  rollouts: ['rollouts', 'num_rollouts', 'episodes'],
  judged: ['judged'],
  completed: ['completed', 'completions'],
  completed_share: [
    'completed_share',
    'success_rate',
    'episode/success_rate',
    'completion_rate',
    'completed/solo',
  ],
  format_error_rate: ['format_error_rate', 'format_errors', 'episode/format_error_rate', 'fe', 'fe_rate'],
  timeout_rate: ['timeout_rate', 'episode/timeout_rate'],
  expert_share: ['expert_share', 'expert_ratio'],
  expert_minutes: ['expert_minutes', 'minutes'],
  groups: ['groups'],
  flat_groups: ['flat_groups', 'zero_variance_groups'],
};
const WHOLE: ReadonlySet<NumberField> = new Set(['rollouts', 'judged', 'completed', 'groups', 'flat_groups']);
const SHARES: ReadonlySet<NumberField> = new Set([
  'completed_share',
  'format_error_rate',
  'timeout_rate',
  'expert_share',
]);

const FIELD_OF: ReadonlyMap<string, { field: NumberField; rank: number }> = new Map(
  (Object.keys(NAMES) as NumberField[]).flatMap((field) =>
    NAMES[field].map((name, rank) => [name, { field, rank }] as const),
  ),
);

/** Parts of a reward: `reward/process`, TRL's `rewards/<function>/mean`. */
const COMPONENT = /^(?:rewards?\/)(?!overall$|mean$|std$|expert$|solo$)([\w .-]+?)(?:\/mean)?$/;
/** Of TRL: the share of groups in which every reward is the same. */
const FLAT_SHARE = 'frac_reward_zero_std';
const ASKED = {
  solo: 'diagnostic/solo',
  recovery: 'diagnostic/recovery',
  blind: 'diagnostic/blind',
} as const;

const plainName = (name: string): string => name.toLowerCase().replace(/^(?:train|rollout)\//, '');

type StepsOfMetrics = {
  /** One entry for each step, lowest first. */
  steps: RunStep[];
  /** Names that are in none of the fields. */
  unread: string[];
  /** Steps that tell one name twice. */
  twice: number[];
  /** Steps at which a value was not used, by what is wrong with it, in words. */
  faults: ReadonlyMap<string, readonly number[]>;
  /** Steps at which a name is NaN or Infinity. */
  noNumber: ReadonlyMap<string, readonly number[]>;
};

/** Findings of a reading, step by step. */
type Findings = { unread: Set<string>; faults: Map<string, number[]> };

export function stepsOfMetrics(points: readonly MetricPoint[]): StepsOfMetrics {
  const findings: Findings = { unread: new Set(), faults: new Map() };
  const noNumber = new Map<string, number[]>();
  for (const { name, value, step } of points) {
    if (typeof value !== 'number' || Number.isFinite(value)) continue;
    noNumber.set(name, [...(noNumber.get(name) ?? []), step]);
  }
  const steps = [...Map.groupBy(points, ({ step }) => step)]
    .toSorted(([a], [b]) => a - b)
    .map(([step, list]) => stepOf(step, list, findings));
  return {
    steps: steps.filter(({ isTold }) => isTold).map(({ step }) => step),
    unread: [...findings.unread].toSorted(),
    twice: steps.filter(({ isTwice }) => isTwice).map(({ step }) => step.step),
    faults: findings.faults,
    noNumber,
  };
}

/** True if a field of a step has this name. */
export const isMetricName = (name: string): boolean => {
  const plain = plainName(name);
  return FIELD_OF.has(plain) || COMPONENT.test(plain);
};

function stepOf(
  number: number,
  points: readonly MetricPoint[],
  { unread, faults }: Findings,
): { step: RunStep; isTold: boolean; isTwice: boolean } {
  const step = emptyStep(number);
  const ranks = new Map<NumberField, number>();
  const asked = { solo: -1, recovery: -1, blind: -1 };
  let isTold = false;
  let isTwice = false;
  const told = new Set<string>();
  const fault = (words: string): void => {
    faults.set(words, [...(faults.get(words) ?? []), number]);
  };
  for (const { name, value } of points) {
    const plain = plainName(name);
    const known = FIELD_OF.get(plain);
    const part = COMPONENT.exec(plain)?.[1];
    const pattern = (Object.keys(ASKED) as (keyof typeof ASKED)[]).find((one) => ASKED[one] === plain);
    if (value === null || (typeof value === 'number' && !Number.isFinite(value))) {
      // The step is there all the same, with a gap.
      isTold ||= known !== undefined;
      continue;
    }
    if (plain === 'phase') step.phase = String(value);
    else if (typeof value !== 'number') {
      if (isMetricName(name)) fault(`${name} is no number (${value.slice(0, 40)})`);
      else unread.add(name);
      continue;
    } else if (known !== undefined) {
      if ((ranks.get(known.field) ?? Infinity) < known.rank) continue;
      const fitting = fit(known.field, plain, value);
      if (fitting === null) {
        fault(`${name} ${SHARES.has(known.field) ? 'is not between 0 and 1' : 'is no count'}`);
        continue;
      }
      ranks.set(known.field, known.rank);
      step[known.field] = fitting;
    } else if (plain === FLAT_SHARE && value >= 0 && value <= 1)
      step.components['groups of equal rewards'] = value;
    else if (pattern !== undefined && value >= 0) asked[pattern] = Math.round(value);
    else if (part !== undefined) step.components[part] = value;
    else {
      unread.add(name);
      continue;
    }
    isTold = true;
    isTwice ||= told.has(name);
    told.add(name);
  }
  const hasAsked = Object.values(asked).every((count) => count >= 0);
  if (!hasFittingCounts(step)) fault('completed is more than were judged');
  return { step: { ...step, asked: hasAsked ? asked : null }, isTold, isTwice };
}

/** A count of completions is of the rollouts where nobody counted those judged. False where it is of fewer. */
function hasFittingCounts(step: RunStep): boolean {
  if (step.completed === null) return true;
  step.judged ??= step.rollouts;
  if (step.judged === null || step.completed <= step.judged) return true;
  step.completed = null;
  return false;
}

/** Percent where the name says nothing and the number can be no share. Null for what the field cannot hold. */
function fit(field: NumberField, name: string, value: number): number | null {
  if (WHOLE.has(field)) return Number.isInteger(value) && value >= 0 ? value : null;
  if (!SHARES.has(field)) return value;
  const share = value > 1 && (name === 'fe' || name === 'format_errors') ? value / 100 : value;
  return share >= 0 && share <= 1 ? share : null;
}
