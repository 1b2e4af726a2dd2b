// Owns: the commands of a person who steps in. Each checks that the act makes sense now, and appends; the loop reads
// the log. What the person had seen of the answer goes into the log with what they decide.
import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../../shared/events/actor.ts';
import type { Caller, Handlers, Inputs } from '../../shared/contract/contract.ts';
import type { HumanMove } from '../../shared/contract/stepIns.ts';
import type { Timing } from '../../shared/events/timing.ts';
import type { LogEvent } from '../../shared/events/vocabulary.ts';
import { Failure } from '../../shared/failure.ts';
import { nextPhase } from '../../shared/episode/phase.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import { RESERVED_TOOLS } from '../../shared/wire.ts';
import { readMove } from '../agent/readMove.ts';
import { writeMove } from '../agent/writeMove.ts';
import type { Desk } from '../desk/desk.ts';
import { turnEntries } from '../episode/takeTurn.ts';
import type { EventLog } from '../log/eventLog.ts';
import { checkCall } from './toolSchema.ts';

type Parts = { log: EventLog; desk: Desk; newId: () => string };
type StepInHandlers = Pick<
  Handlers,
  | 'episode.control'
  | 'breakpoint.set'
  | 'breakpoint.clear'
  | 'policy.set'
  | 'call.approve'
  | 'call.edit'
  | 'call.reject'
  | 'call.answer'
  | 'note.send'
  | 'takeover.move'
  | 'label.give'
>;

const UNTIMED: Timing = { first_seen_at: null, active_ms: null };

const seatActor = ({ seat }: Caller): Actor => ({ type: 'human', id: seat });

export function stepInCommands(parts: Parts): StepInHandlers {
  const { log, desk, newId } = parts;
  const live = (episode: string): EpisodeRecord => liveRecord(log, episode);
  return {
    'episode.control': async (input, caller) => ({ seq: control(parts, input, seatActor(caller)) }),
    'breakpoint.set': async ({ episode, at }, caller) => {
      live(episode);
      const breakpoint = newId();
      log.append(episode, seatActor(caller), { kind: 'breakpoint.set', breakpoint, at });
      return { breakpoint };
    },
    'breakpoint.clear': async ({ episode, breakpoint }, caller) => {
      live(episode);
      log.append(episode, seatActor(caller), { kind: 'breakpoint.cleared', breakpoint });
      return {};
    },
    'policy.set': async ({ episode, rules }, caller) => {
      live(episode);
      return { seq: log.append(episode, seatActor(caller), { kind: 'policy.changed', rules }).seq };
    },
    ...callCommands(parts),
    'note.send': async ({ episode, text, timing }, caller) => {
      live(episode);
      const note = newId();
      const privilege = desk.privilegeOf(episode, seatActor(caller));
      log.append(episode, seatActor(caller), { kind: 'note.interjected', note, text, privilege, timing });
      return { note };
    },
    'takeover.move': async (input, caller) => ({ turn: takeoverMove(log, input, seatActor(caller)) }),
    'label.give': async (input, caller) => ({ seq: giveLabel(parts, input, seatActor(caller)) }),
  };
}

function callCommands({
  log,
  desk,
}: Parts): Pick<StepInHandlers, 'call.approve' | 'call.edit' | 'call.reject' | 'call.answer'> {
  return {
    'call.approve': async ({ episode, similar, ...decided }, caller) => {
      const actor = seatActor(caller);
      const { seq } = desk.decideCall(episode, actor, { kind: 'call.approved', ...decided });
      if (similar) allowSimilar(log, episode, decided.call, actor);
      return { seq };
    },
    'call.edit': async ({ episode, is_unchecked, ...decided }, caller) => {
      checkToolName(decided.tool_name);
      if (!is_unchecked) checkCall(log.record(episode).tools, decided.tool_name, decided.arguments);
      const privilege = desk.privilegeOf(episode, seatActor(caller));
      return {
        seq: desk.decideCall(episode, seatActor(caller), { kind: 'call.edited', ...decided, privilege }).seq,
      };
    },
    'call.reject': async ({ episode, ...decided }, caller) => {
      const privilege = desk.privilegeOf(episode, seatActor(caller));
      return {
        seq: desk.decideCall(episode, seatActor(caller), { kind: 'call.rejected', ...decided, privilege })
          .seq,
      };
    },
    'call.answer': async ({ episode, ...decided }, caller) => {
      const privilege = desk.privilegeOf(episode, seatActor(caller));
      return {
        seq: desk.decideCall(episode, seatActor(caller), { kind: 'call.answered', ...decided, privilege })
          .seq,
      };
    },
  };
}

/** Later calls of the same tool go through; the rule stands first, and in the log. */
function allowSimilar(log: EventLog, episode: string, call: string, actor: Actor): void {
  const record = log.record(episode);
  const tool = record.turns.findLast(({ callId }) => callId === call)?.call?.toolName;
  if (tool === undefined) return;
  const rule = { glob: tool, argument: null, does: 'auto' as const, count: null };
  log.append(episode, actor, { kind: 'policy.changed', rules: [rule, ...record.rules] });
}

function liveRecord(log: EventLog, episode: string): EpisodeRecord {
  const record = log.record(episode);
  if (record.started === null) throw new Failure('not_found', `there is no episode ${episode}`);
  if (record.ended !== null) {
    throw new Failure('closed', 'the episode has ended', {
      next: 'Replay it, or start the same task again.',
    });
  }
  return record;
}

function control(parts: Parts, input: Inputs['episode.control'], actor: Actor): number {
  const { log } = parts;
  const { episode, act, at_once, reason } = input;
  const { phase: from } = liveRecord(log, episode);
  const to = nextPhase(from, act);
  if (to === null) {
    throw new Failure('stale', `an episode that is ${from} cannot ${act.replace('_', ' ')}`, {
      next: 'Someone else may have changed it just now; look at the timeline.',
    });
  }
  const cause = act === 'step' ? ('step' as const) : ('person' as const);
  const changed: LogEvent = { kind: 'phase.changed', from, to, cause, reason, at_once };
  const events = act === 'hand_back' ? [...handBack(parts, input, actor), changed] : [changed];
  const recorded = log.appendAll(
    episode,
    events.map((event) => ({ actor, event })),
  );
  return recorded.at(-1)?.seq ?? 0;
}

/** What a hand-back leaves behind: a note for the agent, or the mark that the moves are not to be learnt from. */
function handBack({ log, desk, newId }: Parts, input: Inputs['episode.control'], actor: Actor): LogEvent[] {
  const { episode, note, is_discarded, reason, timing = UNTIMED } = input;
  const { turns, phaseN } = log.record(episode);
  const own = turns.filter(({ n, actor: by }) => by.type === 'human' && n > phaseN).map(({ turn }) => turn);
  const from = own[0];
  const to = own.at(-1);
  return [
    ...(is_discarded && from !== undefined && to !== undefined
      ? [{ kind: 'correction.discarded' as const, from_turn: from, to_turn: to, reason }]
      : []),
    ...(note === null || note.trim() === ''
      ? []
      : [
          {
            kind: 'note.interjected' as const,
            note: newId(),
            text: note,
            privilege: desk.privilegeOf(episode, actor),
            timing,
          },
        ]),
  ];
}

function checkToolName(name: string): void {
  if (!RESERVED_TOOLS.has(name)) return;
  throw new Failure('bad_input', `${name} belongs to the environment’s host, not to an agent`, {
    next: 'The verifier runs once, after the final answer.',
  });
}

/** Writes a person's move as the agent would have; the loop, which waits, carries it out. */
function takeoverMove(
  log: EventLog,
  { episode, say, move, is_unchecked, timing = UNTIMED }: Inputs['takeover.move'],
  actor: Actor,
): number {
  const record = liveRecord(log, episode);
  if (record.phase !== 'correcting') {
    throw new Failure('stale', `the episode is ${record.phase}; take it over first`);
  }
  const last = record.turns.at(-1);
  if (last?.actor.type === 'human' && isUnderWay(last)) {
    throw new Failure('stale', 'your last move is still under way', { next: 'Wait for its result.' });
  }
  if (move.type === 'call_tool') {
    checkToolName(move.tool_name);
    if (!is_unchecked) checkCall(record.tools, move.tool_name, move.arguments);
  }
  const protocol = record.started?.agent.protocol ?? 'native';
  const turn = record.counts.turns + 1;
  const reply = writeMove(move.type === 'final' ? move.text : say, callOf(move, turn), protocol);
  log.appendAll(
    episode,
    turnEntries(turn, actor, reply, readMove(reply, { protocol, tools: record.tools }), null, timing),
  );
  return turn;
}

const isUnderWay = ({ call, move }: EpisodeRecord['turns'][number]): boolean =>
  move?.type === 'call_tool' && (call === null || (call.sent !== null && call.returned === null));

function callOf(move: HumanMove, turn: number) {
  const id = `human_${String(turn)}`;
  if (move.type === 'final') return null;
  return move.type === 'list_tools'
    ? { id, name: 'list_tools', args: {} }
    : { id, name: move.tool_name, args: move.arguments };
}

function giveLabel(
  { log, desk }: Parts,
  { episode, turn, move, timing, beta = null }: Inputs['label.give'],
  actor: Actor,
): number {
  const record = liveRecord(log, episode);
  const labelled = record.turns.find((one) => one.turn === turn);
  if (labelled === undefined) throw new Failure('not_found', `the episode has no turn ${String(turn)}`);
  const agrees = isDeepStrictEqual(labelled.move, move);
  const privilege = desk.privilegeOf(episode, actor);
  return log.append(episode, actor, { kind: 'label.given', turn, move, agrees, privilege, timing, beta }).seq;
}
