// Losses when Interject closes, in order or not: questions and held calls that waited then and end without an answer of
// anybody, and episodes that are stopped with it. They are told on the desk until the person has read them.
import type { Losses } from '../../shared/episode/rowShapes.ts';
import { hasHeldCall, callOf } from '../../shared/episode/calls.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import type { Recorded } from '../../shared/events/vocabulary.ts';
import type { EventLog } from '../log/eventLog.ts';

/** A client may come back for what it asked within a minute of a start; what is lost later was not lost by closing. */
const RETURN_MS = 90_000;
const KEPT_MS = 7 * 24 * 60 * 60 * 1000;

const KINDS = ['episode', 'question', 'call'] as const;
type LostKind = (typeof KINDS)[number];
/** `lost/question/ID`, with when it was lost: the log's record of it, whoever of several consoles reads it when. */
const markOf = (kind: LostKind, id: string): string => `lost/${kind}/${id}`;

export type LossWatch = {
  /** What was lost since a time (UTC ms). */
  since: (at: number) => Losses;
  /** What the process before this one left is sorted: what waits for a person's word now is told of as that. */
  sorted: () => void;
  /** Interject closes: whatever waits now and ends until the log is closed is lost. */
  closing: () => void;
  close: () => void;
};

type WatchDependencies = { log: EventLog; clock: () => number };
/** The ids of an episode's open questions and held calls. */
type Waiting = { questions: Set<string>; calls: Set<string> };

/** Begins with what the process before this one left open: nothing of it may have been sorted yet. */
export function watchLosses({ log, clock }: WatchDependencies): LossWatch {
  forgetOld(log, clock() - KEPT_MS);
  const lost = new Map(log.marks('lost/').map((name) => [name, log.mark(name)]));
  let waiting = waitingNow(log);
  let isClosing = false;
  const startedAt = clock();
  const lose = (kind: LostKind, ids: readonly string[]): void => {
    const marks = ids.map((id) => ({ name: markOf(kind, id), value: clock() }));
    if (marks.length === 0) return;
    for (const { name, value } of marks) lost.set(name, value);
    log.keepMarks(marks);
  };
  const unlisten = log.subscribe((recorded, record) => {
    const here = waiting.get(recorded.stream);
    if (here === undefined || (!isClosing && clock() - startedAt > RETURN_MS)) return;
    if (isPersonsWord(recorded)) return void waiting.delete(recorded.stream);
    lose(
      'question',
      takeLost(here.questions, (id) => questionFate(record, id)),
    );
    lose(
      'call',
      takeLost(here.calls, (id) => callFate(record, id)),
    );
    if (record.ended === null) return;
    waiting.delete(recorded.stream);
    const { outcome } = record.ended;
    // A question by itself is no episode to a person; a client may stop its own after a start.
    if (
      record.started?.source !== 'ask' &&
      (outcome === 'interrupted' || (outcome === 'stopped' && isClosing))
    )
      lose('episode', [recorded.stream]);
  });
  return {
    since: (at) => {
      const newer = [...lost].filter(([, lostAt]) => lostAt > at);
      const count = (kind: LostKind): number =>
        newer.filter(([name]) => name.startsWith(markOf(kind, ''))).length;
      return {
        episodes: count('episode'),
        questions: count('question'),
        calls: count('call'),
        at: newer.reduce((last, [, lostAt]) => Math.max(last, lostAt), 0),
      };
    },
    sorted: () => {
      for (const id of waiting.keys()) {
        const record = log.record(id);
        // One with a held call may be taken up again, and come to nothing.
        if (record.brokeOff !== null && !hasHeldCall(record)) waiting.delete(id);
      }
    },
    closing: () => {
      isClosing = true;
      waiting = waitingNow(log);
    },
    close: unlisten,
  };
}

function forgetOld(log: EventLog, before: number): void {
  const old = log.marks('lost/').filter((name) => log.mark(name) < before);
  if (old.length > 0) log.dropMarks(old);
}

function waitingNow(log: EventLog): Map<string, Waiting> {
  const { projections } = log;
  const waiting = new Map<string, Waiting>(
    projections.open().map((id) => [id, { questions: new Set(), calls: new Set() }]),
  );
  for (const { episode, consultation } of projections.desk(Number.MAX_SAFE_INTEGER).items)
    waiting.get(episode)?.questions.add(consultation);
  for (const { episode, call } of projections.holds(Number.MAX_SAFE_INTEGER))
    if (call !== null) waiting.get(episode)?.calls.add(call.id);
  return waiting;
}

/** A person stops it, or is asked whether it goes on: what becomes of it is theirs to say. */
const isPersonsWord = ({ event, actor }: Recorded): boolean =>
  event.kind === 'episode.broke_off' ||
  ((event.kind === 'stop.requested' || event.kind === 'episode.ended') && actor.type === 'human');

type Fate = 'waits' | 'lost' | 'decided';

function questionFate({ consultations }: EpisodeRecord, id: string): Fate {
  const decision = consultations.find((one) => one.id === id)?.decision ?? null;
  if (decision === null) return 'waits';
  return decision.type === 'cancelled' ? 'lost' : 'decided';
}

function callFate(record: EpisodeRecord, id: string): Fate {
  const call = callOf(record, id);
  if (call === null || call.decision === null) return record.ended === null ? 'waits' : 'lost';
  return call.decision.type === 'cancelled' ? 'lost' : 'decided';
}

/** Takes out what waits no longer, and gives of it what is lost. */
function takeLost(ids: Set<string>, fateOf: (id: string) => Fate): string[] {
  const gone: string[] = [];
  for (const id of ids) {
    const fate = fateOf(id);
    if (fate === 'waits') continue;
    ids.delete(id);
    if (fate === 'lost') gone.push(id);
  }
  return gone;
}
