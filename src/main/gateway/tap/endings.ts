// How an episode of a client ended, by who ended it. Pure.
import { SYSTEM } from '../../../shared/events/actor.ts';
import type { Outcome } from '../../../shared/events/lifecycle.ts';
import type { FailureShape } from '../../../shared/failure.ts';
import { sumRewards } from '../../environments/actions.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import type { EndedPlay } from './linkProtocol.ts';
import { voidedEvents } from './tapActions.ts';
import { by, frame, type NewEvent, type OpenEpisodeState } from './openEpisode.ts';

const ABNORMAL_CODE = 1006;

/** The end, and before it whatever it leaves open. */
export function endedEvents(record: EpisodeRecord, under: OpenEpisodeState, ended: EndedPlay): NewEvent[] {
  if (record.ended !== null) return [];
  const unanswered = [...under.pending.values()].flatMap(({ asked, text }) =>
    asked.type === 'call' || asked.type === 'other' ? [] : [frame('to_environment', text)],
  );
  // Calls that still wait for a person: a client that is gone is no rejection.
  const voided = record.turns.flatMap(({ call }) => (call === null ? [] : voidedEvents(under, call, ended)));
  return [...unanswered, ...voided, endEvent(under, ended)];
}

/** Of an environment of actions its rewards until now; of one of tools nothing is known before its verifier speaks. */
const rewardSoFar = ({ server, rewards }: OpenEpisodeState): number | null =>
  server.actions === null ? null : sumRewards(rewards);

function endEvent(under: OpenEpisodeState, ended: EndedPlay): NewEvent {
  const { outcome, reason, failure } = endOutcome(under, ended);
  const { reward_type = null, reward = rewardSoFar(under), final_answer = null } = under.verdict ?? {};
  return by(SYSTEM, { kind: 'episode.ended', outcome, reason, failure, final_answer, reward_type, reward });
}

type End = { outcome: Outcome; reason: string | null; failure: FailureShape | null };

function endOutcome({ isDone }: OpenEpisodeState, { by: who, code, reason }: EndedPlay): End {
  if (who === 'person') return { outcome: 'stopped', reason, failure: null };
  if (isDone) return { outcome: 'done', reason: null, failure: null };
  const why = `${code === null ? '' : String(code)} ${reason}`.trim();
  switch (who) {
    case 'reset':
      return { outcome: 'stopped', reason, failure: null };
    case 'tap':
      return { outcome: 'stopped', reason, failure: null };
    case 'client':
      return code === ABNORMAL_CODE
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
