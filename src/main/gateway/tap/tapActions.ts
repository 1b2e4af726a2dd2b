// What the tap did about a held request, as events. The decision is in the log before; this adds what took effect.
import { AGENT, SYSTEM } from '../../../shared/events/actor.ts';
import type { Touch } from '../../../shared/events/gateway.ts';
import {
  type Call,
  type CallDecision,
  type EpisodeRecord,
  callOf,
  turnOfCall,
} from '../../../shared/episode/record.ts';
import type { EndedPlay, TapAction } from './linkProtocol.ts';
import { by, type NewEvent, type OpenEpisodeState } from './replies.ts';

export function tapActionEvents(
  record: EpisodeRecord,
  under: OpenEpisodeState,
  ref: number,
  action: TapAction,
): NewEvent[] {
  const pending = under.pending.get(ref);
  const call = under.asks.get(ref) ?? pending?.call ?? `t${String(under.turn)}`;
  const turn = pending?.turn ?? turnOfCall(record, call)?.turn ?? under.turn;
  under.asks.delete(ref);
  switch (action.did) {
    case 'refused':
      return [
        by(SYSTEM, {
          kind: 'call.refused',
          call,
          tool_name: action.tool,
          reason: 'reserved',
          text: action.text,
        }),
      ];
    case 'noted':
      return [
        ...action.notes.map((note) => by(SYSTEM, { kind: 'note.delivered', note, turn })),
        ...(action.in_result ? [touched(turn, 'note_in_result')] : []),
      ];
    case 'own_failed':
      return [ownFailed(action)];
    case 'left': {
      under.pending.delete(ref);
      const left = callOf(record, call);
      return left === null ? [] : voidedEvents(under, left, { by: 'client', reason: '' });
    }
    default:
      under.unsettled.delete(call);
      return heldEvents({ record, under, ref, call, turn }, action);
  }
}

type ActionContext = {
  record: EpisodeRecord;
  under: OpenEpisodeState;
  ref: number;
  call: string;
  turn: number;
};

/**
 * A held call whose client or environment is gone. One that was decided meanwhile is voided too, where the tap did not hear
 * of it any more: the log says then that the decision took no effect.
 */
export function voidedEvents(
  { asks, unsettled }: OpenEpisodeState,
  { id, held, decision }: Call,
  { by: who, reason }: Pick<EndedPlay, 'by' | 'reason'>,
): NewEvent[] {
  const isOpen =
    decision === null
      ? held !== null || [...asks.values()].includes(id)
      : unsettled.has(id) && acts(decision);
  unsettled.delete(id);
  if (!isOpen) return [];
  const left = `the client left before ${decision === null ? 'anybody decided' : 'the decision reached it'}`;
  const why =
    who === 'environment' ? 'the environment closed the connection' : who === 'client' ? left : reason;
  return [by(SYSTEM, { kind: 'call.cancelled', call: id, reason: why })];
}

/** Whether it says more than that the call was not made. */
const acts = (decision: CallDecision): boolean =>
  decision.type === 'expired' ? decision.fallback === 'approve' : decision.type !== 'cancelled';

function heldEvents(
  { record, under, ref, call, turn }: ActionContext,
  action: Extract<TapAction, { by: 'person' | 'deadline' }>,
): NewEvent[] {
  const decision = callOf(record, call)?.decision ?? null;
  // What was decided while the limit passed did not reach the tap: what the tap did stands.
  const expired =
    action.by === 'deadline' && decision?.type !== 'expired'
      ? [
          by(SYSTEM, {
            kind: 'call.expired',
            call,
            fallback: action.did === 'passed' ? 'approve' : 'reject',
          }),
        ]
      : [];
  switch (action.did) {
    case 'passed': {
      const asked = under.pending.get(ref)?.asked;
      const sent =
        asked?.type === 'call'
          ? { tool_name: asked.tool, arguments: asked.arguments }
          : proposedOf(record, call);
      return [...expired, by(AGENT, { kind: 'call.sent', call, ...sent })];
    }
    case 'edited':
      return decision?.type === 'edited'
        ? [
            by(decision.actor, {
              kind: 'call.sent',
              call,
              tool_name: decision.toolName,
              arguments: decision.arguments,
            }),
            touched(turn, 'edited'),
          ]
        : [];
    case 'expired':
      return [...expired, touched(turn, 'expired')];
    case 'answered':
    case 'rejected':
      // Its client reads a refusal in any case; the log says that the person acted instead.
      return [touched(turn, decision?.type === 'cancelled' ? 'set_aside' : action.did)];
    case 'discarded':
      return [
        touched(
          turn,
          decision?.type === 'cancelled'
            ? 'set_aside'
            : decision?.type === 'edited' || decision?.type === 'answered' || decision?.type === 'rejected'
              ? decision.type
              : 'stopped',
        ),
      ];
  }
}

const touched = (turn: number, touch: Touch): NewEvent => by(SYSTEM, { kind: 'turn.touched', turn, touch });

function proposedOf(record: EpisodeRecord, call: string) {
  const move = turnOfCall(record, call)?.move ?? null;
  return move?.type === 'call_tool'
    ? { tool_name: move.tool_name, arguments: move.arguments }
    : { tool_name: '', arguments: {} };
}

const ownFailed = ({ id, reason }: Extract<TapAction, { did: 'own_failed' }>): NewEvent =>
  by(SYSTEM, {
    kind: 'call.returned',
    call: id,
    frame: '',
    reward_type: null,
    reward: null,
    done: false,
    text: null,
    error: reason,
    latency_ms: null,
  });
