// Held calls: the wait for a decision, and that each gets exactly one.
import { SYSTEM, type Actor } from '../../shared/events/actor.ts';
import type { EventOf, LogEvent, Recorded } from '../../shared/events/vocabulary.ts';
import { Failure } from '../../shared/failure.ts';
import { type CallDecision, type EpisodeRecord, callOf } from '../../shared/episode/record.ts';
import { waitAtDesk, type WaitEdges } from './wait.ts';

/** What a person decides about a held call, with what they had seen of the log. */
export type CallDecisionEvent = Extract<LogEvent, { call: string; seen_seq: number }>;

export type CallDesk = {
  /** Resolves with what was decided. At the deadline the stated fallback is recorded, unless it is `wait`. */
  waitForCall(episode: string, call: string, signal: AbortSignal): Promise<CallDecision>;
  /** Commits a decision about a held call. Throws `already_answered` or `not_found`. */
  decideCall(episode: string, actor: Actor, event: CallDecisionEvent): Recorded;
};

export function createCallDesk(edges: WaitEdges): CallDesk {
  const { log } = edges;
  type NewsOfCall = EventOf<'call.expired' | 'call.cancelled' | 'call.extended'>;
  const settle = (episode: string, call: string, event: NewsOfCall): void => {
    if (callOf(log.record(episode), call)?.decision === null) log.append(episode, SYSTEM, event);
  };
  return {
    waitForCall: (episode, call, signal) => {
      const { tapped, ...record } = log.record(episode);
      const fallback = callOf(record, call)?.held?.fallback ?? 'wait';
      return waitAtDesk(edges, {
        stream: episode,
        id: call,
        look: (record) => callOf(record, call)?.decision ?? null,
        // A tapped call has the tap's own limit as well (gateway/tap/child/holds.ts), which runs out a moment later, and
        // which goes on while this process is away.
        isKeptElsewhere: tapped !== null,
        deadline_at: (record) =>
          fallback === 'wait' ? null : (callOf(record, call)?.held?.deadline_at ?? null),
        expire: () => settle(episode, call, { kind: 'call.expired', call, fallback }),
        restate: (deadlineAt) =>
          settle(episode, call, { kind: 'call.extended', call, deadline_at: deadlineAt }),
        cancel: (reason) => settle(episode, call, { kind: 'call.cancelled', call, reason }),
        signal,
      });
    },
    decideCall: (episode, actor, event) =>
      log.append(episode, actor, (record) => {
        checkOpen(record, event.call);
        return event;
      }),
  };
}

function checkOpen(record: EpisodeRecord, id: string): void {
  const call = callOf(record, id);
  if (call === null || call.held === null) {
    throw new Failure('not_found', `no call ${id} of episode ${record.id} waits for a decision`, {
      next: 'It may have gone on already; look at the timeline.',
    });
  }
  if (call.decision === null && record.ended === null) return;
  if (call.decision === null) throw new Failure('closed', 'the episode ended before this call was decided');
  throw alreadyDecided(call.decision);
}

export const alreadyDecided = (decision: CallDecision): Failure =>
  new Failure('already_answered', decidedText(decision), {
    next: 'Nothing was sent. Your changes are kept so that you can copy them.',
  });

function decidedText(decision: CallDecision): string {
  const { type, actor } = decision;
  if (type === 'cancelled') return `this call was not executed: ${decision.reason}`;
  if (type !== 'expired') return `this call was already ${type} by ${actor.id ?? actor.type}`;
  return decision.fallback === 'approve'
    ? 'this call was executed, as was chosen for when nobody decides in time'
    : 'this call was not executed: nobody approved it in time';
}
