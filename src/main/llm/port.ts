// The interface of every chat model, whoever serves it. Must not know: any provider, any protocol of ours, the log.
import type { ToolSpec } from '../../shared/events/lifecycle.ts';
import type { Usage } from '../../shared/events/prices.ts';
import type { NativeCall, Thought } from '../../shared/events/turns.ts';

export type ChatMessage =
  | { role: 'system' | 'user'; content: string }
  | { role: 'assistant'; content: string; toolCalls: NativeCall[]; thought?: EarlierThought }
  | { role: 'tool'; content: string; toolCallId: string; name: string | null };

/** Reasoning of an earlier reply, for the model that returned it: what its field held, and the turn it was. */
export type EarlierThought = Thought & { value: string; turn: number };

/** One request. `null` leaves a choice to the model's server. */
export type LlmRequest = {
  messages: ChatMessage[];
  tools: ToolSpec[] | null;
  maxOutputTokens: number | null;
  temperature: number | null;
  seed: number | null;
};

/** Characters of what a reply says, and of the arguments of one call: what is longer is refused, not read. */
export const REPLY_MAX = 1024 * 1024;

/** One reply, verbatim: content as written, arguments as written. */
export type LlmReply = {
  content: string;
  reasoning: string | null;
  /** How the reasoning came; absent where none did. */
  thought?: Thought;
  /** The field `reasoning_details` as it came, as JSON. */
  reasoningDetails?: string;
  /** The first turn whose reasoning was sent with the request; absent where none was. */
  recalled?: number;
  toolCalls: NativeCall[];
  model: string | null;
  stopReason: string | null;
  usage: Usage | null;
};

export type Llm = {
  model: string | null;
  /** Throws a `Failure` with a `model_*` code, or `cancelled` when the signal ended it. Never retries by itself. */
  complete(request: LlmRequest, signal: AbortSignal): Promise<LlmReply>;
};
