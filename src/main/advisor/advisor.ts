// One draft for one consultation, from a model or else from the reference, or a failure. Never invented words. Must
// not know: the log, the desk, or whether anybody will read the draft.
import { limitWords, ruleBrief } from '../../shared/episode/baseline.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import type { Privilege } from '../../shared/events/actor.ts';
import { Failure, failureShape } from '../../shared/failure.ts';
import { formatPlan, type PlannedCall } from '../../shared/plan.ts';
import type { TaskKnowledge } from '../../shared/taskSecrets.ts';
import type { Llm, LlmReply } from '../llm/port.ts';
import { type RetryEdges, sleepFor, withRetries } from '../llm/retry.ts';
import { withoutThinking } from '../llm/thinking.ts';
import type { Prompts } from '../settings/prompts.ts';
import { baselineMessages, briefMessages, clientMessages, type DraftRequest } from './brief.ts';

export type { DraftRequest } from './brief.ts';

export type DraftResult =
  | {
      ok: true;
      text: string;
      generator: 'model' | 'rule';
      model: string | null;
      privilege: Privilege;
      usage: LlmReply['usage'];
    }
  | { ok: false; code: string; message: string };

export type Advisor = {
  /** Rejects only with `cancelled`, when the signal ends it. */
  draft(request: DraftRequest, signal: AbortSignal): Promise<DraftResult>;
};

type AdvisorDependencies = {
  /** The expert's model as the settings have it now, or that of a named profile; null where none is set. */
  llm: (profile?: string) => Llm | null;
  /** What is known of an episode's task. Rejects only when the signal ends the wait. */
  knowledge: (episode: string, signal: AbortSignal) => Promise<TaskKnowledge | null>;
  prompts: Prompts;
  retry?: Pick<RetryEdges, 'sleep' | 'random'>;
};

const RETRY = { sleep: sleepFor, random: Math.random };

export const createAdvisor = ({ llm, knowledge, prompts, retry = RETRY }: AdvisorDependencies): Advisor => ({
  draft: async (request, signal) => {
    const { client = null } = request;
    const model = llm(request.expert?.profile);
    const baseline = request.baseline ?? null;
    if (model === null && baseline !== null) return baselineDraft(baseline);
    // A client's request says by itself what its advisor may know; a brief rests on the earlier run alone.
    const isTold = baseline !== null || (model !== null && client !== null);
    const known = isTold ? null : await knowledge(request.episode, signal);
    if (model !== null)
      return modelDraft({ model, prompts, retry }, request, known?.criteria ?? null, signal);
    const criteria = known?.criteria ?? null;
    if (client?.isAnalysis === true) return criteria === null ? NOT_CONFIGURED : ruleCriteria(criteria);
    const plan = known?.secrets.draft ?? null;
    return plan === null ? NOT_CONFIGURED : ruleDraft(plan);
  },
});

const NOT_CONFIGURED: DraftResult = {
  ok: false,
  code: 'model_not_configured',
  message: 'No model is configured for the expert, and there is no reference to draft from.',
};

/**
 * The plan as the pack proposes it; on ambiguous tasks that is the wrong record. The pack's note on why it is wrong
 * stays out: a draft that gives itself away would teach nobody to look.
 */
const ruleDraft = (draft: PlannedCall[]): DraftResult => ({
  ok: true,
  text: formatPlan({ calls: draft, success_state: null, tips: null }),
  generator: 'rule',
  model: null,
  privilege: ['reference'],
  usage: null,
});

/** A rule's account of what failed in an earlier run. */
const baselineDraft = (baseline: EpisodeRecord): DraftResult => ({
  ok: true,
  text: ruleBrief(baseline),
  generator: 'rule',
  model: null,
  privilege: ['verdict'],
  usage: null,
});

/** A client that asks what its verifier checks is told what the pack says of it. */
const ruleCriteria = (criteria: string): DraftResult => ({
  ok: true,
  text: criteria,
  generator: 'rule',
  model: null,
  privilege: ['criteria'],
  usage: null,
});

async function modelDraft(
  {
    model,
    prompts,
    retry,
  }: { model: Llm; prompts: Prompts; retry: NonNullable<AdvisorDependencies['retry']> },
  request: DraftRequest,
  known: string | null,
  signal: AbortSignal,
): Promise<DraftResult> {
  const { client = null, baseline = null } = request;
  const criteria = known === null || known.trim() === '' ? null : known;
  const messages =
    baseline !== null
      ? baselineMessages(prompts, request, baseline)
      : client === null
        ? briefMessages(prompts, request, criteria)
        : clientMessages(prompts, request, client);
  const { temperature, seed } = client ?? { temperature: null, seed: null };
  const asked = { messages, tools: null, maxOutputTokens: null, temperature, seed };
  try {
    // A failure that passes is waited out in silence: the draft is late, and no draft is worse.
    const edges = { ...retry, failed: () => {} };
    const reply = await withRetries(() => model.complete(asked, signal), edges, signal);
    const { text } = withoutThinking(reply.content);
    if (text === '')
      return { ok: false, code: 'model_empty', message: 'The model gave no draft, only thinking.' };
    return {
      ok: true,
      text: baseline === null ? text : limitWords(text),
      generator: 'model',
      model: reply.model ?? model.model,
      privilege: baseline !== null ? ['verdict'] : criteria === null ? [] : ['criteria'],
      usage: reply.usage,
    };
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code === 'cancelled') throw thrown;
    const { code, message } = failureShape(thrown);
    return { ok: false, code, message };
  }
}
