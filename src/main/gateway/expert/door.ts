// Owns: `/v1/chat/completions` and `/v1/models`: the expert as a model that any OpenAI client can call.
// Must not know: keys, limits or ports; who came in is told by whoever opened the door.
import type { GatewaySettings } from '../../../shared/contract/gateway.ts';
import { Failure, failureShape } from '../../../shared/failure.ts';
import { textOf } from '../../advisor/clientBrief.ts';
import type { Prompts } from '../../settings/prompts.ts';
import type { GatewayCaller, GatewayDoor } from '../gateway.ts';
import { claimOf, type Claim } from '../link/claim.ts';
import type { Linker } from '../link/link.ts';
import type { Asking, Question } from './asking.ts';
import { digestOf, readBody } from './body.ts';
import { coverRequest } from './cover.ts';
import { isAnalysis } from './criteria.ts';
import { refusedResponse } from './errors.ts';
import type { KnownCriteria } from './known.ts';
import { EXPERT, EXPERT_DRAFT, isModel, modelsResponse, noModel } from './models.ts';
import { openResponse, type Reply } from './reply.ts';
import { readChat, type ChatAsk } from './request.ts';
import type { Answered, Rejoin, Waiting } from './rejoin.ts';
import { CHARS_PER_TOKEN, shapeAnswer } from './shape.ts';
import { taskIn } from './task.ts';
import { withoutHarm, wordsOf } from './words.ts';

export type ExpertDoorParts = {
  asking: Asking;
  rejoin: Rejoin;
  linker: Pick<Linker, 'find' | 'settle'>;
  known: KnownCriteria;
  prompts: Prompts;
  settings: () => GatewaySettings;
  clock: () => number;
  report: (thrown: unknown) => void;
  keepAliveMs?: number;
};

const notFound = (path: string): Response =>
  refusedResponse({ status: 404, message: `there is nothing at ${path}`, param: null, code: 'not_found' });

const notAllowed = (method: string): Response =>
  refusedResponse({
    status: 405,
    message: `${method} is not for this address`,
    param: null,
    code: 'method_not_allowed',
  });

export const createExpertDoor = (parts: ExpertDoorParts): GatewayDoor => ({
  handle: async (request, caller) => {
    const path = new URL(request.url).pathname.replace(/\/+$/, '');
    const model = /^\/v1\/models(?:\/(.+))?$/.exec(path);
    if (model !== null) {
      return request.method === 'GET' ? modelsResponse(model[1] ?? null) : notAllowed(request.method);
    }
    const deployment = deploymentIn(path);
    if (path !== '/v1/chat/completions' && deployment === null) return notFound(path);
    if (request.method !== 'POST') return notAllowed(request.method);
    const body = await readBody(request);
    if ('status' in body) return refusedResponse(body);
    const ask = readChat(deployment === null ? body.value : namedAs(deployment, body.value));
    if ('status' in ask) return refusedResponse(ask);
    if (!isModel(ask.model)) return noModel(ask.model);
    const claim = claimOf(request.headers, ask.metadata);
    await parts.linker.settle(claim);
    return answer(parts, { ask, claim, headers: request.headers }, caller);
  },
});

/** Azure's clients name the model in the path. */
function deploymentIn(path: string): string | null {
  const [, name] = /^\/openai\/deployments\/([^/]+)\/chat\/completions$/.exec(path) ?? [];
  try {
    return name === undefined ? null : decodeURIComponent(name);
  } catch {
    return null;
  }
}

const namedAs = (model: string, body: unknown): unknown =>
  typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...body, model } : body;

type Asked = { ask: ChatAsk; claim: Claim; headers: Headers };

function answer(parts: ExpertDoorParts, { ask, claim, headers }: Asked, caller: GatewayCaller): Response {
  const key = digestOf(
    ask.body,
    caller.key.id,
    claim.episode ?? '',
    isDraftOnly(ask) ? EXPERT_DRAFT : EXPERT,
  );
  let waiting: Waiting;
  try {
    const question = questionOf(parts, ask, claim, caller);
    // What a verifier checks is the same for every rollout: distilled once.
    const isAgain = question.purpose === 'analysis' ? null : isRetry(headers);
    waiting = parts.rejoin.enter(key, isAgain, (signal) => parts.asking.open(question, signal));
  } catch (thrown) {
    parts.report(thrown);
    const { code, message } = failureShape(thrown);
    return refusedResponse({ status: 503, message: `not asked: ${message}`, param: null, code });
  }
  const left = (): void => waiting.leave(false);
  caller.signal.addEventListener('abort', left, { once: true });
  if (caller.signal.aborted) left();
  const reply = waiting.answered
    .then((answered) => deliver(parts, ask, answered, waiting, caller))
    .catch((thrown: unknown) => unanswered(parts, ask, thrown))
    .finally(() => {
      caller.signal.removeEventListener('abort', left);
      waiting.leave(false);
    });
  return openResponse(ask, reply, left, parts.keepAliveMs);
}

/** What OpenAI's libraries say about themselves; null for a client that does not say. */
function isRetry(headers: Headers): boolean | null {
  const count = headers.get('x-stainless-retry-count');
  return count === null ? null : count !== '0';
}

const isDraftOnly = ({ model }: ChatAsk): boolean => model === EXPERT_DRAFT;

function questionOf(
  { linker, known, settings }: ExpertDoorParts,
  ask: ChatAsk,
  claim: Claim,
  { key }: GatewayCaller,
): Question {
  const turns = ask.messages.map(({ role, content }) => ({ role, text: textOf(content) }));
  const { analysis, ask_deadline_ms, ask_fallback } = settings();
  const purpose = isAnalysis(turns, ask.toolNames) ? 'analysis' : 'advice';
  const { request, body, covered } = coverRequest(ask.body, known.of(key.id));
  const shown = readable(body);
  const isAlone = isDraftOnly(ask) || (purpose === 'analysis' && analysis === 'advisor');
  return {
    via: 'chat_completions',
    linked: linker.find(claim, turns.map(({ text }) => text).join('\n')),
    trainer: claim.trainer,
    task: taskIn(shown),
    question: shown.findLast(({ role }) => role === 'user' || role === 'tool')?.text ?? '',
    availableTools: ask.toolNames.length === 0 ? null : ask.toolNames.join(', '),
    request,
    covered,
    ...(ask.maxTokens === null || ask.format.name !== 'text'
      ? {}
      : { limitChars: Math.min(ask.maxTokens, TOKENS_MAX) * CHARS_PER_TOKEN }),
    privilege: covered.length > 0 ? ['criteria'] : 'unknown',
    purpose,
    answeredBy: isAlone ? 'model' : 'human',
    deadlineMs: ask_deadline_ms,
    fallback: ask_fallback,
  };
}

/** The covered request's messages in words. */
function readable(body: unknown): { role: string; text: string }[] {
  const { messages } = body as Pick<ChatAsk, 'messages'>;
  return messages.map(({ role, content }) => ({ role, text: textOf(content) }));
}

/** Nobody writes more. */
const TOKENS_MAX = 10_000_000;

/** The stated text is how a client knows that no advice came: cut, it would pass for advice. */
const UNCUT = { stop: [], maxTokens: null };

function deliver(
  parts: ExpertDoorParts,
  ask: ChatAsk,
  { episode, consultation, advice, purpose }: Answered,
  waiting: Waiting,
  { key, signal }: GatewayCaller,
): Reply {
  const isStated = advice.as !== 'advice' && advice.as !== 'draft';
  // Words on why nothing came would be taken for criteria: an empty answer is what such clients read as none.
  const words = purpose === 'analysis' && isStated ? '' : wordsOf(parts.prompts, advice);
  const shaped = shapeAnswer(words, isStated ? { ...ask, ...UNCUT } : ask);
  if (purpose === 'analysis') parts.known.add(key.id, shaped.text);
  if (!signal.aborted) {
    const given = { as: advice.as, text: shaped.text, fullLength: words.length };
    withoutHarm(parts.report, () => waiting.took(given, advice.privilege));
  }
  return replyOf(parts, ask, consultation, shaped, { episode, consultation, as: advice.as });
}

/** Interject is being closed, or something broke: the client reads that nobody is there, and goes on. */
function unanswered(parts: ExpertDoorParts, ask: ChatAsk, thrown: unknown): Reply {
  if (!(thrown instanceof Failure && thrown.code === 'closed')) parts.report(thrown);
  const words = wordsOf(parts.prompts, { as: 'nobody', text: '' });
  return replyOf(parts, ask, 'none', shapeAnswer(words, { ...ask, ...UNCUT }), {
    episode: null,
    consultation: null,
    as: 'nobody',
  });
}

const replyOf = (
  { clock }: ExpertDoorParts,
  ask: ChatAsk,
  id: string,
  shaped: ReturnType<typeof shapeAnswer>,
  interject: Record<string, unknown>,
): Reply => ({
  ...shaped,
  id: `chatcmpl-${id.replaceAll(':', '-')}`,
  created: Math.floor(clock() / 1000),
  model: isDraftOnly(ask) ? EXPERT_DRAFT : EXPERT,
  prompt: ask.messages.map(({ content }) => textOf(content)).join('\n'),
  interject: { ...interject, usage_is_estimated: true, ignored: ask.ignored },
});
