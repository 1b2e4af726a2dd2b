// Owns: every text the agent reads and how it is put to it in each protocol, cut in one place.
import type { DeliveredAs } from '../../shared/events/consultations.ts';
import type { ToolSpec } from '../../shared/events/lifecycle.ts';
import type { MessageOrigin, Segment } from '../../shared/events/turns.ts';
import { Failure } from '../../shared/failure.ts';
import type { Prompts } from '../settings/prompts.ts';
import type { Reading } from './readMove.ts';

/** A message ready to be added. `body` is the main text the agent reads in it, without prefix and nudges. */
export type Delivery = {
  role: 'system' | 'user' | 'tool';
  content: string;
  origin: MessageOrigin;
  segments: Segment[];
  fullLength: number;
  toolCallId: string | null;
  name: string | null;
  body: { text: string; fullLength: number; deliveredLength: number };
};

export type Nudge = 'error' | 'stall';
/** The reading that is being answered. */
export type Answered = Pick<Reading, 'nativeCallId' | 'calledName' | 'ignoredCalls'>;

export type Conversation = {
  /** System prompt and task. */
  opening(episode: { task: string; tools: ToolSpec[] }): Delivery[];
  /** What the agent is offered natively: the environment's tools, `list_tools`, and `ask_expert` when it may ask. */
  offered(tools: ToolSpec[]): ToolSpec[];
  toolResponse(
    to: Answered,
    result: { text: string | null; error: string | null },
    nudges: readonly Nudge[],
  ): Delivery;
  toolList(to: Answered, tools: ToolSpec[], nudges: readonly Nudge[]): Delivery;
  refused(
    to: Answered,
    refusal: { reason: 'reserved' | 'unknown_tool' | 'budget' | 'condition'; toolName: string },
    nudges: readonly Nudge[],
  ): Delivery;
  malformed(to: Answered, problem: { code: string; detail: string }, nudges: readonly Nudge[]): Delivery;
  /** What an ask got, whatever that is: advice, or the text that says why none came. */
  advice(to: Answered, given: { as: DeliveredAs; text: string }, nudges: readonly Nudge[]): Delivery;
  /** Words a person puts in between, answering no call. */
  note(text: string): Delivery;
};

/** `canAsk` is the condition's word on whether an expert exists at all, not what is left of the budget. */
export function createConversation(_options: {
  prompts: Prompts;
  protocol: 'native' | 'xml';
  canAsk: boolean;
  deliveredChars: number;
}): Conversation {
  throw new Failure('internal', 'unfinished');
}
