// A move of a person who has taken over, written as the agent would have written it. The loop, which waits, carries
// it out. What the agent had left open is closed first, as what it is: cancelled, not rejected.
import { isAtSeat, inheritPrivilege, type Actor, type Privilege } from '../../shared/events/actor.ts';
import type { Inputs } from '../../shared/contract/contract.ts';
import type { HumanMove } from '../../shared/contract/stepIns.ts';
import type { LogEvent } from '../../shared/events/vocabulary.ts';
import { Failure } from '../../shared/failure.ts';
import { lastAnsweredTurn } from '../../shared/episode/branch.ts';
import { leftOpen } from '../../shared/episode/phase.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import { readMove } from '../agent/readMove.ts';
import { writeMove } from '../agent/writeMove.ts';
import { turnEntries } from '../episode/takeTurn.ts';
import type { Desk } from '../desk/desk.ts';
import type { EventLog } from '../log/eventLog.ts';
import { waitFor } from '../log/waitFor.ts';
import {
  liveRecord,
  UNKNOWN_TIMING,
  checkTapActs,
  checkTapMove,
  checkCall,
  waitUntilRecorded,
  type TapRecorded,
} from './stepInChecks.ts';

/** The loop's time to put its open turn away. */
const PUT_AWAY_MS = 10_000;
const SET_ASIDE = 'a person took over and made a move instead';
const SET_ASIDE_FIRST = 'a person took over and set it aside';

type TakeoverDependencies = TapRecorded & { log: EventLog; desk: Pick<Desk, 'privilegeOf' | 'noteSeen'> };

/** Writes the move; resolves with its turn. Throws `stale` when it is not this person's to make now. */
export async function takeoverMove(
  parts: TakeoverDependencies,
  input: Inputs['takeover.move'],
  actor: Actor,
): Promise<number> {
  const { log, desk } = parts;
  await waitUntilRecorded(parts, input.episode);
  checkMove(liveRecord(log, input.episode), input);
  noteDrafts(desk, liveRecord(log, input.episode), actor);
  await setOpenTurnAside(log, input.episode, actor, SET_ASIDE);
  const record = liveRecord(log, input.episode);
  checkMove(record, input);
  const protocol = record.started?.agent.protocol ?? 'native';
  const { move, say, timing = UNKNOWN_TIMING } = input;
  const turn = record.counts.turns + 1;
  const privilege = desk.privilegeOf(input.episode, actor);
  const reply = writeMove(move.type === 'final' ? move.text : say, humanCall(move, turn), protocol);
  const reading = readMove(reply, { protocol, tools: record.tools });
  log.appendAll(input.episode, turnEntries(turn, actor, reply, reading, null, { timing, privilege }));
  return turn;
}

/**
 * Closes what is open without a move: the agent reads that a person took over, and the desk no longer asks for an
 * answer. Throws `stale` when the episode was not taken over, or nothing is open.
 */
export async function setAside(parts: TakeoverDependencies, episode: string, actor: Actor): Promise<number> {
  const { log, desk } = parts;
  await waitUntilRecorded(parts, episode);
  const record = liveRecord(log, episode);
  checkTapActs(record);
  if (record.phase !== 'correcting') {
    throw new Failure('stale', `the episode is ${record.phase}; take it over first`);
  }
  if (leftOpen(record) === null) throw new Failure('stale', 'nothing is open any more');
  noteDrafts(desk, record, actor);
  await setOpenTurnAside(log, episode, actor, SET_ASIDE_FIRST);
  return log.record(episode).seq;
}

/** Drafts of the question that is set aside were on screen: what their author had seen, this person has seen too. */
function noteDrafts(desk: TakeoverDependencies['desk'], record: EpisodeRecord, actor: Actor): void {
  const open = leftOpen(record);
  const asked = open?.type === 'question' ? record.consultations.find(({ id }) => id === open.id) : undefined;
  const seen: Privilege = inheritPrivilege(...(asked?.drafts ?? []).map(({ privilege }) => privilege));
  if (seen !== 'unknown' && seen.length > 0 && actor.id !== null) desk.noteSeen(actor.id, record.id, seen);
}

function checkMove(record: EpisodeRecord, { move, is_unchecked }: Inputs['takeover.move']): void {
  if (record.phase !== 'correcting') {
    throw new Failure('stale', `the episode is ${record.phase}; take it over first`);
  }
  checkTapMove(record, move.type);
  const last = record.turns.at(-1);
  if (last !== undefined && isAtSeat(last.actor) && isCallOpen(last)) {
    throw new Failure('stale', 'your last move is still under way', { next: 'Wait for its result.' });
  }
  // The loop is about to end it: a move written now would never be carried out.
  if (record.tapped === null && last?.call?.returned?.done === true)
    throw new Failure('stale', 'the environment ended the episode with the last move');
  if (move.type !== 'call_tool') return;
  if (!is_unchecked) checkCall(record.tools, move.tool_name, move.arguments);
}

/** Closes the question or the held call that the agent waits for, and lets the loop tell the agent so first. */
async function setOpenTurnAside(log: EventLog, episode: string, actor: Actor, reason: string): Promise<void> {
  const open = leftOpen(log.record(episode));
  if (open === null) return;
  const closing: LogEvent =
    open.type === 'question'
      ? { kind: 'consultation.cancelled', consultation: open.id, reason }
      : { kind: 'call.cancelled', call: open.id, reason };
  log.append(episode, actor, closing);
  await waitFor(
    log,
    episode,
    (record) => (record.ended !== null || lastAnsweredTurn(record) >= open.turn ? true : null),
    AbortSignal.timeout(PUT_AWAY_MS),
  );
}

const isCallOpen = ({ call, move }: EpisodeRecord['turns'][number]): boolean =>
  move?.type === 'call_tool' && (call === null || (call.sent !== null && call.returned === null));

function humanCall(move: HumanMove, turn: number) {
  const id = `human_${String(turn)}`;
  if (move.type === 'final') return null;
  return move.type === 'list_tools'
    ? { id, name: 'list_tools', args: {} }
    : { id, name: move.tool_name, args: move.arguments };
}
