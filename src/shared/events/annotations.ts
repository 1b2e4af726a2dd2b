// The kinds of a stream `annotate/<project>`: what is judged, who judges which episode, and what they said. An
// episode's own events never change, and an episode can be given away without any of these.
import { z } from 'zod';
import { Privilege, Timing } from './actor.ts';
import { JsonObject, Move } from './turns.ts';
import { defineKind, NOTED, searched } from './kind.ts';

/** Parts of an episode that can be annotated. */
export const Level = z.enum(['trajectory', 'step', 'call', 'range']);
export type Level = z.infer<typeof Level>;

/** The text of an event in which a range lies. */
export const RangeField = z.enum([
  'content',
  'reasoning',
  'text',
  'error',
  'final_answer',
  'task',
  'question',
]);
export type RangeField = z.infer<typeof RangeField>;

/** Part of an episode. A range is anchored to an event's number: events never change, so it never moves. */
export const Target = z.discriminatedUnion('on', [
  z.strictObject({ on: z.literal('trajectory'), episode: z.string() }),
  z.strictObject({ on: z.literal('step'), episode: z.string(), turn: z.number().int() }),
  z.strictObject({ on: z.literal('call'), episode: z.string(), turn: z.number().int() }),
  z.strictObject({
    on: z.literal('range'),
    episode: z.string(),
    /** The turn it is shown under; null before the first. */
    turn: z.number().int().nullable(),
    n: z.number().int().positive(),
    field: RangeField,
    /** UTF-16 units into the whole text. */
    start: z.number().int().nonnegative(),
    end: z.number().int().positive(),
    // The characters stay in the episode alone: what is erased there is not kept here.
  }),
]);
export type Target = z.infer<typeof Target>;

export const Option = z.strictObject({
  id: z.string().min(1).max(60),
  label: z.string().min(1).max(120),
  description: z.string().max(2000),
});
export type Option = z.infer<typeof Option>;

const dimension = {
  id: z.string().min(1).max(60),
  name: z.string().min(1).max(120),
  description: z.string().max(4000),
  on: z.array(Level).min(1),
  /** An item is not done before it has a value on the whole episode. Means nothing on other levels. */
  is_required: z.boolean(),
  /** What a reader of the data may take it for; null for a project's own. */
  use: z.enum(['process_reward', 'failure', 'outcome']).nullable(),
} as const;

/** One question asked about a part of an episode. A `label` may hold several options at once, a `category` one. */
export const Dimension = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('label'), ...dimension, options: z.array(Option).min(1).max(100) }),
  z.strictObject({
    type: z.literal('category'),
    ...dimension,
    options: z.array(Option).min(2).max(100),
    /** The options stand in order, from low to high. */
    is_ordered: z.boolean(),
  }),
  z.strictObject({
    type: z.literal('scale'),
    ...dimension,
    min: z.number(),
    max: z.number(),
    step: z.number().positive(),
    /** What the ends mean. */
    min_label: z.string().max(120),
    max_label: z.string().max(120),
  }),
  z.strictObject({ type: z.literal('free_text'), ...dimension }),
]);
export type Dimension = z.infer<typeof Dimension>;

export const Value = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('label'), options: z.array(z.string()) }),
  z.strictObject({ type: z.literal('category'), option: z.string() }),
  z.strictObject({ type: z.literal('scale'), number: z.number() }),
  z.strictObject({ type: z.literal('free_text'), text: z.string().min(1).max(100_000) }),
]);
export type Value = z.infer<typeof Value>;

export const Correct = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('move'), move: Move }),
  z.strictObject({ type: z.literal('text'), text: z.string().min(1).max(200_000) }),
]);
export type Correct = z.infer<typeof Correct>;

/** One side of a preference: a whole episode, what was done in one of its turns, or what could have been. */
export const Candidate = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('episode'), episode: z.string() }),
  z.strictObject({ type: z.literal('turn'), episode: z.string(), turn: z.number().int() }),
  z.strictObject({
    type: z.literal('move'),
    episode: z.string(),
    turn: z.number().int(),
    move: Move,
    /** Whose it was: a label given live, a correction given in this project, a draft. */
    source: z.string(),
  }),
]);
export type Candidate = z.infer<typeof Candidate>;

export const Subject = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('episode'), episode: z.string() }),
  z.strictObject({ type: z.literal('pair'), left: Candidate, right: Candidate }),
]);
export type Subject = z.infer<typeof Subject>;

const at = { queue: z.string(), item: z.string() } as const;
const given = { ...at, privilege: Privilege, timing: Timing } as const;

/** Facts of what stands in a project's stream. */
const REVIEW = { ...NOTED, isProjected: true } as const;
const JUDGEMENT = { ...REVIEW, isDecision: true } as const;

const projectEvents = [
  defineKind('project.created', { name: z.string(), instructions: z.string() })(REVIEW),
  defineKind('project.changed', { name: z.string(), instructions: z.string() })(REVIEW),
  /** Replaces the schema as a whole; what was said under an older version stays what it was. */
  defineKind('schema.defined', {
    version: z.number().int().positive(),
    dimensions: z.array(Dimension).max(60),
  })(REVIEW),
] as const;

const queueEvents = [
  defineKind('queue.made', {
    queue: z.string(),
    name: z.string(),
    subject: z.enum(['episode', 'pair']),
    reviewers_per_item: z.number().int().positive(),
    /** Who may review; empty for everyone who may review at all. */
    seats: z.array(z.string()),
    /** Reviewers see nothing of each other. */
    is_blind: z.boolean(),
    /** Reviewers see neither reward nor verdict. */
    hides_outcome: z.boolean(),
    lease_ms: z.number().int().positive(),
    /** How its episodes were found, for the record. */
    filter: JsonObject,
  })(REVIEW),
  defineKind('items.added', {
    queue: z.string(),
    hides_outcome: z.boolean(),
    items: z
      .array(
        z.strictObject({
          item: z.string(),
          subject: Subject,
          /** Those it is for; empty where any reviewer of the queue may take it. */
          reviewers: z.array(z.string()),
        }),
      )
      .min(1)
      .max(500),
  })(REVIEW),
  defineKind('item.assigned', { ...at, reviewers: z.array(z.string()) })(REVIEW),
  /** Whoever acts has the item until then (UTC ms). */
  defineKind('item.leased', { ...at, until: z.number() })(REVIEW),
  /** Not for this reviewer: another may take the place. */
  defineKind('item.skipped', { ...at, reason: z.string().nullable(), timing: Timing })(REVIEW),
  /** Later: behind everything else this reviewer has. */
  defineKind('item.postponed', { ...at, timing: Timing })(REVIEW),
  defineKind('item.done', { ...at, timing: Timing })(JUDGEMENT),
  /** The reviewer takes a done, skipped or postponed back. */
  defineKind('item.reopened', { ...at })(REVIEW),
] as const;

const judgementEvents = [
  /** Replaces what the same reviewer said before on the same target and dimension. */
  defineKind('annotation.given', {
    annotation: z.string(),
    target: Target,
    dimension: z.string(),
    value: Value,
    schema_version: z.number().int(),
    ...given,
  })({
    ...JUDGEMENT,
    search: ({ value }) => (value.type === 'free_text' ? searched('note', [value.text]) : null),
  }),
  /** Takes back an annotation, a correction or a preference by its id. */
  defineKind('annotation.withdrawn', { annotation: z.string(), ...at })(JUDGEMENT),
  defineKind('correction.given', {
    correction: z.string(),
    target: Target,
    correct: Correct,
    reason: z.string().max(20_000).nullable(),
    ...given,
  })({ ...JUDGEMENT, search: ['note', 'reason'] }),
  defineKind('preference.given', {
    preference: z.string(),
    left: Candidate,
    right: Candidate,
    choice: z.enum(['left', 'right', 'tie']),
    reason: z.string().max(20_000).nullable(),
    ...given,
  })({ ...JUDGEMENT, search: ['note', 'reason'] }),
  /** The last word where reviewers differ. Theirs stay as they are. */
  defineKind('adjudication.given', {
    adjudication: z.string(),
    target: Target,
    dimension: z.string(),
    /** Null says that nothing holds here. */
    value: Value.nullable(),
    /** Where what the agent should have done was decided: what that is, or null for none of what was said. */
    correct: Correct.nullable().optional(),
    schema_version: z.number().int(),
    reason: z.string().max(20_000).nullable(),
    ...given,
  })({ ...JUDGEMENT, search: ['note', 'reason'] }),
] as const;

export const annotationEvents = [...projectEvents, ...queueEvents, ...judgementEvents] as const;
export const AnnotationEvent = z.discriminatedUnion('kind', annotationEvents);
export type AnnotationEvent = z.infer<typeof AnnotationEvent>;

const ANNOTATION_KINDS: ReadonlySet<string> = new Set(annotationEvents.map(({ shape }) => shape.kind.value));
/** True if an event belongs to a project's stream. */
export const isAnnotationEvent = (event: { kind: string }): event is AnnotationEvent =>
  ANNOTATION_KINDS.has(event.kind);

export const ANNOTATE_PREFIX = 'annotate/';
export const projectStream = (project: string): string => ANNOTATE_PREFIX + project;
