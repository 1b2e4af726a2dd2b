// Builds the events of an imported episode: messages, turns, calls and their results. A turn of this log makes one call:
// the first turn of a reply with several holds its words and all its calls, and the further ones name it.
import { ENVIRONMENT, type Actor } from '../../../shared/events/actor.ts';
import type { Move, NativeCall } from '../../../shared/events/turns.ts';
import type { TimedEntry } from '../../log/eventLog.ts';
import { recordedMove } from './moves.ts';
import type { ImportNotes } from './importNotes.ts';
import { createEventBuffer, putDecided, putReturned, type OpenCall } from './eventBuffer.ts';
import type { ImportedResult, ImportedReply, ImportedVerdict } from './importedFacts.ts';

const BARE = { content: '', reasoning: null, model: null, stopReason: null, usage: null, latency_ms: null };

export const createEpisodeBuilder = (notes: ImportNotes): EpisodeBuilder => new EpisodeBuilder(notes);

/** When a call was made, and where it stands in the file. */
type EventPlace = { at: number | null; pointer: string | null };

export class EpisodeBuilder {
  readonly notes: ImportNotes;
  readonly #tape = createEventBuffer();
  #turn = 0;
  #lastText: { content: string; at: number | null; hasMove: boolean; actor: Actor } | null = null;
  /** The call that waits for its result, and those of the same reply that come after it. */
  #open: OpenCall | null = null;
  #queue: ({ native: NativeCall; actor: Actor; replyOf: number } & EventPlace)[] = [];

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
    if (first === undefined) return;
    const { at, pointer = null } = said;
    this.#queue = others.map((native) => ({ native, actor, at, pointer, replyOf: this.#turn }));
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
    this.#generate({ ...BARE, calls: [next.native], at: next.at }, next.actor, next.replyOf);
    this.#propose(next.native, next.actor, next);
  }

  /** Calls nothing came back for stay proposed. */
  #leaveOpen(): void {
    while (this.#open !== null || this.#queue.length > 0) {
      if (this.#open !== null) this.notes.note('no_result', 'a call without a result');
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
