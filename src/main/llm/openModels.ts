// The clients of all models, and the access tokens some of them are reached with.
import { createModels, type ModelOf } from './models.ts';
import type { TapeModel } from './modelTape.ts';
import { createOpenAi } from './openai.ts';
import type { Llm } from './port.ts';
import { createTokens, type Tokens } from './tokenCommand.ts';

/** `modelTape`: what is asked and answered is written to a file, or comes from one. */
export type ModelOptions = { clock: () => number; modelTape?: TapeModel | undefined };

export function openModels(
  config: Parameters<typeof createModels>[0],
  { clock, modelTape }: ModelOptions,
): { llm: ModelOf; tokens: Tokens } {
  const tokens = createTokens({ clock });
  const taped = modelTape ?? ((llm: Llm) => llm);
  return { tokens, llm: createModels(config, (model) => taped(createOpenAi(model, { tokens }), model)) };
}
