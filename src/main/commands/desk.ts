// The desk's commands.
import type { Caller, Handlers, Inputs, Outputs } from '../../shared/contract/contract.ts';
import { seatActor } from '../../shared/events/actor.ts';
import { failureShape, type FailureShape } from '../../shared/failure.ts';
import type { SplitManifest } from '../../shared/split.ts';
import { basisAt, type Desk } from '../desk/desk.ts';
import { missedAsks } from '../desk/missed.ts';
import type { LossWatch } from '../desk/losses.ts';
import type { Room } from '../desk/deskActs.ts';
import type { SeatRegistry } from '../desk/seats.ts';
import { similarAdvice } from '../desk/similarAdvice.ts';
import type { Consult } from '../episode/consult.ts';
import type { EventLog } from '../log/eventLog.ts';
import type { PeopleSummary } from '../log/people.ts';
import { splitsIn } from '../log/pinnedSplits.ts';
import { veilFor } from './veil.ts';

type DeskDependencies = {
  log: EventLog;
  desk: Desk;
  room: Room;
  seats: SeatRegistry;
  consult: Consult;
  losses: Pick<LossWatch, 'since'>;
  newId: () => string;
  clock: () => number;
  /** What people's time came to, with the minutes since a time. */
  people: (since: number) => PeopleSummary;
  /** The manifest that was given for this run of the product; absent without one. */
  split?: SplitManifest | null;
};

const ADMISSION_WINDOW_MS = 60 * 60 * 1000;

export function deskCommands(parts: DeskDependencies) {
  const { log, desk, room, seats, consult, clock } = parts;
  return {
    'desk.answer': async (input, caller) => answerConsultation(parts, input, caller),
    'desk.decline': async ({ episode, consultation, reason, seen_seq, timing }, { seat }) => {
      const recorded = desk.decline({ episode, consultation, reason, seen_seq, timing }, seatActor(seat));
      return { seq: recorded.seq };
    },
    'desk.claim': async ({ is_typing, ...at }, { seat }) => {
      const { until, deadline_at } = room.claim(at, seat, is_typing);
      return { until, deadline_at };
    },
    'desk.pass': async (at, { seat }) => {
      room.pass(at, seat);
      return {};
    },
    'desk.advise_late': async (late, { seat }) => ({
      seq: room.adviseLate(late, seatActor(seat)).seq,
    }),
    'desk.redraft': async ({ episode, consultation, hint }, { seat }) => ({
      draft: await consult.redraft(episode, consultation, { text: hint, seat }),
    }),
    'desk.missed': async ({ within_ms, limit, lost_since }) => ({
      missed: missedAsks(log, clock() - within_ms, limit),
      lost: parts.losses.since(lost_since),
    }),
    'advice.similar': async ({ limit, ...at }, caller) => ({
      advice: similarAdvice(log, at, {
        limit,
        isCovered: veilFor(log, caller).isCovered,
        splits: splitsIn(log, parts.split),
      }),
    }),
    'people.summary': async () => {
      const { minutesSince, minutes, acts, episodes, reward } = parts.people(clock() - ADMISSION_WINDOW_MS);
      const reward_per_minute = minutes > 0 ? reward / minutes : null;
      return { minutes_last_hour: minutesSince, minutes, acts, episodes, reward, reward_per_minute };
    },
    'seat.change': async ({ presence, guide }, { seat }) => {
      if (presence !== undefined) seats.set(seat, presence);
      if (guide !== undefined)
        log.append(`seat/${seat}`, seatActor(seat), { kind: 'guide.ended', seat, outcome: guide });
      return {};
    },
  } satisfies Partial<Handlers>;
}

/** One act may answer several asks: each copy carries its id, and only the first carries the time it took. */
function answerConsultation(
  { log, desk, newId }: DeskDependencies,
  { episode, consultation, text, draft, seen_seq, timing, reused = [], also = [] }: Inputs['desk.answer'],
  { seat }: Caller,
): Outputs['desk.answer'] {
  const actor = seatActor(seat);
  const humanAct = also.length === 0 ? {} : { humanAct: newId() };
  const { recorded, act } = desk.answer(
    { episode, consultation, text, draft, seen_seq, timing, reused, ...humanAct },
    actor,
  );
  // The words go to other asks with all they came from: this answer is one of their sources.
  const sources = [...reused, { episode, consultation }];
  const worked = draft === null ? null : { episode, consultation, draft };
  const failed: FailureShape[] = [];
  for (const { seen_seq: seenThere = seen_seq, ...at } of also) {
    try {
      const basis = basisAt(log, at, text, worked);
      desk.answer(
        { ...at, text, ...basis, seen_seq: seenThere, timing, reused: sources, ...humanAct },
        actor,
      );
    } catch (thrown) {
      failed.push(failureShape(thrown));
    }
  }
  return { seq: recorded.seq, act, also: { answered: also.length - failed.length, failed } };
}
