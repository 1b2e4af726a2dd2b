// The clients of all models, and the access tokens some of them are reached with.
import { createModels, type ModelOf } from './models.ts';
import { createOpenAi } from './openai.ts';
import { createTokens, type Tokens } from './tokenCommand.ts';

export function openModels(
  config: Parameters<typeof createModels>[0],
  { clock }: { clock: () => number },
): { llm: ModelOf; tokens: Tokens } {
  const tokens = createTokens({ clock });
  return { tokens, llm: createModels(config, (model) => createOpenAi(model, { tokens })) };
}
