// One definition for each kind of event: its fields, and what the rest of the product must know about the kind. A kind that
// leaves a fact out does not compile.
import { z } from 'zod';
import type { Saw } from './actor.ts';
import { Text } from './textSchema.ts';

/** The kind of text that holds the words. */
export const HitKind = z.enum(['task', 'message', 'call', 'result', 'advice', 'note']);
export type HitKind = z.infer<typeof HitKind>;

export type SearchTexts = { kind: HitKind; texts: readonly Text[] };

type Search<E> = readonly [HitKind, ...(keyof E)[]] | ((event: E) => SearchTexts | null) | null;

/** Values in place of fields that tell an episode's outcome. */
type Outcome<E> = Partial<E> | ((event: E) => Partial<E>);

type Facts<E> = {
  /** Fields of type `Text` that the fold reads whole: they stay in the event, however long. */
  inPlace: readonly (keyof E)[];
  /** Fields besides those of type `Text` that hold somebody's words or data: they go when the episode is erased. */
  words: readonly (keyof E)[];
  /** Whether a fork begins with a copy of it: it is part of what the agent, its environment and the people did. */
  isCopied: boolean;
  /** What the search finds it by. What the log holds twice is searched once. */
  search: Search<E>;
  /** Whether it holds a human decision: durable before anyone acts on it. */
  isDecision: boolean;
  /** The wait that it ends: that of a question or of a held call. The first such event stands. */
  settles: 'question' | 'call' | null;
  /** What it is of a person's work, where a person wrote it: a decision on what waited, or something written. */
  work: 'decision' | 'writing' | null;
  /** Whether the desk may look different after it. */
  isDeskNews: boolean;
  /** Whether main keeps something of it beside the episode's line in the list. */
  isProjected: boolean;
  /** What it tells its reader of the task's answer: nothing, where that was covered. */
  reveals: (event: E) => readonly Saw[];
  /** What a seat reads instead from which reward and verdict are kept. */
  outcome: Outcome<E>;
};

/** The facts of a kind, with those that are read from its schema. */
export type KindFacts = Facts<Record<string, unknown>> & {
  /** Fields of type `Text`. */
  texts: readonly string[];
  /** Those of them whose long texts are stored beside the log. */
  stored: readonly string[];
  /** Whether a stored row may lack a field that reading it adds. */
  hasDefaults: boolean;
};

/** Facts of what is noted beside the agent's own steps. Spread it, and say what differs. */
export const NOTED = {
  inPlace: [],
  words: [],
  isCopied: false,
  search: null,
  isDecision: false,
  settles: null,
  work: null,
  isDeskNews: false,
  isProjected: false,
  reveals: (): readonly Saw[] => [],
  outcome: {},
} as const;
/** Facts of what an episode is made of. */
export const STEP = { ...NOTED, isCopied: true } as const;
const { settles: _settles, work: _work, ...step } = STEP;
/** The same, where people at the desk may wait for it. Each says itself what it settles and whether it is a person's work. */
export const DESK_STEP = { ...step, isDeskNews: true } as const;
/** A step that the desk shows and that decides nothing. */
export const SHOWN_STEP = { ...DESK_STEP, settles: null, work: null } as const;

const registry = z.registry<KindFacts>();

type Shape<K extends string, F extends z.core.$ZodLooseShape> = { kind: z.ZodLiteral<K> } & F;
type Event<F extends z.core.$ZodLooseShape> = z.output<z.ZodObject<F, z.core.$strict>>;

/** Takes a kind's fields and then its facts, and gives its schema; the facts are read with `factsOf`. */
export const defineKind =
  <const K extends string, F extends z.core.$ZodLooseShape>(kind: K, fields: F) =>
  (facts: Facts<Event<F>>): z.ZodObject<Shape<K, F>, z.core.$strict> => {
    const schema = z.strictObject({ kind: z.literal(kind), ...fields } as Shape<K, F>);
    const known = Object.entries(fields) as [string, z.ZodType][];
    const texts = known.flatMap(([name, field]) => (isText(field) ? [name] : []));
    const { inPlace }: { inPlace: readonly PropertyKey[] } = facts;
    registry.add(schema, {
      ...(facts as unknown as Facts<Record<string, unknown>>),
      texts,
      stored: texts.filter((name) => !inPlace.includes(name)),
      hasDefaults: known.some(([, field]) => field.safeParse(undefined).data !== undefined),
    });
    return schema;
  };

/** Throws for a schema that `defineKind` did not make. */
export function factsOf(schema: z.ZodType): KindFacts {
  const facts = registry.get(schema);
  if (facts === undefined) throw new TypeError('an event kind is made with defineKind');
  return facts;
}

const isText = (schema: z.ZodType): boolean =>
  schema === Text ||
  ((schema instanceof z.ZodNullable || schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) &&
    isText(schema.unwrap() as z.ZodType));

export function searched(kind: HitKind, texts: readonly (Text | null | undefined)[]): SearchTexts | null {
  const there = texts.flatMap((text) => (text === null || text === undefined || text === '' ? [] : [text]));
  return there.length === 0 ? null : { kind, texts: there };
}
