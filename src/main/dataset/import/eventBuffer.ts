// Collects the events of an episode that is being imported, within limits and in the log's own event kinds.
import { ENVIRONMENT, SYSTEM, type Actor } from '../../../shared/events/actor.ts';
import type { MessageOrigin, NativeCall } from '../../../shared/events/turns.ts';
import type { EventOf, LogEvent } from '../../../shared/events/vocabulary.ts';
import type { TimedEntry } from '../../log/eventLog.ts';
import { LIMITS, sizeWords } from './limits.ts';
import { ImportStop } from './stop.ts';
import type { ImportedDecision, ImportedResult, ImportedReply } from './importedFacts.ts';

/** A call that was proposed and has no result yet. */
export type OpenCall = { native: NativeCall; proposed: EventOf<'move.proposed'> };
type MessageFacts = {
  turn: number;
  at: number | null;
  origin: MessageOrigin;
  id?: string | null;
  name?: string | null;
};
type EventBuffer = ReturnType<typeof createEventBuffer>;

const UNTIMED_DECISION = { first_seen_at: null, active_ms: null };
const AGENT_ACTOR: Actor = { type: 'agent', id: null };

export function createEventBuffer() {
  const entries: TimedEntry[] = [];
  let size = 0;
  const put = (at: number | null, actor: Actor, event: LogEvent, length = 0): void => {
    size += length + 200;
    if (size > LIMITS.episodeBytes) throw episodeTooLarge(`more than ${sizeWords(LIMITS.episodeBytes)}`);
    if (entries.length >= LIMITS.episodeEvents)
      throw episodeTooLarge(`more than ${String(LIMITS.episodeEvents)} events`);
    entries.push({ at, actor, event });
  };
  return {
    entries,
    put,
    generated: (turn: number, said: ImportedReply, actor: Actor, replyOf?: number): void => {
      const { at, content, reasoning, calls, model, stopReason, usage, latency_ms } = said;
      const event: EventOf<'turn.generated'> = {
        kind: 'turn.generated',
        turn,
        content,
        reasoning,
        tool_calls: [...calls],
        model,
        usage,
        stop_reason: stopReason,
        latency_ms,
        ...(replyOf === undefined ? {} : { reply_of: replyOf }),
      };
      put(at, actor, event, content.length + (reasoning?.length ?? 0));
    },
    read: (
      role: 'system' | 'user' | 'tool',
      content: string,
      { turn, at, origin, id = null, name = null }: MessageFacts,
    ): void => {
      const segments =
        origin === 'advice' ? [{ type: 'advice' as const, start: 0, end: content.length }] : [];
      const event: EventOf<'message.added'> = {
        kind: 'message.added',
        role,
        content,
        origin,
        turn,
        tool_call_id: id,
        name,
        segments,
        full_length: content.length,
      };
      if (origin !== 'prompt') event.alone = true;
      put(at, origin === 'prompt' ? SYSTEM : ENVIRONMENT, event, content.length);
    },
  };
}

/** What went out, what came back for it, and what the agent read of that. */
export function putReturned(
  tape: EventBuffer,
  { native, proposed }: OpenCall,
  result: ImportedResult,
  effective: Effective,
): void {
  const { put } = tape;
  const { call, turn, move } = proposed;
  const { at, frame, read, latency_ms } = result;
  const role = read?.role ?? 'tool';
  const name = read?.name ?? null;
  const id = role === 'user' || native.id === '' ? null : native.id;
  let isRead = false;
  if (effective === AS_PROPOSED) proposed.sent = true;
  else if (effective !== null) put(at, AGENT_ACTOR, { kind: 'call.sent', call, ...effective });
  if (result.tools !== undefined) {
    put(at, ENVIRONMENT, { kind: 'tools.listed', call, tools: result.tools, frame, latency_ms });
  } else if (move.type !== 'ask_expert') {
    const { text, error, reward, done, reward_type } = result;
    const event: EventOf<'call.returned'> = {
      kind: 'call.returned',
      call,
      frame,
      reward_type,
      reward,
      done,
      text,
      error,
      latency_ms,
    };
    isRead = read !== null && read.text === text;
    if (isRead) event.read = { role, tool_call_id: id, name };
    put(at, ENVIRONMENT, event, (text?.length ?? 0) + frame.length);
  }
  if (read === null || isRead) return;
  const origin = move.type === 'ask_expert' ? 'advice' : 'environment';
  tape.read(role, read.text, { turn, at, origin, id, name });
}

/** Nobody looked at the call before it went out. */
const AS_PROPOSED = 'as proposed';
type Effective = ImportedDecision['effective'] | typeof AS_PROPOSED;

/** What was decided about a call before it went out; returns what did, or null when nothing did. */
export function putDecided(
  { put }: EventBuffer,
  { proposed: { call, turn, move } }: OpenCall,
  decisions: readonly ImportedDecision[],
): Effective {
  if (move.type !== 'call_tool') return null;
  if (decisions.length === 0) return AS_PROPOSED;
  let effective: ImportedDecision['effective'] = { tool_name: move.tool_name, arguments: move.arguments };
  for (const { at, actor, rule, decision, reason, effective: other } of decisions) {
    put(at, SYSTEM, {
      kind: 'call.held',
      call,
      turn,
      why: 'rule',
      rule,
      deadline_at: null,
      fallback: 'wait',
    });
    const known = { call, seen_seq: 0, timing: UNTIMED_DECISION };
    if (decision === 'approved') put(at, actor, { kind: 'call.approved', ...known });
    else if (decision === 'edited' && other !== null) {
      put(at, actor, { kind: 'call.edited', ...known, ...other, reason, privilege: 'unknown' });
      effective = other;
    } else if (decision === 'rejected') {
      put(at, actor, { kind: 'call.rejected', ...known, reason: reason ?? '', privilege: 'unknown' });
      effective = null;
    }
  }
  return effective;
}

const episodeTooLarge = (what: string): ImportStop =>
  new ImportStop('limit_exceeded', `the episode holds ${what}`);
