// The clients of all models, and the access tokens some of them are reached with.
import type { ModelConfig, ModelRole } from '../../shared/modelConfig.ts';
import type { TapeModel } from './modelTape.ts';
import { createOpenAi } from './openai.ts';
import type { Llm } from './port.ts';
import { createTokens, type Tokens } from './tokenCommand.ts';

/** `modelTape`: what is asked and answered is written to a file, or comes from one. */
export type ModelOptions = {
  clock: () => number;
  modelTape?: TapeModel | undefined;
  /** Replies that come at the same moment are handed on one after another. */
  turn?: (() => Promise<void>) | undefined;
};

export function openModels(
  config: Parameters<typeof createModels>[0],
  { clock, modelTape, turn }: ModelOptions,
): { llm: ModelOf; tokens: Tokens } {
  const tokens = createTokens({ clock });
  const taped = modelTape ?? ((llm: Llm) => llm);
  return {
    tokens,
    llm: createModels(config, (model) => inTurn(taped(createOpenAi(model, { tokens }), model), turn)),
  };
}

const inTurn = (llm: Llm, turn: ModelOptions['turn']): Llm =>
  turn === undefined
    ? llm
    : {
        ...llm,
        complete: async (request, signal) => {
          const reply = await llm.complete(request, signal);
          await turn();
          return reply;
        },
      };

/** The client of a role, or of a named profile in its place; null while none is configured. */
export type ModelOf = (role: ModelRole, profile?: string) => Llm | null;

/** The role's client as it is configured now, or null. Roles that share an endpoint share what was learned. */
function createModels(
  config: (role: ModelRole, profile?: string) => ModelConfig | null,
  create: (config: ModelConfig) => Llm,
): ModelOf {
  const clients = new Map<string, Llm>();
  return (role, profile) => {
    const wanted = config(role, profile);
    if (wanted === null) return null;
    const key = JSON.stringify([
      wanted.provider,
      wanted.baseUrl,
      wanted.apiKey,
      wanted.model,
      wanted.apiVersion,
      wanted.reasoning,
      wanted.tokenCommand,
      wanted.tokenFrom,
    ]);
    const client = clients.get(key) ?? create(wanted);
    clients.set(key, client);
    return client;
  };
}
