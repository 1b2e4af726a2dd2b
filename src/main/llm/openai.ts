// Owns: chat over any OpenAI-compatible endpoint and Azure.
import { Failure } from '../../shared/failure.ts';
import type { ModelConfig } from './config.ts';
import type { Llm } from './port.ts';

/** A client of one endpoint. */
export function createOpenAi(
  config: ModelConfig,
  _options: { timeoutMs?: number; stream?: boolean } = {},
): Llm {
  return {
    model: config.model,
    complete: () => Promise.reject(new Failure('internal', 'unfinished')),
  };
}
