// The commands of a person who steps in. Each checks that the act makes sense now, and appends; the loop reads the
// log. What the person had seen of the answer goes into the log with what they decide.
import { canonical } from '../../shared/canonical.ts';
import { setImmediate } from 'node:timers/promises';
import { isAtSeat, seatActor, type Actor, SYSTEM } from '../../shared/events/actor.ts';
import type { Handlers, Inputs } from '../../shared/contract/contract.ts';
import type { rules, stepIns } from '../../shared/contract/stepIns.ts';
import type { LogEvent } from '../../shared/events/vocabulary.ts';
import { Failure } from '../../shared/failure.ts';
import type { JsonObject } from '../../shared/events/turns.ts';
import { nextPhase } from '../../shared/episode/phase.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import { alreadyDecided, type CallDecisionEvent } from '../desk/waiting.ts';
import type { Desk } from '../desk/desk.ts';
import type { EventLog } from '../log/eventLog.ts';
import { setAside, takeoverMove } from './takeoverMove.ts';
import {
  liveRecord,
  UNKNOWN_TIMING,
  checkTapActs,
  checkTapBreakpoint,
  checkTapTakeOver,
  checkCall,
  waitUntilRecorded,
  type TapRecorded,
} from './stepInChecks.ts';
import { suggestionFor } from '../../shared/suggestions.ts';
import { callOf, turnOfCall } from '../../shared/episode/calls.ts';

type StepInsDependencies = TapRecorded & { log: EventLog; desk: Desk; newId: () => string };
type StepInHandlers = Pick<Handlers, keyof typeof stepIns | keyof typeof rules>;
export function stepInCommands(parts: StepInsDependencies): StepInHandlers {
  const { log, desk, newId } = parts;
  const live = (episode: string): EpisodeRecord => liveRecord(log, episode);
  return {
    'episode.control': async (input, { seat }) => ({ seq: await control(parts, input, seatActor(seat)) }),
    'breakpoint.change': async (change, caller) => {
      const { episode } = change;
      const record = live(episode);
      const by = seatActor(caller.seat);
      if ('clear' in change) {
        log.append(episode, by, { kind: 'breakpoint.cleared', breakpoint: change.clear });
        return { breakpoint: change.clear };
      }
      checkTapBreakpoint(record, change.set);
      const breakpoint = newId();
      log.append(episode, by, { kind: 'breakpoint.set', breakpoint, at: change.set });
      return { breakpoint };
    },
    'policy.set': async ({ episode, rules }, caller) => {
      checkTapActs(live(episode));
      return { seq: log.append(episode, seatActor(caller.seat), { kind: 'policy.changed', rules }).seq };
    },
    'call.decide': async (input, { seat }) => {
      await waitUntilRecorded(parts, input.episode);
      const seq = decideCall(parts, input, seatActor(seat));
      await checkCarriedOut(parts, input);
      return { seq };
    },
    'call.settle_doubt': async ({ episode, ...settled }, { seat }) => ({
      seq: settleDoubt(log, episode, seatActor(seat), settled),
    }),
    'suggestion.note': async (input, { seat }) => {
      noteSuggestion(log, input, seatActor(seat));
      return {};
    },
    'note.send': async ({ episode, text, timing }, caller) => {
      live(episode);
      const note = newId();
      const privilege = desk.privilegeOf(episode, seatActor(caller.seat));
      log.append(episode, seatActor(caller.seat), {
        kind: 'note.interjected',
        note,
        text,
        privilege,
        timing,
      });
      return { note };
    },
    'takeover.move': async (input, caller) => ({
      turn: await takeoverMove(parts, input, seatActor(caller.seat)),
    }),
    'label.give': async (input, caller) => ({ seq: giveLabel(parts, input, seatActor(caller.seat)) }),
  };
}

/** The first word stands. Throws `not_found` or `already_answered`. */
function settleDoubt(
  log: EventLog,
  episode: string,
  actor: Actor,
  settled: Omit<Inputs['call.settle_doubt'], 'episode'>,
): number {
  return log.append(episode, actor, (record) => {
    const doubt = callOf(record, settled.call)?.doubt;
    if (doubt === undefined || record.ended !== null)
      throw new Failure('not_found', `no call ${settled.call} of episode ${episode} is in doubt`, {
        next: 'It may have been settled already; look at the timeline.',
      });
    if (doubt.settled !== null)
      throw new Failure('already_answered', 'somebody has settled this call already', {
        next: 'Look at the timeline.',
      });
    return { kind: 'doubt.settled', ...settled };
  }).seq;
}

/** A decision about a held call, without the privilege of its author, which is added later. */
type Decision<E = CallDecisionEvent> = E extends CallDecisionEvent ? Omit<E, 'privilege'> : never;

function decideCall({ log, desk }: StepInsDependencies, input: Inputs['call.decide'], actor: Actor): number {
  const { episode } = input;
  const decide = (decision: Decision): number => {
    const privilege = desk.privilegeOf(episode, actor);
    return desk.decideCall(episode, actor, { ...decision, privilege }).seq;
  };
  switch (input.act) {
    case 'approve': {
      const { call, seen_seq, timing, similar } = input;
      const seq = decide({ kind: 'call.approved', call, seen_seq, timing });
      if (similar) allowSimilar(log, episode, call, actor);
      return seq;
    }
    case 'edit': {
      const { act: _act, episode: _episode, is_unchecked: isUnchecked, ...decided } = input;
      checkChanged(log.record(episode), decided);
      if (!isUnchecked) checkCall(log.record(episode).tools, decided.tool_name, decided.arguments);
      return decide({ kind: 'call.edited', ...decided });
    }
    case 'reject': {
      const { act: _act, episode: _episode, ...decided } = input;
      return decide({ kind: 'call.rejected', ...decided });
    }
    case 'answer': {
      const { act: _act, episode: _episode, ...decided } = input;
      return decide({ kind: 'call.answered', ...decided });
    }
  }
}

/** Throws `already_answered` where the tap had done otherwise before it heard of the decision. */
async function checkCarriedOut(
  { log, recorded }: StepInsDependencies,
  { episode, call }: Inputs['call.decide'],
): Promise<void> {
  if (log.record(episode).tapped === null) return;
  // By then the decision is on its way to the tap, ahead of the question what it did.
  await setImmediate();
  await recorded();
  const decided = callOf(log.record(episode), call);
  if (decided?.late !== undefined && decided.decision !== null) throw alreadyDecided(decided.decision);
}

/** An edit that changes nothing would mark the turn as a person's for nothing. */
function checkChanged(
  record: EpisodeRecord,
  edit: { call: string; tool_name: string; arguments: JsonObject },
): void {
  const move = turnOfCall(record, edit.call)?.move;
  if (move?.type !== 'call_tool' || move.tool_name !== edit.tool_name) return;
  if (canonical(move.arguments) !== canonical(edit.arguments)) return;
  throw new Failure('bad_input', 'this is the call as the agent made it', {
    next: 'Change something, or approve it as it is.',
  });
}

/** Later calls of the same tool go through; the rule stands first, and in the log. */
function allowSimilar(log: EventLog, episode: string, call: string, actor: Actor): void {
  const record = log.record(episode);
  const tool = callOf(record, call)?.toolName;
  if (tool === undefined) return;
  const rule = { glob: tool, argument: null, does: 'auto' as const, count: null };
  log.append(episode, actor, { kind: 'policy.changed', rules: [rule, ...record.rules] });
}

async function control(
  parts: StepInsDependencies,
  input: Inputs['episode.control'],
  actor: Actor,
): Promise<number> {
  const { log } = parts;
  const { episode, act, at_once, reason } = input;
  if (act === 'set_aside') return setAside(parts, episode, actor);
  const record = liveRecord(log, episode);
  checkTapActs(record);
  if (act === 'take_over') checkTapTakeOver(record);
  const { phase: from } = record;
  const to = nextPhase(record, act);
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

/** Writes a note for the agent at a hand-back, or marks the moves as not to be learnt from. */
function handBack(
  { log, desk, newId }: StepInsDependencies,
  input: Inputs['episode.control'],
  actor: Actor,
): LogEvent[] {
  const { episode, note, is_discarded, reason, timing = UNKNOWN_TIMING } = input;
  const { turns, phaseN } = log.record(episode);
  const own = turns.filter(({ n, actor: by }) => isAtSeat(by) && n > phaseN).map(({ turn }) => turn);
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

function giveLabel(
  { log, desk }: StepInsDependencies,
  { episode, turn, move, timing, beta = null }: Inputs['label.give'],
  actor: Actor,
): number {
  const record = liveRecord(log, episode);
  const labelled = record.turns.find((one) => one.turn === turn);
  if (labelled === undefined) throw new Failure('not_found', `the episode has no turn ${String(turn)}`);
  const agrees = canonical(labelled.move) === canonical(move);
  const privilege = desk.privilegeOf(episode, actor);
  return log.append(episode, actor, { kind: 'label.given', turn, move, agrees, privilege, timing, beta }).seq;
}

function noteSuggestion(
  log: EventLog,
  { episode, level, act }: Inputs['suggestion.note'],
  actor: Actor,
): void {
  if (act !== 'shown') {
    if (level > liveRecord(log, episode).suggested.answered)
      log.append(episode, actor, { kind: 'suggestion.answered', level, act });
    return;
  }
  const record = log.record(episode);
  const found = record.ended === null ? suggestionFor(record) : null;
  // What a screen shows may be over, or another seat may have shown it first.
  if (found !== null && found.level === level && level > record.suggested.shown)
    log.append(episode, SYSTEM, { kind: 'suggestion.shown', ...found });
}
