// Going on from an answered question: the episode up to the question is copied, and then either the answer as it was
// given, word for word, or the answer that nobody is there. What comes after the answer is the agent's alone.
import { SYSTEM } from '../../shared/events/actor.ts';
import type { LiftRef } from '../../shared/events/lifecycle.ts';
import { KINDS, type Kind, type LogEvent, type Recorded } from '../../shared/events/vocabulary.ts';
import type { Consultation, EpisodeRecord } from '../../shared/episode/record.ts';
import { Failure } from '../../shared/failure.ts';
import type { AgentConversation } from '../agent/conversation.ts';
import { readMove, type MoveReading } from '../agent/readMove.ts';
import type { EventLog, LogEntry } from '../log/eventLog.ts';
import { copiedEntries, type Copy } from './fork.ts';
import type { Rebuilt } from './rebuild.ts';
import { messageEvent } from './stage.ts';

/** What a person had set up about the episode: nobody is there to wait for. */
const LEFT_BEHIND: ReadonlySet<Kind> = new Set(['policy.changed', 'breakpoint.set', 'breakpoint.cleared']);

/**
 * Commits the copied events, the answer of the arm, and where they came from, in one transaction. Throws `stale` when the
 * calls that were made again came back otherwise: it would not go on from the same state.
 */
export function copyToAnswer(
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

/** What an agent reads where nobody is there to answer. */
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
