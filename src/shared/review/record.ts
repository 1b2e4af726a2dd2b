// The shape of a project's record: its schema, its queues, and what each reviewer said, kept apart.
import type { Privilege, Timing } from '../events/actor.ts';
import type { Candidate, Correct, Dimension, Subject, Target, Value } from '../events/annotations.ts';
import type { EventOf } from '../events/vocabulary.ts';

type Judgement = {
  id: string;
  at: number;
  /** A seat, opaque. */
  reviewer: string;
  privilege: Privilege;
  timing: Timing;
};

export type Annotation = Judgement & {
  target: Target;
  dimension: string;
  value: Value;
  schemaVersion: number;
};
export type Correction = Judgement & { target: Target; correct: Correct; reason: string | null };
export type Preference = Judgement & {
  left: Candidate;
  right: Candidate;
  choice: 'left' | 'right' | 'tie';
  reason: string | null;
};
export type Adjudication = Judgement & {
  target: Target;
  dimension: string;
  value: Value | null;
  /** What the agent should have done, where that was decided. */
  correct: Correct | null;
  schemaVersion: number;
  reason: string | null;
};

/** One reviewer's work on one item. */
export type Seating = {
  state: 'leased' | 'open' | 'skipped' | 'postponed' | 'done';
  /** Until when the item is this reviewer's (UTC ms); means something while `leased`. */
  until: number;
  at: number;
  /** Event number, to put what was postponed behind the rest. */
  n: number;
  reason: string | null;
  timing: Timing;
};

export type ItemRecord = {
  item: string;
  queue: string;
  subject: Subject;
  /** Empty where any reviewer of the queue may take it. */
  reviewers: readonly string[];
  addedAt: number;
  seats: Map<string, Seating>;
  /** What holds now; what was replaced or taken back is in the log. */
  annotations: Annotation[];
  corrections: Correction[];
  preferences: Preference[];
  adjudications: Adjudication[];
};

export type QueueRecord = Omit<EventOf<'queue.made'>, 'kind'> & { madeAt: number; items: ItemRecord[] };

export type ProjectRecord = {
  id: string;
  n: number;
  name: string;
  instructions: string;
  createdAt: number;
  updatedAt: number;
  schema: { version: number; dimensions: readonly Dimension[] };
  /** Every schema there was, by its version: a value is read with the one it was given under. */
  schemas: Map<number, readonly Dimension[]>;
  queues: Map<string, QueueRecord>;
  items: Map<string, ItemRecord>;
};

export const emptyProject = (id: string): ProjectRecord => ({
  id,
  n: 0,
  name: '',
  instructions: '',
  createdAt: 0,
  updatedAt: 0,
  schema: { version: 0, dimensions: [] },
  schemas: new Map(),
  queues: new Map(),
  items: new Map(),
});
