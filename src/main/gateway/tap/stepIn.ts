// Carries out people's acts on the episodes of the tap's clients: which calls wait, what is decided about them, notes,
// pauses, a person's own calls. Commands only append; this hears of it, tells the tap, and what took effect comes back
// recorded.
import { isAtSeat, SYSTEM } from '../../../shared/events/actor.ts';
import type { Recorded } from '../../../shared/events/vocabulary.ts';
import type { CallDecision, EpisodeRecord } from '../../../shared/episode/record.ts';
import type { JsonObject } from '../../../shared/events/turns.ts';
import { isToolError } from '../../../shared/wire.ts';
import { actionOfCall, type ActionSpace } from '../../openenv/actionSpace.ts';
import type { Desk } from '../../desk/desk.ts';
import { judgeCall } from '../../episode/approval.ts';
import type { EventLog } from '../../log/eventLog.ts';
import { lastOwnTurn } from './translate.ts';
import type { HeldVerdict, ToTap } from './linkProtocol.ts';
import { turnOfCall } from '../../../shared/episode/calls.ts';

type StepInDependencies = {
  log: EventLog;
  desk: Desk;
  clock: () => number;
  tell: (message: ToTap) => void;
  /** The actions of the episode's environment; null where it has tools. */
  actionsOf: (record: EpisodeRecord) => ActionSpace | null;
  /** Resolves with true once the log has all that the tap did by now. */
  recorded: () => Promise<boolean>;
  report: (thrown: unknown) => void;
};

export type TapStepIn = {
  /** A request of the client waits for a word. */
  asked(episode: string, ask: number, call: string): void;
  /** An answer was recorded: a single step may be over, a breakpoint may be hit. */
  returned(episode: string): void;
  /** Tells the tap everything it has to know about an episode. */
  refresh(episode: string): void;
  heard(recorded: Recorded, record: EpisodeRecord): void;
  /** The episode is over: nothing of it waits any more. */
  ended(episode: string): void;
  close(): void;
};

/** The desk's deadline is this much before the tap's own, so that a decision made in time arrives in time. */
const DECISION_TRAVEL_MS = 500;

export function createStepIn(edges: StepInDependencies): TapStepIn {
  const { log, report } = edges;
  /** A client and its environment get what a person wrote, whatever of it the log covers. */
  const tell = (message: ToTap): void =>
    edges.tell('episode' in message ? log.cover(message.episode).reveal(message) : message);
  const parts = { ...edges, tell };
  const stops = new Map<string, AbortController>();
  let isClosing = false;
  const stopOf = (episode: string): AbortController => {
    const stop = stops.get(episode) ?? new AbortController();
    stops.set(episode, stop);
    return stop;
  };
  /** Episodes whose calls come here first; of all others an answer changes nothing. */
  const armed = new Set<string>();
  const refresh = (episode: string): void => {
    const record = log.record(episode);
    if (needsAsking(record)) armed.add(episode);
    else armed.delete(episode);
    arm(tell, record);
  };
  return {
    asked: (episode, ask, call) => {
      const stop = stopOf(episode);
      decideHeldCall(parts, episode, call, stop.signal)
        .then((verdict) => tell({ type: 'verdict', ask, verdict: log.cover(episode).reveal(verdict) }))
        // Without a word the tap refuses it at its limit: a decision that was not recorded is none.
        .catch((thrown: unknown) => (stop.signal.aborted || isClosing ? undefined : report(thrown)));
    },
    returned: (episode) => (armed.has(episode) ? stopAfterAnswer(log, episode) : undefined),
    refresh: (episode) => {
      refresh(episode);
      for (const { id, text, deliveredTurn } of log.record(episode).notes) {
        if (deliveredTurn === null) tell({ type: 'note', episode, note: id, text: log.texts.loadText(text) });
      }
    },
    heard: (recorded, record) => onRecorded(parts, refresh, recorded, record),
    ended: (episode) => {
      stops.get(episode)?.abort();
      stops.delete(episode);
      armed.delete(episode);
    },
    // What waits goes on waiting, for the main that comes next.
    close: () => {
      isClosing = true;
      stops.clear();
    },
  };
}

function onRecorded(
  parts: StepInDependencies,
  refresh: (episode: string) => void,
  recorded: Recorded,
  record: EpisodeRecord,
): void {
  const { event, actor, stream } = recorded;
  const { tell, log } = parts;
  switch (event.kind) {
    case 'policy.changed':
    case 'breakpoint.set':
    case 'breakpoint.cleared':
    case 'turn.touched':
      return refresh(stream);
    case 'phase.changed':
      refresh(stream);
      return event.to === 'autonomous' && isAtSeat(actor) ? void resume(parts, recorded) : undefined;
    case 'note.interjected':
      return tell({ type: 'note', episode: stream, note: event.note, text: log.texts.loadText(event.text) });
    case 'move.proposed':
      return isAtSeat(actor) ? act(parts, record, recorded) : undefined;
    default:
      return undefined;
  }
}

const touchedTurns = ({ turns }: EpisodeRecord): number[] =>
  turns.filter(({ touched }) => touched !== null).map(({ turn }) => turn);

/** True if the tap has to ask before it passes a call on. */
const needsAsking = ({ tapped, rules, breakpoints, phase, phaseCause }: EpisodeRecord): boolean =>
  tapped?.may_act === true &&
  (rules.length > 0 || breakpoints.length > 0 || phase !== 'autonomous' || phaseCause === 'step');

function arm(tell: StepInDependencies['tell'], record: EpisodeRecord): void {
  tell({
    type: 'arm',
    episode: record.id,
    is_armed: needsAsking(record),
    touched: touchedTurns(record),
  });
}

const UNREADABLE = 'this could not be read as a call, so nobody could be asked to approve it';

/** Holds the call where a rule, a breakpoint or a pause says so, and waits for a person. */
async function decideHeldCall(
  parts: StepInDependencies,
  episode: string,
  call: string,
  signal: AbortSignal,
): Promise<HeldVerdict> {
  const { log, desk, clock } = parts;
  const record = log.record(episode);
  const turn = turnOfCall(record, call);
  const move = turn?.move ?? null;
  if (turn === undefined || move?.type !== 'call_tool') {
    // Nobody can be shown what could not be read or recorded: where any call would wait, it is refused.
    const isFree = whyHeld(record, { tool_name: '', arguments: {} }).hold === null;
    return isFree ? { do: 'pass' } : { do: 'reject', reason: UNREADABLE, touched: touchedTurns(record) };
  }
  if (turn.call?.held === undefined || turn.call.held === null) {
    const { hold, waived } = whyHeld(record, move);
    if (hold === null) {
      if (waived !== null) log.append(episode, SYSTEM, { kind: 'call.waived', call, rule: waived });
      return { do: 'pass' };
    }
    const limit = record.tapped?.hold_limit_ms ?? 0;
    const deadline_at = Math.min(turn.at, clock()) + Math.max(limit / 2, limit - DECISION_TRAVEL_MS);
    const fallback = record.tapped?.hold_fallback ?? 'reject';
    log.append(episode, SYSTEM, { kind: 'call.held', call, turn: turn.turn, ...hold, deadline_at, fallback });
  }
  const decision = await desk.waitForCall(episode, call, signal);
  signal.throwIfAborted();
  return heldVerdict(log, decision, [...touchedTurns(record), turn.turn], parts.actionsOf(record));
}

function whyHeld(
  record: EpisodeRecord,
  move: Parameters<typeof judgeCall>[1],
): { hold: { why: 'rule' | 'breakpoint' | 'step'; rule: string | null } | null; waived: string | null } {
  if (record.phase !== 'autonomous') return { hold: { why: 'step', rule: null }, waived: null };
  return judgeCall(record, move);
}

function heldVerdict(
  log: EventLog,
  decision: CallDecision,
  touched: number[],
  actions: ActionSpace | null,
): HeldVerdict {
  switch (decision.type) {
    case 'approved':
      return { do: 'pass' };
    case 'edited':
      return { do: 'edit', ...editedCall(actions, decision.toolName, decision.arguments), touched };
    case 'rejected':
      return { do: 'reject', reason: decision.reason, touched };
    case 'answered':
      return {
        do: 'answer',
        text: log.texts.loadText(decision.text),
        is_error: decision.isError,
        touched,
      };
    case 'expired':
      return { do: 'expire' };
    case 'cancelled':
      return { do: 'reject', reason: decision.reason, touched };
  }
}

/** A person who resumes the episode also releases the call that was held by the pause. */
async function resume(
  { log, desk, recorded, report }: StepInDependencies,
  { actor, seq, stream }: Recorded,
): Promise<void> {
  const held = lastOwnTurn(log.record(stream))?.call ?? null;
  if (held?.held?.why !== 'step' || held.decision !== null || !(await recorded())) return;
  const { turns, phase } = log.record(stream);
  const isOpen = turns.some(({ call }) => call?.id === held.id && call.decision === null);
  if (!isOpen || phase !== 'autonomous') return;
  const timing = { first_seen_at: null, active_ms: null };
  try {
    desk.decideCall(stream, actor, { kind: 'call.approved', call: held.id, seen_seq: seq, timing });
  } catch (thrown) {
    // Decided in the same moment by someone else: that stands.
    if (log.record(stream).ended === null) report(thrown);
  }
}

/** A person's own call, between the client's. */
function act(
  { log, tell, actionsOf }: StepInDependencies,
  record: EpisodeRecord,
  { actor, event, stream }: Recorded,
): void {
  if (event.kind !== 'move.proposed') return;
  const { move, call, turn } = event;
  if (move.type === 'list_tools') {
    return tell({ type: 'own', episode: stream, id: call, frame: stepFrame({ type: 'list_tools' }) });
  }
  if (move.type !== 'call_tool' || record.tapped === null) return;
  const { tool_name, arguments: args } = move;
  log.appendAll(stream, [
    { actor, event: { kind: 'call.sent', call, tool_name, arguments: args } },
    { actor: SYSTEM, event: { kind: 'turn.touched', turn, touch: 'taken_over' } },
  ]);
  tell({
    type: 'own',
    episode: stream,
    id: call,
    frame: stepFrame(
      editedCall(actionsOf(record), tool_name, args).action ?? {
        type: 'call_tool',
        tool_name,
        arguments: args,
      },
    ),
  });
}

/** A call, and the action it is in an environment without tools. */
function editedCall(
  actions: ActionSpace | null,
  tool_name: string,
  args: JsonObject,
): { tool_name: string; arguments: JsonObject; action?: JsonObject } {
  const action = actions === null ? null : actionOfCall(actions, tool_name, args);
  return { tool_name, arguments: args, ...(action === null ? {} : { action }) };
}

const stepFrame = (data: object): string => JSON.stringify({ type: 'step', data });

/** A single step is over with its answer; a breakpoint on errors is hit by one. */
function stopAfterAnswer(log: EventLog, episode: string): void {
  const { phase, phaseCause, phaseN, turns, breakpoints, ended } = log.record(episode);
  if (ended !== null || phase !== 'autonomous') return;
  // A question may have been asked while the call was under way.
  const last = turns.findLast(({ call }) => call !== null);
  const returned = last?.call?.returned ?? null;
  if (last === undefined || returned === null) return;
  const pause = (cause: 'step' | 'breakpoint') => ({
    actor: SYSTEM,
    event: {
      kind: 'phase.changed' as const,
      from: phase,
      to: 'paused' as const,
      cause,
      reason: null,
      at_once: false,
    },
  });
  const isError = isToolError(returned.error, returned.reward_type);
  const hit = isError ? breakpoints.find(({ at }) => at.on === 'error') : undefined;
  if (hit !== undefined) {
    const { turn, callId: call } = last;
    log.appendAll(episode, [
      { actor: SYSTEM, event: { kind: 'breakpoint.hit', breakpoint: hit.id, turn, call } },
      pause('breakpoint'),
    ]);
    return;
  }
  const wasSent = (last.call?.sent?.at ?? 0) > 0 && last.n > phaseN;
  const wasHeld = (last.call?.held?.n ?? Number.POSITIVE_INFINITY) <= phaseN;
  if (phaseCause === 'step' && (wasSent || wasHeld)) log.appendAll(episode, [pause('step')]);
}
