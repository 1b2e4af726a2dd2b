// Routes a question to an expert, and opens one that a single seat saw first to every seat.
import { SYSTEM } from '../../shared/events/actor.ts';
import { findConsultation } from '../../shared/episode/consultations.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import type { EventOf } from '../../shared/events/vocabulary.ts';
import { plainName, type ModelExpert, type Roster, type Routing } from '../../shared/experts/roster.ts';
import { questionKind, routeQuestion, type Answerers } from '../../shared/experts/route.ts';
import { deadlineName, type Deadlines } from '../desk/waiting.ts';
import type { EventLog } from '../log/eventLog.ts';

export type QuestionRouting = {
  /** Who may be asked in the episode; null where no roster was set for it. */
  rosterOf: (record: EpisodeRecord) => Roster | null;
  isOnDuty: (seat: string) => boolean;
  clock: () => number;
};

type Asked = EventOf<'consultation.asked'>;

/** An episode of ours has the roster it began with; a client's has the one of now. */
export const rosterFor =
  (now: () => Roster) =>
  ({ started }: EpisodeRecord): Roster | null => {
    const roster = started?.source === 'run' ? (started.experts ?? null) : now();
    return roster === null || roster.experts.length === 0 ? null : roster;
  };

export const expertAtSeat =
  (rosterOf: QuestionRouting['rosterOf']) =>
  (record: EpisodeRecord, seat: string): string | undefined =>
    rosterOf(record)?.experts.find((one) => one.kind === 'person' && one.seat === seat)?.name;

/** Null where nothing is routed: no roster, a brief, or a verifier to be put into words. */
export function routeOf(
  { rosterOf, isOnDuty, clock }: QuestionRouting,
  record: EpisodeRecord,
  asked: Asked,
  { answerers, wanted }: { answerers: Answerers; wanted: string | null },
): Routing | null {
  const roster = rosterOf(record);
  const isQuestion = asked.trigger !== 'brief' && asked.purpose !== 'analysis';
  if (roster === null || !isQuestion || asked.answered_by === 'nobody') return null;
  const { turn, deadline_at } = asked;
  const kind = questionKind(record, turn);
  return routeQuestion(roster, { kind, wanted, answerers, now: clock(), deadline_at, isOnDuty });
}

/** The model expert that drafts, where one was routed to and is still there. */
export function drafterOf(
  { rosterOf }: QuestionRouting,
  record: EpisodeRecord,
  routed: Routing | null,
): ModelExpert | null {
  const name = routed?.drafter ?? null;
  if (name === null) return null;
  const found = rosterOf(record)?.experts.find((one) => plainName(one.name) === plainName(name));
  return found?.kind === 'model' ? found : null;
}

/**
 * Opens a question to every seat when its first seat's time is over, when that seat passes it on, or leaves the desk.
 * Its time
 * runs on where it was after a restart, whatever the wall clock says. Returns its undo.
 */
export function openLater(
  arm: Deadlines['arm'],
  log: EventLog,
  episode: string,
  { consultation, routed }: Asked,
): () => void {
  const first = routed?.first ?? null;
  if (first === null) return () => undefined;
  const open = (why: EventOf<'consultation.opened'>['why']): void => {
    const found = findConsultation(log.record(episode), consultation);
    if (found === undefined || found.decision !== null || found.isOpened) return;
    log.append(episode, SYSTEM, { kind: 'consultation.opened', consultation, why });
  };
  const armed = arm({
    name: deadlineName(episode, `${consultation} first`),
    deadline_at: () => first.until,
    expire: () => open('time'),
  });
  const unlisten = log.subscribe(({ stream, event }) => {
    const isPassed =
      stream === episode &&
      event.kind === 'consultation.passed' &&
      event.consultation === consultation &&
      event.seat === first.seat;
    if (isPassed) open('passed');
    const isGone = event.kind === 'seat.changed' && event.seat === first.seat && event.presence !== 'on_duty';
    if (isGone) open('left');
  });
  return () => {
    armed.end(true);
    unlisten();
  };
}
