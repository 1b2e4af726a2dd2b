// The commands of the reward lab: named settings, episodes scored with one set of them against another, and what that
// comes to. Owner only.
import { z } from 'zod';
import { ProfileName } from '../events/rewards.ts';
import { Condition } from '../events/lifecycle.ts';
import { Breakdown, Measure, Pattern } from '../rewards/breakdown.ts';
import { RewardSettings } from '../rewards/settings.ts';
import { EpisodeFilter } from './library.ts';

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
export const ScoreRow = z.strictObject({
  episode: z.string(),
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
export const Flip = z.strictObject({ up: ScoreRow, down: ScoreRow, is_same_group: z.boolean() });
export type Flip = z.infer<typeof Flip>;

export const Suspect = z.strictObject({
  row: ScoreRow,
  /** It rises without being completed; or it is completed and rises more than others of its task. */
  why: z.enum(['not_completed', 'above_peers']),
  gain: z.number(),
  /** Mean gain of the other episodes of its task; null where there are none. */
  peer_gain: z.number().nullable(),
});
export type Suspect = z.infer<typeof Suspect>;

/** How many pairs keep their order. A tie is no order. */
export const PairCounts = z.strictObject({
  pairs: z.number().int(),
  kept: z.number().int(),
  flipped: z.number().int(),
  /** Told apart before, no longer; and the other way round. */
  tied: z.number().int(),
  untied: z.number().int(),
  /** Kendall's tau-b; null where one side tells none apart. */
  tau: z.number().nullable(),
});
export type PairCounts = z.infer<typeof PairCounts>;

export const Correlation = z.strictObject({
  /** `shaped`, `rubric`, or a component of the rubric. */
  of: z.string(),
  /** With whether the verifier said `complete`, over verified episodes. Null where either does not vary. */
  before: z.strictObject({ point_biserial: z.number().nullable(), spearman: z.number().nullable() }),
  after: z.strictObject({ point_biserial: z.number().nullable(), spearman: z.number().nullable() }),
});
export type Correlation = z.infer<typeof Correlation>;

/** `sd` is the sample's; null with fewer than two. */
const Spread = z.strictObject({ mean: z.number(), sd: z.number().nullable() });
export const Section = z.strictObject({
  of: z.enum(['all', 'condition', 'pattern']),
  /** A condition or pattern; `not completed`, `not recorded` where there is none. */
  name: z.string(),
  episodes: z.number().int(),
  complete: z.number().int(),
  before: Spread,
  after: Spread,
});
export type Section = z.infer<typeof Section>;

/** Episodes at one place of the chart. */
export const Dot = z.strictObject({
  before: z.number(),
  after: z.number(),
  complete: z.number().int(),
  other: z.number().int(),
});
export type Dot = z.infer<typeof Dot>;

export const LabReport = z.strictObject({
  measure: Measure,
  episodes: z.number().int(),
  /** The headline: what the verifier says, with Wilson's 95 % interval of the share. */
  completion: z.strictObject({
    complete: z.number().int(),
    verified: z.number().int(),
    low: z.number().nullable(),
    high: z.number().nullable(),
  }),
  change: z.strictObject({ raised: z.number().int(), lowered: z.number().int(), same: z.number().int() }),
  sections: z.array(Section),
  correlations: z.array(Correlation),
  overall: PairCounts,
  /** Pairs of one task, over all tasks; tau is of the pairs pooled. */
  tasks: z.strictObject({ tasks: z.number().int(), counts: PairCounts }),
  /** Pairs of one group of rollouts: what a trainer compares. */
  groups: z.strictObject({
    groups: z.number().int(),
    rollouts: z.number().int(),
    counts: PairCounts,
    /** Rollouts whose place against their group's mean changes sides. */
    sign_changes: z.number().int(),
    /** Groups in which every rollout got the same: nothing to learn from. */
    flat_before: z.number().int(),
    flat_after: z.number().int(),
  }),
  /** Pairs of one task in which the one not completed is worth as much or more. */
  inversions: z.strictObject({ pairs: z.number().int(), before: z.number().int(), after: z.number().int() }),
  flips: z.array(Flip),
  suspects: z.strictObject({ total: z.number().int(), list: z.array(Suspect) }),
  /** Exact places, or places rounded to `grid` where there are too many to draw. */
  dots: z.strictObject({ grid: z.number().nullable(), list: z.array(Dot) }),
});
export type LabReport = z.infer<typeof LabReport>;

export const ProfileRow = z.strictObject({
  name: z.string(),
  /** 0 for the default, which cannot be changed. */
  version: z.number().int(),
  settings: RewardSettings,
  saved_at: z.number().nullable(),
});
export type ProfileRow = z.infer<typeof ProfileRow>;

const set = z.string().max(80);
const EmptyRewardsInput = z.strictObject({});

export const rewards = {
  'rewards.profiles': { input: EmptyRewardsInput, output: z.strictObject({ profiles: z.array(ProfileRow) }) },
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
    output: z.strictObject({ set: z.string(), total: z.number().int() }),
  },
  /** Scores a set, or says how far its reading is. Throws `not_found` for a set that was closed. */
  'rewards.score': {
    input: z.strictObject({ set, measure: Measure, before: Scoring, after: Scoring }),
    output: z.discriminatedUnion('state', [
      z.strictObject({ state: z.literal('reading'), done: z.number().int(), total: z.number().int() }),
      z.strictObject({ state: z.literal('done'), report: LabReport }),
    ]),
  },
  /** The episodes of a set that was read, with their breakdowns. */
  'rewards.rows': {
    input: z.strictObject({
      set,
      measure: Measure,
      before: Scoring,
      after: Scoring,
      /** Largest gain first, largest loss first, or as they started, newest first. */
      order: z.enum(['gain', 'loss', 'newest']),
      offset: z.number().int().nonnegative(),
      limit: z.number().int().min(1).max(500),
    }),
    output: z.strictObject({
      total: z.number().int(),
      rows: z.array(
        z.strictObject({
          row: ScoreRow,
          before: Breakdown,
          after: Breakdown,
        }),
      ),
    }),
  },
  /** Stores the breakdown of every episode of a set by a profile, beside the episodes. Those stored already stay. */
  'rewards.keep': {
    input: z.strictObject({ set, profile: ProfileName }),
    output: z.strictObject({ kept: z.number().int(), known: z.number().int() }),
  },
  /** What was stored: how many episodes by which version of which profile, newest first. */
  'rewards.kept': {
    input: EmptyRewardsInput,
    output: z.strictObject({
      kept: z.array(
        z.strictObject({
          profile: z.string(),
          version: z.number().int(),
          episodes: z.number().int(),
          at: z.number(),
        }),
      ),
    }),
  },
  /** Stops reading, and forgets the set. */
  'rewards.close': { input: z.strictObject({ set }), output: EmptyRewardsInput },
} as const;
