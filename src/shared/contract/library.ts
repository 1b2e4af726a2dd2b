// The commands of the library: what narrows and orders its list, search in all words of the log, and tags.
import { z } from 'zod';
import { HitKind } from '../events/kind.ts';
import { Condition, Outcome, Source } from '../events/lifecycle.ts';
import { Tag } from '../events/library.ts';
import { InterventionLift } from '../lift/intervention.ts';
import { ANY_OF_IT, OWNER_READS, OWNER_WRITES } from './row.ts';

/** A person's decision on a draft. Rewritten: fewer than half of the words sent are the draft's. */
export const DraftFate = z.enum(['accepted', 'edited', 'rewritten', 'written', 'declined']);
export type DraftFate = z.infer<typeof DraftFate>;

/** Conditions on a line of the list; what is left out narrows nothing. Times are UTC ms. */
export const EpisodeFilter = z.strictObject({
  source: Source.optional(),
  /** By its key: scenarios of several environments may have one name. */
  environment: z.string().max(300).optional(),
  scenario: z.string().max(200).optional(),
  outcome: Outcome.optional(),
  reward_type: z.string().max(100).optional(),
  reward_min: z.number().optional(),
  reward_max: z.number().optional(),
  has_advice: z.boolean().optional(),
  /** What a person made of a draft in it. */
  draft: DraftFate.optional(),
  has_step_ins: z.boolean().optional(),
  has_labels: z.boolean().optional(),
  /** Advice that was given repeats values the agent could not know; false asks for advice measured to repeat none. */
  has_leaks: z.boolean().optional(),
  /** The seat of somebody who judged some of it, and did not take it back. */
  reviewer: z.string().max(200).optional(),
  since: z.number().optional(),
  until: z.number().optional(),
  tag: z.string().max(60).optional(),
  run: z.string().max(200).optional(),
  /** Rollouts of one prompt. */
  group: z.string().optional(),
});
export type EpisodeFilter = z.infer<typeof EpisodeFilter>;

export const OrderBy = z.enum([
  'started_at',
  'scenario',
  'condition',
  'turns',
  'consultations',
  'tool_errors',
  'human_acts',
  'reward',
  'outcome',
  /** Causal figures alone; what was not measured comes last. */
  'lift',
  /** What runs on top of what has ended, each newest first, whichever way is asked for. */
  'running',
]);
export type OrderBy = z.infer<typeof OrderBy>;
export const EpisodeOrder = z.strictObject({ by: OrderBy, is_ascending: z.boolean() });
export type EpisodeOrder = z.infer<typeof EpisodeOrder>;
export const NEWEST_FIRST: EpisodeOrder = { by: 'started_at', is_ascending: false };
export const RUNNING_FIRST: EpisodeOrder = { by: 'running', is_ascending: false };

export const SearchHit = z.strictObject({
  /** Goes on from here with `before`. */
  place: z.number(),
  seq: z.number().int(),
  at: z.number(),
  kind: HitKind,
  /** The kind of the event, as the log has it. */
  event: z.string(),
  episode: z.string().nullable(),
  /** The event's place in the episode; null where it is about an episode and stands beside it. */
  n: z.number().int().nullable(),
  scenario: z.string().nullable(),
  /** What the episode ran in, or the name its file came under. */
  environment: z.string().nullable(),
  task_idx: z.number().int().nullable(),
  /** Some of the text around the first words found; `marks` are the words in it, as [start, end). */
  snippet: z.string(),
  marks: z.array(z.tuple([z.number().int(), z.number().int()])),
});
export type SearchHit = z.infer<typeof SearchHit>;

/** Progress of the index: events taken in, of all there are. */
export const SearchProgress = z.strictObject({ indexed: z.number().int(), total: z.number().int() });
export type SearchProgress = z.infer<typeof SearchProgress>;

/** The measured worth of one answer, its measurement, and who went on. */
const MeasuredLift = z.strictObject({
  lift: z.string(),
  agent: z.string().nullable(),
  at: z.number(),
  measured: InterventionLift,
});
type MeasuredLift = z.infer<typeof MeasuredLift>;

const Episode = z.strictObject({ episode: z.string().max(200) });
const EpisodeIds = z.array(z.string().max(200)).min(1).max(10_000);

/** So many names at once. */
export const NAMES_MAX = 2000;
const NamedTask = z.strictObject({
  /** Absent where the asker does not know in which environment it is played. */
  environment_key: z.string().max(300).optional(),
  scenario: z.string().max(300),
  task_idx: z.number().int(),
});
export type NamedTask = z.infer<typeof NamedTask>;

export const library = {
  /** Without words it finds nothing, and says how far the index is. */
  'log.search': {
    ...OWNER_READS,
    reveals: ANY_OF_IT,
    input: z.strictObject({
      query: z.string().max(400),
      kinds: z.array(HitKind).max(6),
      /** The `place` of the last hit before; null for the newest. */
      before: z.number().nullable(),
      limit: z.number().int().min(1).max(200),
    }),
    output: z.strictObject({
      hits: z.array(SearchHit),
      has_more: z.boolean(),
      /** True when the last word was taken as the beginning of one: as it stands it is nowhere. */
      is_prefix: z.boolean(),
      progress: SearchProgress,
    }),
  },
  /** What there is to choose from. */
  'library.facets': {
    ...OWNER_READS,
    input: z.strictObject({}),
    output: z.strictObject({
      environments: z.array(z.string()).optional(),
      scenarios: z.array(z.string()),
      runs: z.array(z.string()),
      tags: z.array(z.string()),
      reward_types: z.array(z.string()),
      /** Seats that judged an episode. */
      reviewers: z.array(z.string()),
      conditions: z.array(Condition),
    }),
  },
  /** How tasks are called, in their own words: of episodes, and of tasks by their address. */
  'library.names': {
    ...OWNER_READS,
    input: z.strictObject({
      episodes: z.array(z.string().max(200)).max(NAMES_MAX),
      tasks: z.array(NamedTask).max(NAMES_MAX),
    }),
    output: z.strictObject({
      /** In the order asked for, the first 300 characters; null where nothing is known. */
      episodes: z.array(z.string().nullable()),
      /** By the newest episode that played it; null also where environments know other tasks by that address. */
      tasks: z.array(z.string().nullable()),
    }),
  },
  'tags.change': {
    ...OWNER_WRITES,
    input: z.strictObject({ episodes: EpisodeIds, add: z.array(Tag).max(20), remove: z.array(Tag).max(20) }),
    output: z.strictObject({ changed: z.number().int() }),
  },
  /** What answers in an episode were worth, newest first. */
  'lift.read': {
    ...OWNER_READS,
    reveals: ['verdict'],
    input: Episode,
    output: z.strictObject({ lifts: z.array(MeasuredLift) }),
  },
} as const;

/** A shorter text would be found in what it has nothing to do with. */
export const ERASED_TEXT_MIN = 6;

export const EraseResult = z.strictObject({
  /** Events that hold tombstones now. */
  events: z.number().int(),
  /** Events of annotation projects that lost words about the episode. */
  judgements: z.number().int(),
  /** Places the text was taken out of, in whatever spelling; null when all texts were. */
  places: z.number().int().nullable(),
  /** Events in which it still stands, as a number or across fields. */
  left: z.number().int(),
  /** Of the text that was taken out; null when all were. */
  sha256: z.string().nullable(),
  /** Episodes that hold copies of its turns: they were not touched. */
  copies: z.array(z.string()),
  /** Kept files that were removed with it, by their names. */
  files: z.array(z.string()),
  /** Other episodes that came from those files and can no longer be written back. */
  shared: z.number().int(),
});
export type EraseResult = z.infer<typeof EraseResult>;

export const erasing = {
  /** Every text of an episode, or with `text` that one wherever it stands in it. */
  'episode.erase': {
    ...OWNER_WRITES,
    input: z.strictObject({
      episode: z.string().max(200),
      text: z.string().min(ERASED_TEXT_MIN).max(1_000_000).nullable(),
      reason: z.string().trim().min(1).max(2000).nullable(),
    }),
    output: EraseResult,
  },
} as const;

const EmptyInput = z.strictObject({});
const Count = z.number().int();

const ExpertFigures = z.strictObject({
  expert: z.string(),
  asked: Count,
  named: Count,
  answered: Count,
  declined: Count,
  drafts: z.strictObject({
    made: Count,
    failed: Count,
    accepted: Count,
    edited: Count,
    declined: Count,
    unused: Count,
  }),
  uptake: z.strictObject({ followed: Count, partly: Count, ignored: Count, contradicted: Count }),
  outcomes: z.strictObject({ episodes: Count, complete: Count }),
  median_answer_ms: z.number().nullable(),
  tokens: z.strictObject({ input: z.number(), output: z.number(), unknown: Count }),
});

export const experts = {
  /** Over every episode in which a question went to an expert. */
  'experts.figures': {
    ...OWNER_READS,
    input: EmptyInput,
    output: z.strictObject({ episodes: Count, figures: z.array(ExpertFigures) }),
  },
} as const;
