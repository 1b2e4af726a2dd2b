// What readers know of a reply, of a call's result, of a decision and of a verdict.
import type { Actor } from '../../../shared/events/actor.ts';
import type { Json, ToolSpec } from '../../../shared/events/lifecycle.ts';
import type { JsonObject, NativeCall } from '../../../shared/events/turns.ts';

export type ImportedReply = {
  content: string;
  reasoning: string | null;
  calls: readonly NativeCall[];
  model: string | null;
  stopReason: string | null;
  usage: { input_tokens: number | null; output_tokens: number | null } | null;
  latency_ms: number | null;
  at: number | null;
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
