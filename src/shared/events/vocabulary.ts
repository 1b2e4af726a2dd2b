// The words. environment: an OpenEnv server · world: an environment built into the product · scenario, task: as in
// AWM · episode: one run from reset to verify · turn: one model reply · move: what a turn asks for · consultation: one
// request for an expert, from asked to delivered · draft: what the advisor proposes · advice: what an expert gave ·
// desk: where consultations wait · step-in: any human act on a running episode · log: the append-only events ·
// record: the state folded from them · condition: who may advise · seat: a connected expert · privilege: what an
// author had seen of the answer.
// The union of every kind the log may hold. A kind is a noun and a past tense; it is added, never changed.
import { z } from 'zod';
import { Actor } from './actor.ts';
import { annotationEvents } from './annotations.ts';
import {
  benchEvents,
  curriculumEvents,
  eraseEvents,
  libraryEvents,
  liftEvents,
  rewardEvents,
  trainingEvents,
} from './library.ts';
import { consultationEvents, lateEvents } from './consultations.ts';
import { gatewayEvents } from './gateway.ts';
import { importEvents } from './import.ts';
import { factsOf, type KindFacts } from './kind.ts';
import { lifecycleEvents, seatEvents } from './lifecycle.ts';
import { restartEvents } from './restarts.ts';
import { stepInEvents } from './stepIns.ts';
import { turnEvents } from './turns.ts';
import { worldEvents } from './world.ts';

export const LogEvent = z.discriminatedUnion('kind', [
  ...lifecycleEvents,
  ...turnEvents,
  ...consultationEvents,
  ...stepInEvents,
  ...worldEvents,
  ...restartEvents,
  ...seatEvents,
  ...lateEvents,
  ...gatewayEvents,
  ...importEvents,
  ...annotationEvents,
  ...libraryEvents,
  ...eraseEvents,
  ...rewardEvents,
  ...trainingEvents,
  ...benchEvents,
  ...liftEvents,
  ...curriculumEvents,
]);
export type LogEvent = z.infer<typeof LogEvent>;
export type Kind = LogEvent['kind'];
export type EventOf<K extends Kind> = Extract<LogEvent, { kind: K }>;

/**
 * One committed event. `seq` counts the whole log, `n` its stream from 1 without gaps, `at` is UTC ms.
 */
export const Recorded = z.strictObject({
  seq: z.number().int(),
  stream: z.string(),
  n: z.number().int(),
  at: z.number(),
  actor: Actor,
  event: LogEvent,
});
export type Recorded = z.infer<typeof Recorded>;

export const KINDS = Object.fromEntries(
  LogEvent.options.map((schema) => [schema.shape.kind.value, factsOf(schema)]),
) as Readonly<Record<Kind, KindFacts>>;

export const kindsWhere = (has: (facts: KindFacts) => boolean): Kind[] =>
  LogEvent.options.map(({ shape }) => shape.kind.value).filter((kind) => has(KINDS[kind]));
