// Owns: reading what a reply asks for, in the shapes real models write it.
import { Failure } from '../../shared/failure.ts';
import type { ToolSpec } from '../../shared/events/lifecycle.ts';
import type { Move } from '../../shared/events/turns.ts';
import type { LlmReply } from '../llm/port.ts';

export type Reading = {
  move: Move;
  /** What had to be mended to read it. */
  repairs: string[];
  /** Calls in the same reply after the first. */
  ignoredCalls: number;
  /** Id of the native call that was read, or null when the call was text or there was none. */
  nativeCallId: string | null;
  /** The name as the model wrote it. */
  calledName: string | null;
};

/** The move of one reply. Never throws; what cannot be read is `malformed`, with a code and a detail for the agent. */
export function readMove(
  _reply: LlmReply,
  _options: { protocol: 'native' | 'xml'; tools: ToolSpec[] },
): Reading {
  throw new Failure('internal', 'unfinished');
}
