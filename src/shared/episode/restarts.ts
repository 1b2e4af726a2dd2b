// The state of an episode whose program was killed or closed: which turn was not carried out to its end, and how much
// time is used. Pure.
import type { Losses } from './rowShapes.ts';
import { countText } from '../countText.ts';
import { kindOf } from '../environmentKinds.ts';
import type { Actor } from '../events/actor.ts';
import type { DoubtAct } from '../events/restarts.ts';
import type { EventOf } from '../events/vocabulary.ts';
import { Failure } from '../failure.ts';
import type { Call, EpisodeRecord, Turn } from './record.ts';

/**
 * One time that the episode was brought back after the program had been killed. `wentOn` is null while that is tried, and
 * where it came to nothing.
 */
export type Restart = Omit<EventOf<'episode.picked_up'>, 'kind'> & {
  n: number;
  at: number;
  actor: Actor;
  wentOn: Omit<EventOf<'episode.went_on'>, 'kind' | 'attempt'> | null;
  /** Interject was closed in order while it went on: it is no attempt that failed. */
  wasClosed?: true;
};

/** The state of an episode that waits for a person's word since the program was killed or closed. */
export type BrokeOff = Omit<EventOf<'episode.broke_off'>, 'kind'> & { n: number; at: number };

/** A call that was sent and whose answer was lost with the program. */
export type CallDoubt = {
  at: number;
  n: number;
  /** What a person said; null while nobody has. */
  settled: { at: number; actor: Actor; act: DoubtAct } | null;
  /** It was sent once more since. */
  isSentAgain: boolean;
};

/** More often an episode does not go on without a person's word: it may be what kills the program. */
export const ATTEMPTS_MAX = 2;

/** The reason to wait in a data folder that this user did not make on this machine. */
export const CAME_WITH_FOLDER = 'it came with a data folder that was made elsewhere';

/** Aborts an episode that stays open when Interject is closed: nothing that waits in it is settled. */
export const closing = (): Failure => new Failure('closed', 'Interject was closed');

export const isClosing = ({ aborted, reason }: Pick<AbortSignal, 'aborted' | 'reason'>): boolean =>
  aborted && reason instanceof Failure && reason.code === 'closed';

/** `2 episodes were stopped when Interject closed`: killed or in order. Of a folder made elsewhere nobody knows when. */
export function stoppedTitle(count: number, doCome = false): string {
  const episodes = countText(count, 'episode');
  if (doCome) return `${episodes} ${count === 1 ? 'is' : 'are'} stopped`;
  return `${episodes} ${count === 1 ? 'was' : 'were'} stopped when Interject closed`;
}

/** `2 episodes were stopped when Interject closed, and 2 questions were lost`: nothing of it goes on. */
export function lostTitle({
  episodes,
  questions,
  calls,
}: Pick<Losses, 'episodes' | 'questions' | 'calls'>): string {
  const asked = [
    ...(questions === 0 ? [] : [countText(questions, 'question')]),
    ...(calls === 0 ? [] : [countText(calls, 'held call')]),
  ].join(' and ');
  const were = `${asked} ${questions + calls === 1 ? 'was' : 'were'} lost`;
  if (episodes === 0) return `${were} when Interject closed`;
  return asked === '' ? stoppedTitle(episodes) : `${stoppedTitle(episodes)}, and ${were}`;
}

/** True if Interject was closed in order while it ran. */
export const wasClosed = ({ failure }: Pick<BrokeOff, 'failure'>): boolean => failure?.code === 'closed';

export const cameWithFolder = ({ reason }: Pick<BrokeOff, 'reason'>): boolean => reason === CAME_WITH_FOLDER;

/** True if it waits for a person's word since the program was killed or closed. */
export const isBrokenOff = (record: EpisodeRecord): record is EpisodeRecord & { brokeOff: BrokeOff } =>
  record.brokeOff !== null && record.ended === null;

/** The reason why it waits. */
export function brokeOffText({ brokeOff, started }: EpisodeRecord & { brokeOff: BrokeOff }): string {
  const { reason, failure } = brokeOff;
  if (wasClosed(brokeOff))
    return started !== null && kindOf(started.environment).isPartOfProduct
      ? 'Going on makes its calls again in a new world, and goes on from there.'
      : effectsText(started);
  if (cameWithFolder(brokeOff)) return `${cameWithText(started)} A call that is held waits until you decide.`;
  return reason ?? failure?.message ?? effectsText(started);
}

/** Whom going on with it talks to: neither was chosen here. */
const cameWithText = (started: EpisodeRecord['started']): string =>
  started === null || kindOf(started.environment).isPartOfProduct
    ? 'It came with a data folder that was made elsewhere. Going on asks the models that are set here.'
    : `It came with a data folder that was made elsewhere. Going on asks the models that are set here and resets ${started.environment.name} at ${started.environment.url}.`;

/** Says what going on does to an environment that is not declared free of effects. */
export const effectsText = (started: EpisodeRecord['started']): string =>
  `Going on resets ${started?.environment.name ?? 'its environment'} and makes its calls again, which may have effects outside the episode.`;

/** The turn whose call is in doubt and waits for a person; null where none does. */
export const openDoubt = ({ restarts, turns }: Pick<EpisodeRecord, 'restarts' | 'turns'>): Turn | null =>
  restarts.length === 0 ? null : (turns.findLast(({ call }) => call?.doubt?.settled === null) ?? null);

/** True if a person left it open what became of the call: it was sent, its answer was lost, and it is not sent again. */
export const isReplyUnknown = (call: Pick<Call, 'doubt' | 'returned'> | null): boolean =>
  call?.doubt?.settled?.act === 'unknown' && call.returned === null;

/** Times it was picked up without a person's word, and Interject did not come to be closed in order. */
export const ownAttempts = ({ restarts }: Pick<EpisodeRecord, 'restarts'>): number =>
  restarts.filter(({ actor, wasClosed: isOver }) => actor.type === 'system' && isOver !== true).length;

/** The first turn of whose outcome the agent has read nothing; null where every turn was carried out. */
export function unplayedTurn({ turns, messages }: Pick<EpisodeRecord, 'turns' | 'messages'>): Turn | null {
  const answered = new Set(
    // A note that was put before the turn carries its number too, and answers nothing.
    messages.flatMap(({ role, origin, turn }) => (role === 'assistant' || origin === 'note' ? [] : [turn])),
  );
  return turns.find(({ turn, move }) => move !== null && !answered.has(turn)) ?? null;
}

/** True if something has become of the turn's move already: it is not judged a second time. */
export const isUnderWay = ({ call, consultation }: Turn): boolean => call !== null || consultation !== null;

/** Time that the agent had used of its limit at a moment: without waits for people, and pauses. */
export function timeUsed(record: EpisodeRecord, until: number): number {
  const { restarts, consultations, turns } = record;
  const last = restarts.at(-1);
  const from = last?.at ?? beganAt(record) ?? until;
  const waits = [
    ...pausesOf(record),
    ...consultations.map(({ askedAt, decision }) => ({ since: askedAt, to: decision?.at ?? until })),
    ...doubtSpans(record, until),
    ...turns.flatMap(({ call }) =>
      call?.held ? [{ since: call.held.at, to: call.decision?.at ?? until }] : [],
    ),
  ];
  return (last?.used_ms ?? 0) + Math.max(0, until - from - lengthOf(waits, from, until));
}

/** Time between two moments in which the program was not there. */
export const timeAway = (
  { restarts }: Pick<EpisodeRecord, 'restarts'>,
  from: number,
  until: number,
): number =>
  restarts.length === 0
    ? 0
    : lengthOf(
        restarts.map(({ ran_until, at }) => ({ since: ran_until, to: at })),
        from,
        until,
      );

/** The time of its reset, or of its copy from another episode; null if neither came. */
function beganAt({ timeline, reset }: EpisodeRecord): number | null {
  if (reset === null) return null;
  const copied = timeline.findLast(({ type }) => type === 'forked');
  const asked = timeline.findLast((item) => item.type === 'connection' && item.at <= reset.at);
  return copied?.at ?? asked?.at ?? reset.at;
}

type Span = { since: number; to: number };

/** The waits of calls in doubt for a person. */
const doubtSpans = ({ turns }: Pick<EpisodeRecord, 'turns'>, until: number): Span[] =>
  turns.flatMap(({ call }) =>
    call?.doubt === undefined ? [] : [{ since: call.doubt.at, to: call.doubt.settled?.at ?? until }],
  );

/** The times without the agent. */
function pausesOf({ timeline }: EpisodeRecord): Span[] {
  const phases = timeline.filter((item) => item.type === 'phase');
  return phases.flatMap(({ at, to }, index) =>
    to === 'autonomous' ? [] : [{ since: at, to: phases[index + 1]?.at ?? Number.POSITIVE_INFINITY }],
  );
}

/** The time that spans cover between two moments; a part that two of them share counts once. */
function lengthOf(spans: readonly Span[], from: number, until: number): number {
  let covered = 0;
  let end = from;
  for (const { since, to } of spans.toSorted((a, b) => a.since - b.since)) {
    const begin = Math.max(end, since);
    const stop = Math.min(until, to);
    if (stop > begin) covered += stop - begin;
    end = Math.max(end, stop);
  }
  return covered;
}

/** `3 calls made again, all came back the same · away 2 min`: what became of it, in words. */
export function restartText({ wentOn, at, ran_until: ranUntil }: Restart): string {
  const away = `Interject was away ${duration(Math.max(0, at - ranUntil))}`;
  if (wentOn === null) return `it was not brought back · ${away}`;
  const { replayed, drift, in_doubt: inDoubt } = wentOn;
  const calls = replayed === 1 ? '1 call was made again' : `${String(replayed)} calls were made again`;
  const same =
    drift !== null
      ? drift.turn === 0
        ? 'the reset came back otherwise than the log says'
        : `turn ${String(drift.turn)} came back otherwise than the log says`
      : replayed === 0
        ? null
        : 'with the results of the log';
  const doubt =
    inDoubt === null
      ? null
      : `${inDoubt.tool_name} of turn ${String(inDoubt.turn)} had been sent without an answer: ${
          inDoubt.became === 'held' ? 'it waits for a person' : 'it was sent to the new world'
        }`;
  return [same === null ? calls : `${calls}, ${same}`, doubt, away]
    .filter((part) => part !== null)
    .join(' · ');
}

function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 90) return `${String(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${String(minutes)} min` : `${String(Math.round(minutes / 60))} h`;
}
