// Opens an episode's session: a new one, or one brought to where another episode was.
import { mayAsk } from '../../shared/conditions.ts';
import { lostEnvironment } from '../../shared/episode/branch.ts';
import { isPlayedByPerson } from '../../shared/episode/phase.ts';
import type { Consultation, EpisodeRecord } from '../../shared/episode/record.ts';
import { unplayedTurn } from '../../shared/episode/restarts.ts';
import { type Actor, SYSTEM } from '../../shared/events/actor.ts';
import type { LiftRef } from '../../shared/events/lifecycle.ts';
import type { InDoubt } from '../../shared/events/restarts.ts';
import type { Phase } from '../../shared/events/stepIns.ts';
import {
  type EventOf,
  type Kind,
  KINDS,
  type LogEvent,
  type Recorded,
} from '../../shared/events/vocabulary.ts';
import { Failure, failureShape } from '../../shared/failure.ts';
import { type AgentConversation, createConversation } from '../agent/conversation.ts';
import { namedExperts } from '../agent/namedExperts.ts';
import { type MoveReading, readMove } from '../agent/readMove.ts';
import type { EnvironmentOf, EnvironmentSession } from '../environments/port.ts';
import type { EventLog, LogEntry } from '../log/eventLog.ts';
import type { Prompts } from '../settings/prompts.ts';
import { isInDoubt } from './playMove.ts';
import { driftFailure, rebuild, type Rebuilt } from './rebuild.ts';
import { messageEvent, type RunSpec } from './stage.ts';

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

/** The way an episode goes on in which the program was killed. */
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

/** The conversation for the agent of this run. */
export const conversationOf = (prompts: Prompts, spec: RunSpec): ReturnType<typeof createConversation> =>
  createConversation({
    prompts,
    protocol: spec.agent.protocol,
    canAsk: mayAsk(spec.condition),
    statesConfidence: Boolean(spec.confidence),
    deliveredChars: spec.limits.delivered_chars,
    experts: namedExperts(spec.experts ?? null, spec.condition),
  });

/** A person's settings for the episode: nobody is there to wait for. */
const LEFT_BEHIND: ReadonlySet<Kind> = new Set(['policy.changed', 'breakpoint.set', 'breakpoint.cleared']);

/**
 * Commits the copied events, the answer of the arm, and where they came from, in one transaction. Throws `stale` when the
 * calls that were made again came back otherwise: it would not go on from the same state.
 */
function copyToAnswer(
  log: EventLog,
  id: string,
  lift: LiftRef,
  { replayed, drift }: Rebuilt,
  conversation: Pick<AgentConversation, 'advice'>,
): void {
  const source = log.record(lift.episode);
  const asked = source.consultations.find((one) => one.id === lift.consultation);
  if (asked === undefined) throw new Failure('not_found', `there is no question ${lift.consultation}`);
  const events = log.read(lift.episode);
  const before = events.filter(
    ({ n, event }) => n <= asked.askedN && KINDS[event.kind].isCopied && !LEFT_BEHIND.has(event.kind),
  );
  const copy: Copy = {
    from: { episode: lift.episode, turn: asked.turn, why: 'fork' },
    events: before,
    carried: { rules: [], breakpoints: [] },
    replayed,
    drift,
  };
  const answer =
    lift.arm === 'with'
      ? givenAnswer(events, asked)
      : nobodysAnswer(source, asked, conversation, (text) => log.texts.loadText(text));
  log.appendAll(id, copiedEntries(copy, source, id, answer));
  if (drift.length > 0)
    throw new Failure('stale', `${String(drift.length)} of ${String(replayed)} calls came back otherwise`, {
      next: 'The environment does not replay: what an answer was worth in it cannot be measured.',
    });
}

/** Decision, delivery and message, as they stand in the log. */
function givenAnswer(events: readonly Recorded[], { id, askedN }: Consultation): LogEntry[] {
  const decided = events.find(
    ({ n, event }) =>
      n > askedN &&
      (event.kind === 'advice.approved' || event.kind === 'consultation.expired') &&
      event.consultation === id,
  );
  const delivered = events.findIndex(
    ({ event }) => event.kind === 'advice.delivered' && event.consultation === id,
  );
  const message = events[delivered + 1];
  const [given, told] = [events[delivered], message?.event.kind === 'message.added' ? message : undefined];
  if (decided === undefined || given === undefined || told === undefined)
    throw new Failure('not_found', `the answer to ${id} is not in the log as the agent read it`);
  return [decided, given, told].map(({ actor, event }) => ({ actor, event }));
}

/** The agent's reading where nobody answers. */
function nobodysAnswer(
  source: EpisodeRecord,
  { id, turn }: Consultation,
  conversation: Pick<AgentConversation, 'advice'>,
  loadText: EventLog['texts']['loadText'],
): LogEntry[] {
  const delivery = conversation.advice(readingOf(source, turn, loadText), { as: 'nobody', text: '' }, []);
  const { text, full_length, deliveredLength: delivered_length } = delivery.body;
  const about = { consultation: id };
  const events: LogEvent[] = [
    { kind: 'consultation.expired', ...about, fallback: 'proceed', reason: 'nobody' },
    {
      kind: 'advice.delivered',
      ...about,
      as: 'nobody',
      text,
      full_length,
      delivered_length,
      privilege: [],
      to: 'agent',
    },
    messageEvent(delivery, turn),
  ];
  return events.map((event) => ({ actor: SYSTEM, event }));
}

/** The reply that asked, read as it was then. */
function readingOf(
  { turns, tools, started }: EpisodeRecord,
  number: number,
  loadText: EventLog['texts']['loadText'],
): MoveReading {
  const turn = turns.find((one) => one.turn === number);
  if (turn === undefined) throw new Failure('not_found', `there is no turn ${String(number)}`);
  const reply = {
    content: loadText(turn.content),
    reasoning: turn.reasoning === null ? null : loadText(turn.reasoning),
    toolCalls: turn.toolCalls,
    model: null,
    stopReason: null,
    usage: null,
  };
  const protocol = started?.agent.protocol ?? 'native';
  return { ...readMove(reply, { protocol, tools }), ignoredCalls: turn.ignoredCalls };
}

// Beginning an episode in the middle of another: its events up to a turn copied, its state rebuilt by making the
// calls again, what a person had set about it carried over. What differs is stated in the log.
type ForkOrigin = { episode: string; turn: number; why: 'fork' | 'resume' };

/** The events copied from another episode, and what was made again for them. */
type Copy = Pick<Rebuilt, 'replayed' | 'drift'> & {
  from: ForkOrigin;
  events: readonly Recorded[];
  /** What a person had set about the other episode and holds here too. */
  carried: Pick<EpisodeRecord, 'rules' | 'breakpoints'>;
};

/** Commits the copied events, where they came from and what is carried over, in one transaction. */
function copyPrefix(log: EventLog, id: string, from: ForkOrigin, { replayed, drift }: Rebuilt): void {
  const source = log.record(from.episode);
  const end = endOfTurn(source, from.turn);
  // A take-over that was discarded later was discarded for its first moves too.
  const prefix = log
    .read(from.episode)
    .filter(
      ({ n, event }) =>
        (n <= end && KINDS[event.kind].isCopied) ||
        (event.kind === 'correction.discarded' && event.from_turn <= from.turn),
    );
  const events = from.why === 'fork' ? withoutLastPhases(prefix) : prefix;
  log.appendAll(id, copiedEntries({ from, events, carried: source, replayed, drift }, source, id));
}

/** Everything that a branch begins with. `last` stands for what came last in the other episode: it counts as copied. */
function copiedEntries(
  { from, events, carried, replayed, drift }: Copy,
  source: EpisodeRecord,
  id: string,
  last: readonly LogEntry[] = [],
): LogEntry[] {
  const { rules, breakpoints } = carried;
  const forked: LogEvent = {
    kind: 'episode.forked',
    from: from.episode,
    from_turn: from.turn,
    why: from.why,
    replayed,
    drift,
    carried: { rules: rules.length, breakpoints: breakpoints.length },
  };
  const now: LogEvent[] = [
    forked,
    ...breakpoints.map(({ id: breakpoint, at }) => ({
      kind: 'breakpoint.set' as const,
      breakpoint,
      at,
    })),
    ...phaseAfter(events, from.why, source),
  ];
  return [
    ...[...events, ...last].map((entry) => withNewIds(entry, from.episode, id)),
    ...now.map((event) => ({ actor: SYSTEM, event })),
  ];
}

/** The last event that belongs to a turn or an earlier one: everything before the next reply. */
function endOfTurn({ turns, n }: EpisodeRecord, turn: number): number {
  const next = turns.find((one) => one.turn > turn);
  return next === undefined ? n : next.n - 1;
}

/** A pause or take-over that nothing followed yet belongs to what came next there, not to the branch. */
function withoutLastPhases(events: readonly Recorded[]): Recorded[] {
  const last = events.findLastIndex(({ event }) => event.kind !== 'phase.changed');
  return events.slice(0, last + 1);
}

/**
 * The actor from here on. A branch begins with the agent. A resumed episode in which the agent did not act stays paused
 * until a person says so: nothing goes on behind the back of someone who had stopped it.
 */
function phaseAfter(
  copied: readonly Recorded[],
  why: ForkOrigin['why'],
  source: EpisodeRecord,
): EventOf<'phase.changed'>[] {
  // The loop gives it to its person again.
  if (isPlayedByPerson(source)) return [];
  const { phase: was } = source;
  const last = copied.flatMap(({ event }) => (event.kind === 'phase.changed' ? [event] : [])).at(-1);
  const from: Phase = last?.to ?? 'autonomous';
  const change = { kind: 'phase.changed', from, cause: 'person', at_once: false } as const;
  if (why === 'resume' && was !== 'autonomous') {
    const isLost = source.ended !== null && lostEnvironment(source.ended);
    const when = isLost ? 'it lost its environment' : 'it was interrupted';
    const reason = was === 'paused' ? `it was paused when ${when}` : 'a person was acting';
    return [{ ...change, to: 'paused', reason: `${reason}: resume it, or take it over` }];
  }
  const isPlain = from === 'autonomous' && (last?.cause !== 'step' || why === 'resume');
  return isPlain ? [] : [{ ...change, to: 'autonomous', reason: 'a branch begins with the agent' }];
}

/** Consultations are named after their episode. */
function withNewIds({ actor, event }: LogEntry, from: string, to: string): LogEntry {
  if (!('consultation' in event)) return { actor, event };
  return { actor, event: { ...event, consultation: event.consultation.replace(`${from}:`, `${to}:`) } };
}
