// The commands of annotation: projects, queues, what a reviewer says, agreement and adjudication.
import { z } from 'zod';
import { Privilege, Timing } from '../events/actor.ts';
import { Candidate, Correct, Dimension, Subject, Target, Value } from '../events/annotations.ts';
import { Condition } from '../events/lifecycle.ts';
import { isReservedTool } from '../wire.ts';
import { EXPERT_READS, EXPERT_WRITES, OWNER_READS, OWNER_WRITES, EmptyInput } from './row.ts';
import { EpisodeFilter } from './library.ts';
import { EpisodeRow, Status } from '../episode/rowShapes.ts';
import { Metric } from '../review/alpha.ts';

/** A correction for the agent: a call of it is one that an agent may make. */
const GivenCorrect = Correct.refine(
  (correct) =>
    correct.type !== 'move' || correct.move.type !== 'call_tool' || !isReservedTool(correct.move.tool_name),
  { error: 'this tool belongs to the environment’s host, not to an agent' },
);
const project = { project: z.string().min(1).max(80) } as const;
const queue = { ...project, queue: z.string().min(1).max(80) } as const;
const item = { ...queue, item: z.string().min(1).max(80) } as const;
const name = z.string().trim().min(1).max(120);
const instructions = z.string().max(20_000);
const reason = z.string().max(20_000).nullable();

const ReviewerRow = z.strictObject({
  seat: z.string(),
  done: z.number().int(),
  skipped: z.number().int(),
  postponed: z.number().int(),
  assigned: z.number().int().nullable(),
  median_ms: z.number().nullable(),
});

const ProgressRow = z.strictObject({
  items: z.number().int(),
  complete: z.number().int(),
  leased: z.number().int(),
  reviews_done: z.number().int(),
  reviews_wanted: z.number().int(),
  conflicts: z.number().int(),
  adjudicated: z.number().int(),
  reviewers: z.array(ReviewerRow),
});

export const AgreementRow = z.strictObject({
  dimension: z.string(),
  metric: Metric,
  alpha: z.number().nullable(),
  /** Parts of episodes that at least two reviewers judged. */
  units: z.number().int(),
  values: z.number().int(),
  same: z.number().nullable(),
  options: z.array(
    z.strictObject({
      option: z.string(),
      alpha: z.number().nullable(),
      chosen: z.number().int(),
      judgements: z.number().int(),
      overlap: z.number().nullable(),
    }),
  ),
});
export type AgreementRow = z.infer<typeof AgreementRow>;

export const QueueRow = z.strictObject({
  queue: z.string(),
  name: z.string(),
  subject: z.enum(['episode', 'pair']),
  reviewers_per_item: z.number().int(),
  seats: z.array(z.string()),
  is_blind: z.boolean(),
  hides_outcome: z.boolean(),
  lease_ms: z.number().int(),
  made_at: z.number(),
  /** Reviewers other than the caller are left out for an expert’s seat. */
  progress: ProgressRow,
  /** Empty for an expert’s seat. */
  agreement: z.array(AgreementRow),
  /** Items the caller can take now, and those it has finished. */
  free: z.number().int(),
  done: z.number().int(),
});
export type QueueRow = z.infer<typeof QueueRow>;

export const ProjectRow = z.strictObject({
  ...project,
  name: z.string(),
  instructions: z.string(),
  created_at: z.number(),
  updated_at: z.number(),
  schema_version: z.number().int(),
  dimensions: z.array(Dimension),
  queues: z.array(QueueRow),
});
export type ProjectRow = z.infer<typeof ProjectRow>;

const SeatState = z.enum(['open', 'leased', 'skipped', 'postponed', 'done']);
export const ItemRow = z.strictObject({
  item: z.string(),
  subject: Subject,
  /** The episodes it is about, as the list shows them; null for one that is not there. */
  episodes: z.array(EpisodeRow.nullable()),
  reviewers: z.array(z.string()),
  /** The caller’s own state; `open` before it did anything. */
  mine: SeatState,
  seats: z.array(z.strictObject({ seat: z.string(), state: SeatState, active_ms: z.number().nullable() })),
  is_complete: z.boolean(),
  conflicts: z.strictObject({ all: z.number().int(), open: z.number().int() }),
});
export type ItemRow = z.infer<typeof ItemRow>;

const byReviewer = { reviewer: z.string(), at: z.number(), privilege: Privilege, timing: Timing } as const;
export const AnnotationRow = z.strictObject({
  annotation: z.string(),
  target: Target,
  dimension: z.string(),
  value: Value,
  schema_version: z.number().int(),
  ...byReviewer,
});
export type AnnotationRow = z.infer<typeof AnnotationRow>;
export const CorrectionRow = z.strictObject({
  correction: z.string(),
  target: Target,
  correct: Correct,
  reason,
  ...byReviewer,
});
export type CorrectionRow = z.infer<typeof CorrectionRow>;
export const PreferenceRow = z.strictObject({
  preference: z.string(),
  choice: z.enum(['left', 'right', 'tie']),
  reason,
  ...byReviewer,
});
export type PreferenceRow = z.infer<typeof PreferenceRow>;
export const ConflictRow = z.strictObject({
  target: Target,
  dimension: z.string(),
  values: z.array(z.strictObject({ reviewer: z.string(), value: Value })),
  /** What reviewers said the agent should have done, where that is what they differ on. */
  corrections: z.array(CorrectionRow),
  /** False where it is no contradiction: two remarks of two people may both stand. */
  is_open_question: z.boolean(),
  adjudication: z
    .strictObject({
      adjudication: z.string(),
      value: Value.nullable(),
      correct: Correct.nullable(),
      reason,
      reviewer: z.string(),
      at: z.number(),
    })
    .nullable(),
});
export type ConflictRow = z.infer<typeof ConflictRow>;

/** Everything the caller may see of an item. In a blind queue that is what the caller said itself. */
export const ItemView = z.strictObject({
  row: ItemRow,
  /** Until when the caller has it (UTC ms); null where it was only looked at. */
  until: z.number().nullable(),
  hides_outcome: z.boolean(),
  is_blind: z.boolean(),
  schema_version: z.number().int(),
  annotations: z.array(AnnotationRow),
  corrections: z.array(CorrectionRow),
  preferences: z.array(PreferenceRow),
});
export type ItemView = z.infer<typeof ItemView>;

const Filter = z.strictObject({
  query: z.string().max(200),
  status: Status.nullable(),
  condition: Condition.nullable(),
  filter: EpisodeFilter.optional(),
});
export type QueueFilter = z.infer<typeof Filter>;
const Pair = z.strictObject({ left: Candidate, right: Candidate });

const projects = {
  /** An expert’s seat is told of projects with a queue it may review. */
  'project.list': {
    ...EXPERT_READS,
    input: EmptyInput,
    output: z.strictObject({ projects: z.array(ProjectRow) }),
  },
  'project.create': {
    ...OWNER_WRITES,
    input: z.strictObject({ name, instructions, dimensions: z.array(Dimension).max(60) }),
    output: z.strictObject(project),
  },
  /**
   * `schema.seen_version` is the version that was changed: one that somebody else changed meanwhile is not lost. Answers
   * with the version of the questions.
   */
  'project.change': {
    ...OWNER_WRITES,
    input: z.strictObject({
      ...project,
      name: name.optional(),
      instructions: instructions.optional(),
      schema: z
        .strictObject({ seen_version: z.number().int(), dimensions: z.array(Dimension).max(60) })
        .optional(),
    }),
    output: z.strictObject({ version: z.number().int() }),
  },
} as const;

const queues = {
  'queue.make': {
    ...OWNER_WRITES,
    input: z.strictObject({
      ...project,
      name,
      reviewers_per_item: z.number().int().min(1).max(20),
      /** Empty: whoever may review takes what comes. Named: items are spread over them evenly. */
      seats: z.array(z.string()).max(100),
      is_blind: z.boolean(),
      hides_outcome: z.boolean(),
      lease_minutes: z
        .number()
        .min(1)
        .max(24 * 60),
      /** What it holds: episodes of the library that fit, episodes by their ids, or pairs. */
      from: z.discriminatedUnion('type', [
        z.strictObject({
          type: z.literal('filter'),
          filter: Filter,
          limit: z.number().int().min(1).max(100_000),
        }),
        z.strictObject({ type: z.literal('episodes'), episodes: z.array(z.string()).min(1).max(100_000) }),
        z.strictObject({ type: z.literal('pairs'), pairs: z.array(Pair).min(1).max(10_000) }),
        /** Decision points: the agent’s move beside each right move that a reviewer gave in this project. */
        z.strictObject({ type: z.literal('corrections') }),
        /** Episodes of the same task that fit, two by two: those with different outcomes first. */
        z.strictObject({
          type: z.literal('same_task'),
          filter: Filter,
          limit: z.number().int().min(1).max(10_000),
        }),
      ]),
    }),
    output: z.strictObject({ queue: z.string(), items: z.number().int() }),
  },
  'queue.items': {
    ...EXPERT_READS,
    reveals: ['verdict'],
    input: z.strictObject({
      ...queue,
      show: z.enum(['all', 'open', 'complete', 'conflicts']),
      offset: z.number().int().nonnegative(),
      limit: z.number().int().min(1).max(500),
    }),
    output: z.strictObject({ total: z.number().int(), items: z.array(ItemRow) }),
  },
  /** Takes the next item for the caller; null when nothing is left. */
  'queue.next': {
    ...EXPERT_WRITES,
    input: z.strictObject(queue),
    output: z.strictObject({ item: z.string().nullable() }),
  },
  /**
   * Takes the item, or holds it on; refused where it is another reviewer’s now. What is done may be looked at; `anew`: the
   * caller takes up a review again that it had ended.
   */
  'queue.open': {
    ...EXPERT_WRITES,
    reveals: ['verdict'],
    input: z.strictObject({ ...item, anew: z.boolean().optional() }),
    output: ItemView,
  },
  /** Ends the caller's review of an item for now. `reason` is of one that is skipped. */
  'queue.leave': {
    ...EXPERT_WRITES,
    input: z.strictObject({
      ...item,
      as: z.enum(['done', 'skipped', 'postponed']),
      reason: reason.optional(),
      timing: Timing,
    }),
    output: EmptyInput,
  },
  /** Gives items to reviewers in turn, `each` of them an item; nobody named: whoever may review takes what comes. */
  'queue.assign_many': {
    ...OWNER_WRITES,
    input: z.strictObject({
      ...queue,
      items: z.array(z.string()).min(1).max(10_000),
      reviewers: z.array(z.string()).max(20),
      each: z.number().int().min(1).max(20),
    }),
    output: z.strictObject({ changed: z.number().int() }),
  },
  /** More episodes for a queue; those it holds already are left out. */
  'queue.add': {
    ...OWNER_WRITES,
    input: z.strictObject({ ...queue, episodes: z.array(z.string()).min(1).max(100_000) }),
    output: z.strictObject({ added: z.number().int(), present: z.number().int() }),
  },
} as const;

const said = { ...item, timing: Timing } as const;

const judgements = {
  /** Says what the caller thinks of an item: a value, what the agent should have done, or the better of two. */
  'annotation.give': {
    ...EXPERT_WRITES,
    input: z.discriminatedUnion('as', [
      z.strictObject({
        as: z.literal('value'),
        ...said,
        target: Target,
        dimension: z.string(),
        value: Value,
      }),
      z.strictObject({ as: z.literal('correction'), ...said, target: Target, correct: GivenCorrect, reason }),
      z.strictObject({
        as: z.literal('preference'),
        ...said,
        choice: z.enum(['left', 'right', 'tie']),
        reason,
      }),
    ]),
    output: z.strictObject({ annotation: z.string() }),
  },
  'annotation.withdraw': {
    ...EXPERT_WRITES,
    input: z.strictObject({ ...item, annotation: z.string() }),
    output: EmptyInput,
  },
  /** Where the finished reviews of an item differ. */
  'annotation.conflicts': {
    ...OWNER_READS,
    reveals: ['verdict'],
    input: z.strictObject(item),
    output: z.strictObject({ row: ItemRow, conflicts: z.array(ConflictRow) }),
  },
  'annotation.adjudicate': {
    ...OWNER_WRITES,
    input: z.strictObject({
      ...item,
      target: Target,
      dimension: z.string(),
      value: Value.nullable(),
      /** For the dimension of corrections: what the agent should have done, or null for none of what was said. */
      correct: GivenCorrect.nullable().optional(),
      reason,
      timing: Timing,
    }),
    output: z.strictObject({ adjudication: z.string() }),
  },
  /** What was said in a project as JSONL: one line per annotation, correction, preference and adjudication. */
  'annotation.export': {
    ...OWNER_READS,
    input: z.strictObject({
      ...project,
      offset: z.number().int().nonnegative(),
      limit: z.number().int().min(1).max(5000),
    }),
    output: z.strictObject({ total: z.number().int(), lines: z.array(z.string()) }),
  },
} as const;

export const reviewing = { ...projects, ...queues, ...judgements } as const;
