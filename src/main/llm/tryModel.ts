// Owns: finding out whether a model answers, with one short request.
import type { Llm, LlmRequest } from './port.ts';

// No token limit: a reasoning model would spend it on thinking and look broken.
const GREETING: LlmRequest = {
  messages: [{ role: 'user', content: 'Reply with the single word: ready' }],
  tools: null,
  maxOutputTokens: null,
  temperature: null,
  seed: null,
};

/** The name under which the model answered. Throws what `complete` throws. */
export const tryModel = async (llm: Llm, signal: AbortSignal): Promise<string | null> => {
  const reply = await llm.complete(GREETING, signal);
  return reply.model ?? llm.model;
};
