// Owns: telling an episode that happened elsewhere in the words of the log: messages, turns, calls and their results.
// A turn of this log makes one call; a reply with several is told as several turns, and that is noted.
import { ENVIRONMENT, SYSTEM, type Actor } from '../../../shared/events/actor.ts';
import type { Json, ToolSpec } from '../../../shared/events/lifecycle.ts';
import type { JsonObject, MessageOrigin, Move, NativeCall } from '../../../shared/events/turns.ts';
import type { LogEvent } from '../../../shared/events/vocabulary.ts';
import type { TimedEntry } from '../../log/eventLog.ts';
import { LIMITS, sizeWords } from './limits.ts';
import { moveOf } from './moves.ts';
import type { Notes } from './notes.ts';
import { ImportStop } from './stop.ts';

export type Said = {
  content: string;
  reasoning: string | null;
  calls: readonly NativeCall[];
  model: string | null;
  stopReason: string | null;
  usage: { input_tokens: number | null; output_tokens: number | null } | null;
  latencyMs: number | null;
  at: number | null;
};

export type Result = {
  /** What the environment gave, and what it refused with. */
  text: string | null;
  error: string | null;
  rewardType: string | null;
  reward: number | null;
  done: boolean;
  /** The environment's own record of it, verbatim; '' where there is none. */
  frame: string;
  latencyMs: number | null;
  at: number | null;
  /** What the agent read of it; null where no message is recorded. */
  read: { text: string; name: string | null; role?: 'user' | 'tool' } | null;
  tools?: ToolSpec[];
  /** What was decided about the call before it went out. */
  decided?: Decided[];
};

export type Decided = {
  at: number | null;
  actor: Actor;
  /** Who was asked, in the harness's words. */
  rule: string;
  decision: 'approved' | 'edited' | 'rejected';
  reason: string | null;
  /** What went out instead. */
  effective: { tool_name: string; arguments: JsonObject } | null;
};

export const NO_RESULT: Result = {
  text: null,
  error: null,
  rewardType: null,
  reward: null,
  done: false,
  frame: '',
  latencyMs: null,
  at: null,
  read: null,
};

export type Verdict = {
  mode: string;
  finalAnswer: string | null;
  rewardType: string | null;
  reward: number | null;
  result: Json | null;
  error: string | null;
  frame: string;
  at: number | null;
};

type Open = { turn: number; call: string; native: NativeCall; move: Move; actor: Actor };

export type Telling = ReturnType<typeof createTelling>;

export function createTelling(notes: Notes) {
  const entries: TimedEntry[] = [];
  let turn = 0;
  let size = 0;
  let lastText: { content: string; at: number | null; hasMove: boolean; actor: Actor } | null = null;
  /** The call that waits for its result, and those of the same reply that come after it. */
  let open: Open | null = null;
  let queue: { native: NativeCall; actor: Actor; at: number | null }[] = [];

  const put = (at: number | null, actor: Actor, event: LogEvent, length = 0): void => {
    size += length + 200;
    if (size > LIMITS.episodeBytes)
      throw new ImportStop('limit_exceeded', `the episode holds more than ${sizeWords(LIMITS.episodeBytes)}`);
    if (entries.length >= LIMITS.episodeEvents)
      throw new ImportStop(
        'limit_exceeded',
        `the episode has more than ${String(LIMITS.episodeEvents)} events`,
      );
    entries.push({ at, actor, event });
  };
  const generate = (said: Said, actor: Actor): void => {
    turn += 1;
    const length = said.content.length + (said.reasoning?.length ?? 0);
    put(
      said.at,
      actor,
      {
        kind: 'turn.generated',
        turn,
        content: said.content,
        reasoning: said.reasoning,
        tool_calls: [...said.calls],
        model: said.model,
        stop_reason: said.stopReason,
        usage: said.usage,
        latency_ms: said.latencyMs,
      },
      length,
    );
  };
  const propose = (native: NativeCall, actor: Actor, at: number | null): void => {
    const { move, repairs } = moveOf(native.name, native.arguments);
    const call = `t${String(turn)}`;
    put(
      at,
      actor,
      { kind: 'move.proposed', turn, call, move, repairs, ignored_calls: 0 },
      native.arguments.length,
    );
    open = { turn, call, native, move, actor };
  };
  const proposeNext = (): void => {
    const next = queue.shift();
    if (next === undefined) return;
    const { native, actor, at } = next;
    const bare = {
      content: '',
      reasoning: null,
      model: null,
      stopReason: null,
      usage: null,
      latencyMs: null,
    };
    generate({ ...bare, calls: [native], at }, actor);
    propose(native, actor, at);
  };
  /** Calls nothing came back for stay proposed. */
  const leaveOpen = (): void => {
    while (open !== null || queue.length > 0) {
      if (open !== null) notes.note('no_result', 'a call without a result');
      open = null;
      proposeNext();
    }
  };
  const openCall = (id: string | null): Open | null => {
    if (id === null || open?.native.id === id) return open;
    const place = queue.findIndex(({ native }) => native.id === id);
    if (place === -1) return null;
    if (open !== null) notes.note('order_of_results', 'results came in another order than the calls');
    // What waits keeps its turn; it is asked about again when its own result comes.
    while (open !== null && (open as Open).native.id !== id) {
      open = null;
      proposeNext();
    }
    return open;
  };
  /** Tells what was decided about a call; returns what went out, or null when nothing did. */
  const decide = ({ call, turn: ofTurn, move }: Open, decided: readonly Decided[]): Decided['effective'] => {
    if (move.type !== 'call_tool') return null;
    let effective: Decided['effective'] = { tool_name: move.tool_name, arguments: move.arguments };
    for (const { at, actor, rule, decision, reason, effective: other } of decided) {
      const held = { why: 'rule' as const, rule, deadline_at: null, fallback: 'wait' as const };
      put(at, SYSTEM, { kind: 'call.held', call, turn: ofTurn, ...held });
      const known = { call, seen_seq: 0, timing: { first_seen_at: null, active_ms: null } };
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
  };
  const read = (
    role: 'system' | 'user' | 'tool',
    content: string,
    {
      at = null,
      origin,
      id = null,
      name = null,
    }: { at?: number | null; origin: MessageOrigin; id?: string | null; name?: string | null },
  ): void => {
    const segments = origin === 'advice' ? [{ type: 'advice' as const, start: 0, end: content.length }] : [];
    const actor = origin === 'prompt' ? SYSTEM : ENVIRONMENT;
    put(
      at,
      actor,
      {
        kind: 'message.added',
        role,
        content,
        origin,
        turn,
        tool_call_id: id,
        name,
        segments,
        full_length: content.length,
      },
      content.length,
    );
  };

  return {
    entries,
    notes,
    turns: (): number => turn,
    /** The ids of calls that still wait for a result, in order. */
    waiting: (): string[] => [
      ...(open === null ? [] : [open.native.id]),
      ...queue.map(({ native }) => native.id),
    ],
    message: (role: 'system' | 'user', content: string, at: number | null = null): void => {
      leaveOpen();
      lastText = null;
      read(role, content, { at, origin: 'prompt' });
    },
    turn: (said: Said, actor: Actor = { type: 'agent', id: said.model }): void => {
      leaveOpen();
      const [first, ...others] = said.calls;
      if (others.length > 0) notes.note('several_calls', 'a reply with several calls, told as several turns');
      generate({ ...said, calls: first === undefined ? [] : [first] }, actor);
      lastText = { content: said.content, at: said.at, hasMove: first !== undefined, actor };
      if (first === undefined) return;
      queue = others.map((native) => ({ native, actor, at: said.at }));
      propose(first, actor, said.at);
    },
    /** A call of which no reply is recorded: a turn without text. */
    call: (native: NativeCall, at: number | null = null): void => {
      leaveOpen();
      turn += 1;
      lastText = null;
      propose(native, { type: 'agent', id: null }, at);
    },
    /** What came back for a call; `id` null means the one that waits. False when no call waits for it. */
    result: (callId: string | null, result: Result): boolean => {
      const to = openCall(callId);
      if (to === null) return false;
      const { call, native, move } = to;
      const effective = decide(to, result.decided ?? []);
      if (effective !== null)
        put(result.at, { type: 'agent', id: null }, { kind: 'call.sent', call, ...effective });
      if (result.tools !== undefined) {
        const tools = result.tools;
        put(result.at, ENVIRONMENT, {
          kind: 'tools.listed',
          call,
          tools,
          frame: result.frame,
          latency_ms: result.latencyMs,
        });
      } else if (move.type !== 'ask_expert') {
        put(
          result.at,
          ENVIRONMENT,
          {
            kind: 'call.returned',
            call,
            frame: result.frame,
            reward_type: result.rewardType,
            reward: result.reward,
            done: result.done,
            text: result.text,
            error: result.error,
            latency_ms: result.latencyMs,
          },
          (result.text?.length ?? 0) + result.frame.length,
        );
      }
      if (result.read !== null) {
        const origin = move.type === 'ask_expert' ? 'advice' : 'environment';
        const { text, name, role = 'tool' } = result.read;
        const id = role === 'user' || native.id === '' ? null : native.id;
        read(role, text, { at: result.at, origin, id, name });
      }
      open = null;
      proposeNext();
      return true;
    },
    /** A tool message no recorded call asked for. */
    stray: (content: string, name: string | null, at: number | null = null): void => {
      notes.note('no_call', 'a tool message that answers no recorded call');
      read('tool', content, { at, origin: 'environment', name });
    },
    verdict: ({ mode, finalAnswer, rewardType, reward, result, error, frame, at }: Verdict): void => {
      leaveOpen();
      put(at, ENVIRONMENT, {
        kind: 'verifier.ran',
        verifier_mode: mode,
        final_answer: finalAnswer,
        frame,
        reward_type: rewardType,
        reward,
        verify_result: result,
        error,
        latency_ms: null,
      });
    },
    /** Any other fact of the episode, as the log says it. */
    also: (at: number | null, actor: Actor, event: LogEvent): void => put(at, actor, event),
    /** Ends the telling: a last reply without a call is the agent's final answer. Returns that answer. */
    finish: (isOver = true): string | null => {
      leaveOpen();
      if (lastText === null || lastText.hasMove || !isOver) return null;
      const { content, at, actor } = lastText;
      const move: Move = { type: 'final', text: content };
      // The move belongs to its turn, wherever verdicts have come in between.
      const index = entries.findLastIndex(({ event }) => event.kind === 'turn.generated');
      const call = `t${String(turn)}`;
      entries.splice(index + 1, 0, {
        at,
        actor,
        event: { kind: 'move.proposed', turn, call, move, repairs: [], ignored_calls: 0 },
      });
      return content;
    },
  };
}
