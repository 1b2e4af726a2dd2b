// Messages between a view and main, over IPC and over the console socket alike.
import { z } from 'zod';
import { Recorded } from '../events/vocabulary.ts';
import { FailureShape } from '../failureCodes.ts';
import { SEAT_ID } from './greeting.ts';
import { GatewayStatus } from './gateway.ts';
import { ImportJob } from './import.ts';
import { ANY_OF_IT, EXPERT_READS, OWNER_READS, type Row } from './row.ts';
import { DeskItem, EpisodeRow, HoldItem, SeatRow } from '../episode/rowShapes.ts';

/** A topic that a view can watch. `after` is the last n it has; events from there on are sent, then live ones. */
export const Topic = z.discriminatedUnion('topic', [
  z.strictObject({ topic: z.literal('episode'), episode: z.string(), after: z.number().int().nonnegative() }),
  z.strictObject({ topic: z.literal('episodes') }),
  z.strictObject({ topic: z.literal('desk') }),
  z.strictObject({ topic: z.literal('gateway') }),
  z.strictObject({ topic: z.literal('imports') }),
  /** Which annotation projects changed: read again what is shown of them. */
  z.strictObject({ topic: z.literal('projects') }),
]);
export type Topic = z.infer<typeof Topic>;

/** Roles that may watch each topic, and what its news may tell of a task's answer. */
export const TOPICS = {
  episode: { ...EXPERT_READS, reveals: ANY_OF_IT },
  episodes: { ...EXPERT_READS, reveals: ['verdict'] },
  desk: { ...EXPERT_READS, reveals: ANY_OF_IT },
  gateway: OWNER_READS,
  imports: OWNER_READS,
  projects: EXPERT_READS,
} as const satisfies Record<Topic['topic'], Pick<Row, 'who' | 'reveals'>>;

/**
 * News for one subscription, batched. `desk` carries the oldest items and how many wait in all; `refetch` says that
 * a slow view missed some: subscribe again from the last n.
 */
export const Push = z.discriminatedUnion('topic', [
  z.strictObject({
    topic: z.literal('episode'),
    episode: z.string(),
    events: z.array(Recorded),
    /** True once everything committed so far has been sent. */
    is_caught_up: z.boolean(),
  }),
  z.strictObject({ topic: z.literal('episodes'), rows: z.array(EpisodeRow) }),
  z.strictObject({
    topic: z.literal('desk'),
    total: z.number().int(),
    items: z.array(DeskItem),
    holds: z.array(HoldItem),
    seats: z.array(SeatRow),
  }),
  z.strictObject({ topic: z.literal('gateway'), status: GatewayStatus }),
  z.strictObject({ topic: z.literal('imports'), jobs: z.array(ImportJob) }),
  z.strictObject({ topic: z.literal('projects'), projects: z.array(z.string()) }),
  z.strictObject({ topic: z.literal('refetch') }),
]);
export type Push = z.infer<typeof Push>;
export type DeskPush = Extract<Push, { topic: 'desk' }>;

export const ToMain = z.discriminatedUnion('type', [
  /** Before all others over a socket, and only there. */
  z.strictObject({ type: z.literal('hello'), id: z.number().int(), version: z.number().int() }),
  z.strictObject({
    type: z.literal('request'),
    id: z.number().int(),
    method: z.string(),
    input: z.unknown(),
  }),
  z.strictObject({ type: z.literal('subscribe'), id: z.number().int(), topic: Topic }),
  z.strictObject({ type: z.literal('unsubscribe'), id: z.number().int() }),
]);
export type ToMain = z.infer<typeof ToMain>;

export const ToView = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('value'), id: z.number().int(), value: z.unknown() }),
  z.strictObject({ type: z.literal('failure'), id: z.number().int(), failure: FailureShape }),
  z.strictObject({ type: z.literal('push'), id: z.number().int(), push: Push }),
]);
export type ToView = z.infer<typeof ToView>;

/** A seat's id as a console chooses it once and keeps it. */
export const SeatId = z.string().regex(SEAT_ID);
