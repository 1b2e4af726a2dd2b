// The commands of the reward lab: named settings, episodes scored with one set of them against another, and what that
// comes to. Owner only.
import { z } from 'zod';
import { Calibration } from '../calibration.ts';
import { ProfileName } from '../events/rewards.ts';
import { Condition } from '../events/lifecycle.ts';
import { Breakdown, Measure, Pattern } from '../rewards/breakdown.ts';
import { RewardSettings } from '../rewards/settings.ts';
import { EmptyInput } from './inputs.ts';
import { EpisodeFilter } from './library.ts';

const count = z.number().int();
const maybe = z.number().nullable();

/** Settings by the name of a profile, or as they are. */
export const Scoring = z.union([
  z.strictObject({ profile: ProfileName }),
  z.strictObject({ settings: RewardSettings }),
]);
export type Scoring = z.infer<typeof Scoring>;

/** Which ended episodes; the same parts narrow the library's list. */
export const ScoredFrom = z.union([
  z.strictObject({
    query: z.string().max(200),
    condition: Condition.nullable(),
    filter: EpisodeFilter,
  }),
  z.strictObject({ episodes: z.array(z.string().max(200)).min(1).max(200_000) }),
]);
export type ScoredFrom = z.infer<typeof ScoredFrom>;

/** One episode of a set, with what it is worth by both settings. */
const ScoreRow = z.strictObject({
  episode: z.string(),
  environment_key: z.string().optional(),
  scenario: z.string().nullable(),
  task_idx: z.number().int().nullable(),
  condition: Condition.nullable(),
  group: z.string().nullable(),
  /** The verifier's; null where it did not run. */
  label: z.string().nullable(),
  pattern: Pattern.nullable(),
  before: z.number(),
  after: z.number(),
});
export type ScoreRow = z.infer<typeof ScoreRow>;

/** Two episodes of one task that change places: `up` stood below `down` and stands above it now. */
const Flip = z.strictObject({ up: ScoreRow, down: ScoreRow, is_same_group: z.boolean() });
export type Flip = z.infer<typeof Flip>;

const Suspect = z.strictObject({
  row: ScoreRow,
  /** It rises without being completed; or it is completed and rises more than others of its task. */
  why: z.enum(['not_completed', 'above_peers']),
  gain: z.number(),
  /** Mean gain of the other episodes of its task; null where there are none. */
  peer_gain: maybe,
});
export type Suspect = z.infer<typeof Suspect>;

/** How many pairs keep their order; a tie is no order. Then those told apart before and no longer, and the reverse. */
const PairCounts = z.strictObject({
  pairs: count,
  kept: count,
  flipped: count,
  tied: count,
  untied: count,
  /** Kendall's tau-b; null where one side tells none apart. */
  tau: maybe,
});
export type PairCounts = z.infer<typeof PairCounts>;

/** With whether the verifier said `complete`, over verified episodes. Null where either does not vary. */
const Coefficients = z.strictObject({ point_biserial: maybe, spearman: maybe });
/** Of `shaped`, `rubric`, or a component of the rubric. */
const Correlation = z.strictObject({ of: z.string(), before: Coefficients, after: Coefficients });
export type Correlation = z.infer<typeof Correlation>;

/** `sd` is the sample's; null with fewer than two. */
const Spread = z.strictObject({ mean: z.number(), sd: maybe });
const Section = z.strictObject({
  of: z.enum(['all', 'condition', 'pattern']),
  /** A condition or pattern; `not completed`, `not recorded` where there is none. */
  name: z.string(),
  episodes: count,
  complete: count,
  before: Spread,
  after: Spread,
});
export type Section = z.infer<typeof Section>;

/** Episodes at one place of the chart. */
const Dot = z.strictObject({ before: z.number(), after: z.number(), complete: count, other: count });
export type Dot = z.infer<typeof Dot>;

const LabReport = z.strictObject({
  measure: Measure,
  episodes: count,
  /** The headline: what the verifier says, with the 95 % interval of the share over tasks; null of fewer than two. */
  completion: z.strictObject({ complete: count, verified: count, tasks: count, low: maybe, high: maybe }),
  /** How many episodes are worth more, less, and as much as before. */
  change: z.strictObject({ raised: count, lowered: count, same: count }),
  sections: z.array(Section),
  /** Stated confidence against the verifier's word, one point an episode; absent where no agent stated any. */
  calibration: Calibration.optional(),
  correlations: z.array(Correlation),
  overall: PairCounts,
  /** Pairs of one task, over all tasks; tau is of the pairs pooled. */
  tasks: z.strictObject({ tasks: count, counts: PairCounts }),
  /** Pairs of one group of rollouts: what a trainer compares. */
  groups: z.strictObject({
    groups: count,
    rollouts: count,
    counts: PairCounts,
    /** Rollouts whose place against their group's mean changes sides. */
    sign_changes: count,
    /** Groups in which every rollout got the same: nothing to learn from. */
    flat_before: count,
    flat_after: count,
  }),
  /** Pairs of one task in which the one not completed is worth as much or more. */
  inversions: z.strictObject({ pairs: count, before: count, after: count }),
  flips: z.array(Flip),
  suspects: z.strictObject({ total: count, list: z.array(Suspect) }),
  /** Exact places, or places rounded to `grid` where there are too many to draw. */
  dots: z.strictObject({ grid: maybe, list: z.array(Dot) }),
});
export type LabReport = z.infer<typeof LabReport>;

const ProfileRow = z.strictObject({
  name: z.string(),
  /** 0 for the default, which cannot be changed. */
  version: count,
  settings: RewardSettings,
  saved_at: maybe,
});
export type ProfileRow = z.infer<typeof ProfileRow>;

const set = z.string().max(80);
const scored = { set, measure: Measure, before: Scoring, after: Scoring };

export const rewards = {
  'rewards.profiles': { input: EmptyInput, output: z.strictObject({ profiles: z.array(ProfileRow) }) },
  /** Throws `bad_input` naming the rule that is broken, or when the name is the default's. */
  'rewards.save_profile': {
    input: z.strictObject({ name: ProfileName, settings: RewardSettings }),
    output: ProfileRow,
  },
  /** Gives back what was removed, so that it can be saved again. */
  'rewards.remove_profile': { input: z.strictObject({ name: ProfileName }), output: ProfileRow },
  /** Begins to read a set of ended episodes; what was read before is not read again. */
  'rewards.open': {
    input: z.strictObject({ from: ScoredFrom }),
    output: z.strictObject({ set: z.string(), total: count }),
  },
  /** Scores a set, or says how far its reading is. Throws `not_found` for a set that was closed. */
  'rewards.score': {
    input: z.strictObject(scored),
    output: z.discriminatedUnion('state', [
      z.strictObject({ state: z.literal('reading'), done: count, total: count }),
      z.strictObject({
        state: z.literal('done'),
        report: LabReport,
        /** Episodes that nobody played for their own sake, where neither they nor their run were named. */
        left_out: z.strictObject({ continuations: count, probes: count }),
      }),
    ]),
  },
  /** The episodes of a set that was read, with their breakdowns. */
  'rewards.rows': {
    input: z.strictObject({
      ...scored,
      /** Largest gain first, largest loss first, or as they started, newest first. */
      order: z.enum(['gain', 'loss', 'newest']),
      offset: z.number().int().nonnegative(),
      limit: z.number().int().min(1).max(500),
    }),
    output: z.strictObject({
      total: count,
      rows: z.array(z.strictObject({ row: ScoreRow, before: Breakdown, after: Breakdown })),
    }),
  },
  /** Stores the breakdown of every episode of a set by a profile, beside the episodes. Those stored already stay. */
  'rewards.keep': {
    input: z.strictObject({ set, profile: ProfileName }),
    output: z.strictObject({ kept: count, known: count }),
  },
  /** What was stored: how many episodes by which version of which profile, newest first. */
  'rewards.kept': {
    input: EmptyInput,
    output: z.strictObject({
      kept: z.array(
        z.strictObject({
          profile: z.string(),
          version: count,
          episodes: count,
          at: z.number(),
        }),
      ),
    }),
  },
  /** Stops reading, and forgets the set. */
  'rewards.close': { input: z.strictObject({ set }), output: EmptyInput },
} as const;
