// Owns: how an episode of a client ended, by who ended it. Pure.
import { SYSTEM } from '../../../shared/events/actor.ts';
import type { Outcome } from '../../../shared/events/lifecycle.ts';
import type { FailureShape } from '../../../shared/failure.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import type { Ended } from './link.ts';
import { by, frame, type Made, type Under } from './under.ts';

const ABNORMAL = 1006;

/** The end, and before it whatever it leaves open. */
export function endedEvents(record: EpisodeRecord, under: Under, ended: Ended): Made[] {
  if (record.ended !== null) return [];
  const unanswered = [...under.pending.values()].flatMap(({ asked, text }) =>
    asked.type === 'call' || asked.type === 'other' ? [] : [frame('to_environment', text)],
  );
  return [...unanswered, ...cancelled(record, under, ended), end(under, ended)];
}

/** Calls that still wait for a person: a client that is gone is no rejection. */
const cancelled = (record: EpisodeRecord, { asks }: Under, { reason }: Ended): Made[] =>
  [...asks.values()].flatMap((call) => {
    const known = record.turns.find(({ callId }) => callId === call)?.call ?? null;
    return known !== null && known.decision === null
      ? [by(SYSTEM, { kind: 'call.cancelled', call, reason: reason === '' ? 'the client is gone' : reason })]
      : [];
  });

function end(under: Under, ended: Ended): Made {
  const { outcome, reason, failure } = outcomeOf(under, ended);
  const { reward_type = null, reward = null, final_answer = null } = under.verdict ?? {};
  return by(SYSTEM, { kind: 'episode.ended', outcome, reason, failure, final_answer, reward_type, reward });
}

type End = { outcome: Outcome; reason: string | null; failure: FailureShape | null };

function outcomeOf({ isDone }: Under, { by: who, code, reason }: Ended): End {
  if (who === 'person') return { outcome: 'stopped', reason, failure: null };
  if (isDone) return { outcome: 'done', reason: null, failure: null };
  const why = `${code === null ? '' : String(code)} ${reason}`.trim();
  switch (who) {
    case 'reset':
      return { outcome: 'stopped', reason, failure: null };
    case 'tap':
      return { outcome: 'stopped', reason, failure: null };
    case 'client':
      return code === ABNORMAL
        ? { outcome: 'interrupted', reason: 'the client’s connection was lost', failure: null }
        : { outcome: 'stopped', reason: `the client closed it (${why})`, failure: null };
    case 'environment':
      return {
        outcome: 'error',
        reason: null,
        failure: {
          code: 'env_closed',
          message: `the environment closed the connection (${why})`,
          next: 'Look at its log; a new episode needs a new connection.',
        },
      };
  }
}
