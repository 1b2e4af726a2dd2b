// The expert as models: their names, and the list of them.
import { refusedResponse } from './refusal.ts';

/** A person, with a draft. Any other name is taken for it: a client keeps the name its own model had. */
export const EXPERT = 'expert';
/** The advisor alone. */
export const EXPERT_DRAFT = 'expert-draft';

const modelRow = (id: string) => ({ id, object: 'model', created: 0, owned_by: 'interject' });
const EXPERT_MODELS = [modelRow(EXPERT), modelRow(EXPERT_DRAFT)];

const jsonReply = (value: unknown): Response =>
  new Response(JSON.stringify(value), { headers: { 'content-type': 'application/json' } });

/** `/v1/models` and `/v1/models/<id>`. */
export function modelsResponse(id: string | null): Response {
  if (id === null) return jsonReply({ object: 'list', data: EXPERT_MODELS });
  const model = EXPERT_MODELS.find((one) => one.id === id);
  return model === undefined ? noModel(id) : jsonReply(model);
}

/**
 * Whether somebody answers by this name: ours, or one that a client's own model had. One that begins as ours do and is
 * none of them was meant for us and is misspelt: a person would answer where the advisor alone was wanted.
 */
export const isModel = (name: string): boolean =>
  EXPERT_MODELS.some(({ id }) => id === name) || !/^expert/i.test(name.trim());

export const noModel = (name: string): Response =>
  refusedResponse({
    status: 404,
    message: `there is no model ${name}; there are ${EXPERT} and ${EXPERT_DRAFT}`,
    param: 'model',
    code: 'model_not_found',
  });
