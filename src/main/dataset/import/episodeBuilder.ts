// Builds the events of an imported episode: messages, turns, calls and their results. A turn of this log makes one call:
// the first turn of a reply with several holds its words and all its calls, and the further ones name it.
import { ENVIRONMENT, type Actor, SYSTEM } from '../../../shared/events/actor.ts';
import {
  type Move,
  type NativeCall,
  type MessageOrigin,
  type JsonObject,
  type ReplyMarks,
  RESPONSE_PREFIX,
} from '../../../shared/events/turns.ts';
import { NO_ADVICE } from '../../../shared/wire.ts';
import type { TimedEntry } from '../../log/eventLog.ts';
import { recordedMove } from './moves.ts';
import type { ImportNotes } from './importNotes.ts';
import type { EventOf, LogEvent } from '../../../shared/events/vocabulary.ts';
import { LIMITS, sizeWords, ImportStop } from './limits.ts';
import type { Json, ToolSpec } from '../../../shared/events/lifecycle.ts';

const BARE = { content: '', reasoning: null, model: null, stopReason: null, usage: null, latency_ms: null };

export const createEpisodeBuilder = (notes: ImportNotes): EpisodeBuilder => new EpisodeBuilder(notes);

/** The time of a call, and its place in the file. */
type EventPlace = { at: number | null; pointer: string | null };

export class EpisodeBuilder {
  readonly notes: ImportNotes;
  readonly #tape = createEventBuffer();
  #turn = 0;
  #lastText: { content: string; at: number | null; hasMove: boolean; actor: Actor } | null = null;
  /** The call that waits for its result, and those of the same reply that come after it. */
  #open: OpenCall | null = null;
  #queue: ({ native: NativeCall; actor: Actor; replyOf: number; marks?: ReplyMarks } & EventPlace)[] = [];

  constructor(notes: ImportNotes) {
    this.notes = notes;
  }

  get entries(): TimedEntry[] {
    return this.#tape.entries;
  }

  /** The ids of calls that still wait for a result, in order. */
  waiting(): string[] {
    const first = this.#open === null ? [] : [this.#open.native.id];
    return [...first, ...this.#queue.map(({ native }) => native.id)];
  }

  message(role: 'system' | 'user', content: string, at: number | null = null): void {
    this.#leaveOpen();
    this.#lastText = null;
    this.#tape.read(role, content, { turn: this.#turn, at, origin: 'prompt' });
  }

  turn(said: ImportedReply, actor: Actor = { type: 'agent', id: said.model }): void {
    this.#leaveOpen();
    const [first, ...others] = said.calls;
    this.#generate(said, actor);
    this.#lastText = { content: said.content, at: said.at, hasMove: first !== undefined, actor };
    const { at, pointer = null } = said;
    if (first === undefined && said.content.trim() === '')
      this.notes.note('no_words', 'a reply of neither words nor a call: rows leave it out', pointer);
    if (first === undefined) return;
    const marks = said.marks === undefined ? {} : { marks: said.marks };
    this.#queue = others.map((native) => ({ native, actor, at, pointer, replyOf: this.#turn, ...marks }));
    this.#propose(first, actor, { at, pointer });
  }

  /** A call of which no reply is recorded: a turn without text. */
  call(native: NativeCall, at: number | null = null): void {
    this.#leaveOpen();
    this.#turn += 1;
    this.#lastText = null;
    this.#propose(native, { type: 'agent', id: null }, { at, pointer: null });
  }

  /** What came back for a call; `callId` null means the one that waits. False when no call waits for it. */
  result(callId: string | null, result: ImportedResult): boolean {
    const to = this.#openCall(callId);
    if (to === null) return false;
    const effective = putDecided(this.#tape, to, result.decided ?? []);
    putReturned(this.#tape, to, result, effective);
    this.#open = null;
    this.#proposeNext();
    return true;
  }

  /** A tool message no recorded call asked for. */
  stray(content: string, name: string | null, at: number | null = null): void {
    this.notes.note('no_call', 'a tool message that answers no recorded call');
    this.#tape.read('tool', content, { turn: this.#turn, at, origin: 'environment', name });
  }

  verdict({ mode, final_answer, reward_type, reward, result, error, frame, at }: ImportedVerdict): void {
    this.#leaveOpen();
    const said = { verifier_mode: mode, final_answer, reward_type, reward };
    const rest = { verify_result: result, error, frame, latency_ms: null };
    this.#tape.put(at, ENVIRONMENT, { kind: 'verifier.ran', ...said, ...rest }, frame.length);
  }

  /** Ends the telling: a last reply without a call is the agent's final answer. Returns that answer. */
  finish(isOver = true): string | null {
    this.#leaveOpen();
    if (this.#lastText === null || this.#lastText.hasMove || !isOver) return null;
    const { content, at, actor } = this.#lastText;
    const move: Move = { type: 'final', text: content };
    const place = { turn: this.#turn, call: `t${String(this.#turn)}` };
    // The move belongs to its turn, wherever verdicts have come in between.
    const index = this.entries.findLastIndex(({ event }) => event.kind === 'turn.generated');
    this.entries.splice(index + 1, 0, {
      at,
      actor,
      event: { kind: 'move.proposed', ...place, move, repairs: [], ignored_calls: 0 },
    });
    return content;
  }

  #generate(said: ImportedReply, actor: Actor, replyOf?: number): void {
    this.#turn += 1;
    this.#tape.generated(this.#turn, said, actor, replyOf);
  }

  #propose(native: NativeCall, actor: Actor, { at, pointer }: EventPlace): void {
    const { move, repairs } = recordedMove(native.name, native.arguments);
    if (move.type === 'malformed') this.notes.note(move.code, move.detail.slice(0, 200), pointer);
    const turn = this.#turn;
    const call = `t${String(turn)}`;
    const proposed: OpenCall['proposed'] = {
      kind: 'move.proposed',
      turn,
      call,
      move,
      repairs,
      ignored_calls: 0,
    };
    this.#tape.put(at, actor, proposed, native.arguments.length);
    this.#open = { native, proposed };
  }

  #proposeNext(): void {
    const next = this.#queue.shift();
    if (next === undefined) return;
    const { native, actor, at, replyOf, marks } = next;
    this.#generate(
      { ...BARE, calls: [native], at, ...(marks === undefined ? {} : { marks }) },
      actor,
      replyOf,
    );
    this.#propose(next.native, next.actor, next);
  }

  /** Calls nothing came back for stay proposed. */
  #leaveOpen(): void {
    while (this.#open !== null || this.#queue.length > 0) {
      if (this.#open !== null)
        this.notes.note('no_result', 'a call without a result: rows that go on after it leave it out');
      this.#open = null;
      this.#proposeNext();
    }
  }

  #openCall(id: string | null): OpenCall | null {
    if (id === null || this.#open?.native.id === id) return this.#open;
    if (!this.#queue.some(({ native }) => native.id === id)) return null;
    this.notes.note('order_of_results', 'results came in another order than the calls');
    // What waited stays proposed: its own result comes when its turn is over.
    while (this.#open !== null && this.#open.native.id !== id) {
      this.#open = null;
      this.#proposeNext();
    }
    return this.#open;
  }
}

/** A call that was proposed and has no result yet. */
type OpenCall = { native: NativeCall; proposed: EventOf<'move.proposed'> };
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

function createEventBuffer() {
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
        ...(said.marks === undefined ? {} : { marks: said.marks }),
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

/** Adds the call that was sent, its result, and the agent's reading of it. */
function putReturned(
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
  const isDeclined = read.text.replace(RESPONSE_PREFIX, '').startsWith(NO_ADVICE);
  const origin = move.type !== 'ask_expert' ? 'environment' : isDeclined ? 'notice' : 'advice';
  tape.read(role, read.text, { turn, at, origin, id, name });
}

/** Nobody looked at the call before it went out. */
const AS_PROPOSED = 'as proposed';
type Effective = ImportedDecision['effective'] | typeof AS_PROPOSED;

/** Adds the decisions about a call before it went out; returns what did, or null when nothing did. */
function putDecided(
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

type ImportedReply = {
  content: string;
  reasoning: string | null;
  calls: readonly NativeCall[];
  model: string | null;
  stopReason: string | null;
  usage: { input_tokens: number | null; output_tokens: number | null } | null;
  latency_ms: number | null;
  at: number | null;
  /** What the file says of it. */
  marks?: ReplyMarks;
  /** Where it stands in the file. */
  pointer?: string;
};

export type ImportedResult = {
  /** What the environment gave, and what it refused with. */
  text: string | null;
  error: string | null;
  reward_type: string | null;
  reward: number | null;
  done: boolean;
  /** The environment's own record of it, verbatim; '' where there is none. */
  frame: string;
  latency_ms: number | null;
  at: number | null;
  /** What the agent read of it; null where no message is recorded. */
  read: { text: string; name: string | null; role?: 'user' | 'tool' } | null;
  tools?: ToolSpec[];
  /** What was decided about the call before it went out. */
  decided?: ImportedDecision[];
};

export type ImportedDecision = {
  at: number | null;
  actor: Actor;
  /** Who was asked, in the harness's words. */
  rule: string;
  decision: 'approved' | 'edited' | 'rejected';
  reason: string | null;
  /** What went out instead. */
  effective: { tool_name: string; arguments: JsonObject } | null;
};

export const NO_RESULT: ImportedResult = {
  text: null,
  error: null,
  reward_type: null,
  reward: null,
  done: false,
  frame: '',
  latency_ms: null,
  at: null,
  read: null,
};

export type ImportedVerdict = {
  mode: string;
  final_answer: string | null;
  reward_type: string | null;
  reward: number | null;
  result: Json | null;
  error: string | null;
  frame: string;
  at: number | null;
};
