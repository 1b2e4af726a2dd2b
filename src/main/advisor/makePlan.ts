// Turning a person's plain words into calls: by the advisor's model, or by rule where there is none. The words
// themselves are never changed; what is sent holds both.
import type { ToolSpec } from '../../shared/events/lifecycle.ts';
import { Failure } from '../../shared/failure.ts';
import { parsePlan, type PlannedCall } from '../../shared/plan.ts';
import type { Llm } from '../llm/port.ts';
import { type RetryEdges, sleepFor, withRetries } from '../llm/retry.ts';
import { withoutThinking } from '../llm/thinking.ts';
import { toolLines } from '../llm/toolText.ts';
import { fillPrompt, type Prompts } from '../settings/prompts.ts';
import { readPlain } from './planRules.ts';

type PlanRequest = { task: string; question: string; words: string; tools: ToolSpec[] };
type MadePlan = { calls: PlannedCall[]; by: 'model' | 'rule'; unread: string[] };
export type MakePlan = (request: PlanRequest, signal: AbortSignal) => Promise<MadePlan>;

type MakePlanDependencies = {
  llm: () => Llm | null;
  prompts: Prompts;
  retry?: Pick<RetryEdges, 'sleep' | 'random'>;
};

/** Rejects with the model's failure; the words can be sent without a plan in any case. */
export const createMakePlan =
  ({ llm, prompts, retry = { sleep: sleepFor, random: Math.random } }: MakePlanDependencies): MakePlan =>
  async (request, signal) => {
    const model = llm();
    if (model === null) return { by: 'rule', ...readPlain(request.words, request.tools) };
    const content = fillPrompt(prompts.advisorPlan, {
      task: request.task,
      tools: toolLines(request.tools),
      question: request.question,
      words: request.words,
    });
    const asked = {
      messages: [{ role: 'user' as const, content }],
      tools: null,
      maxOutputTokens: null,
      temperature: null,
      seed: null,
    };
    const edges = { ...retry, failed: () => {} };
    const reply = await withRetries(() => model.complete(asked, signal), edges, signal);
    const plan = parsePlan(withoutThinking(reply.content).text);
    if (plan.form === 'none') {
      throw new Failure('model_bad_request', 'the model answered with something that is no plan', {
        next: 'Try again, or send your words as they are.',
      });
    }
    const known = new Set(request.tools.map(({ name }) => name));
    return { by: 'model', calls: plan.calls.filter(({ tool }) => known.has(tool)), unread: [] };
  };
