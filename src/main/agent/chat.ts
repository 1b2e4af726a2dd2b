// The policy that puts the conversation to a chat model as it is.
import type { Llm } from '../llm/port.ts';
import type { Policy } from './policy.ts';

/** A chat model as the agent. Tools are offered natively only in the native protocol. */
export const createChatPolicy = ({ llm, seed }: { llm: Llm; seed: number | null }): Policy => ({
  next: ({ messages, tools, protocol }, signal) =>
    llm.complete(
      {
        messages,
        tools: protocol === 'native' ? tools : null,
        maxOutputTokens: null,
        temperature: null,
        seed,
      },
      signal,
    ),
});
