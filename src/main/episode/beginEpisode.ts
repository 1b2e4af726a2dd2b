// How an episode comes by the session it runs in: a new one, or one brought to where another episode was.
import { SYSTEM, type Actor } from '../../shared/events/actor.ts';
import { mayAsk } from '../../shared/conditions.ts';
import type { LiftRef } from '../../shared/events/lifecycle.ts';
import type { InDoubt } from '../../shared/events/restarts.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import { unplayedTurn } from '../../shared/episode/restarts.ts';
import { failureShape } from '../../shared/failure.ts';
import { createConversation } from '../agent/conversation.ts';
import { namedExperts } from '../agent/namedExperts.ts';
import type { EventLog } from '../log/eventLog.ts';
import type { EnvironmentOf, EnvironmentSession } from '../environments/port.ts';
import type { Prompts } from '../settings/prompts.ts';
import { copyToAnswer } from './continueFromAnswer.ts';
import { isInDoubt } from './doubt.ts';
import { copyPrefix } from './fork.ts';
import { driftFailure, rebuild, type Rebuilt } from './rebuild.ts';
import type { RunSpec } from './stage.ts';

type BeginDependencies = {
  log: EventLog;
  prompts: Prompts;
  environmentOf: EnvironmentOf;
  /** The session as the episode uses it: its requests end with the episode's time. */
  bound: (session: EnvironmentSession) => EnvironmentSession;
};

/** A session to run in: a new one, or one brought to where another episode was. */
export async function beginEpisode(
  parts: BeginDependencies,
  id: string,
  spec: RunSpec,
  signal: AbortSignal,
): Promise<EnvironmentSession> {
  const { from } = spec;
  if (from === null) return connectSession(parts, id, spec, signal);
  const rebuilt = await rebuild({
    record: parts.log.record(from.episode),
    // The turn of a question made no call, and what the agent did after its answer is not gone on from.
    upToTurn: spec.lift === undefined ? from.turn : from.turn - 1,
    loadText: (text) => parts.log.texts.loadText(text),
    openSession: () => connectSession(parts, id, spec, signal),
    reset: { ...spec.reset, episode_id: id },
    stopsAtDrift: from.stopsAtDrift ?? false,
    signal,
  });
  if (spec.lift === undefined) copyPrefix(parts.log, id, from, rebuilt);
  else copyOrClose(parts, id, spec, spec.lift, rebuilt);
  const [drift] = rebuilt.drift;
  if (drift === undefined || from.stopsAtDrift !== true) return rebuilt.session;
  rebuilt.session.close();
  throw driftFailure(spec, drift);
}

/** How an episode goes on in which the program was killed. */
export type PickUp = {
  attempt: number;
  /** Nobody, or the person who said so. */
  by: Actor;
  /** Where its environment cannot serve it now it waits for a person's word, instead of ending. */
  mayWait: boolean;
  ran_until: number;
  used_ms: number;
};

/**
 * A session brought to where the log of this very episode ends: a new one where it was never reset. What was made again
 * is stated in the log. Throws `replay_drifted` where the environment answers otherwise.
 */
export async function reopenEpisode(
  parts: BeginDependencies,
  id: string,
  spec: RunSpec,
  { attempt }: PickUp,
  signal: AbortSignal,
): Promise<EnvironmentSession> {
  const record = parts.log.record(id);
  const openSession = (): Promise<EnvironmentSession> => connectSession(parts, id, spec, signal);
  const rebuilt =
    record.reset === null
      ? { session: await openSession(), replayed: 0, drift: [] }
      : await rebuild({
          record,
          upToTurn: Number.POSITIVE_INFINITY,
          loadText: (text) => parts.log.texts.loadText(text),
          openSession,
          reset: { episode_id: id },
          stopsAtDrift: true,
          isOwn: true,
          signal,
        });
  const { replayed } = rebuilt;
  const drift = rebuilt.drift[0] ?? null;
  const in_doubt = drift === null ? callInDoubt(record, spec) : null;
  parts.log.append(id, SYSTEM, { kind: 'episode.went_on', attempt, replayed, drift, in_doubt });
  if (drift === null) return rebuilt.session;
  rebuilt.session.close();
  throw driftFailure(spec, drift, 'did not go on');
}

/** The call that was sent and of whose answer nothing is known; null too where a person has had their word on it. */
export function callInDoubt(record: EpisodeRecord, spec: Pick<RunSpec, 'environment'>): InDoubt | null {
  const { turn = 0, call = null } = unplayedTurn(record) ?? {};
  const sent = call?.sent ?? null;
  if (call === null || sent === null || call.returned !== null) return null;
  const { doubt } = call;
  if (doubt !== undefined && doubt.settled !== null && !doubt.isSentAgain) return null;
  const became = isInDoubt({ spec }, call) ? 'held' : 'sent_again';
  return { turn, tool_name: sent.toolName, became };
}

/** A state that is not the same as then is given back at once. */
function copyOrClose(
  { log, prompts }: BeginDependencies,
  id: string,
  spec: RunSpec,
  lift: LiftRef,
  rebuilt: Rebuilt,
): void {
  try {
    copyToAnswer(log, id, lift, rebuilt, conversationOf(prompts, spec));
  } catch (thrown) {
    rebuilt.session.close();
    throw thrown;
  }
}

async function connectSession(
  parts: BeginDependencies,
  id: string,
  spec: RunSpec,
  signal: AbortSignal,
): Promise<EnvironmentSession> {
  try {
    const session = await parts.environmentOf(spec.environment).open(signal, spec.verifierMode ?? undefined);
    const { resetLimitMs: limitMs } = session;
    const reset = limitMs === undefined ? {} : { reset_limit_ms: limitMs };
    parts.log.append(id, SYSTEM, { kind: 'connection.changed', state: 'open', failure: null, ...reset });
    return parts.bound(session);
  } catch (thrown) {
    const failure = failureShape(thrown);
    parts.log.append(id, SYSTEM, { kind: 'connection.changed', state: 'failed', failure });
    throw thrown;
  }
}

/** What the agent of this run is told, and how. */
export const conversationOf = (prompts: Prompts, spec: RunSpec): ReturnType<typeof createConversation> =>
  createConversation({
    prompts,
    protocol: spec.agent.protocol,
    canAsk: mayAsk(spec.condition),
    statesConfidence: Boolean(spec.confidence),
    deliveredChars: spec.limits.delivered_chars,
    experts: namedExperts(spec.experts ?? null, spec.condition),
  });
