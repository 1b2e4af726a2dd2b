// `/v1/chat/completions` and `/v1/models`: the expert as a model that any OpenAI client can call. Must not know:
// keys, limits or ports; who came in is told by whoever opened the door.
import type { GatewaySettings } from '../../../shared/contract/gateway.ts';
import { Failure, failureShape } from '../../../shared/failure.ts';
import { messageText } from '../../advisor/clientBrief.ts';
import type { EventLog } from '../../log/eventLog.ts';
import type { Prompts } from '../../settings/prompts.ts';
import type { GatewayCaller, GatewayDoor } from '../gateway.ts';
import { claimOf, wantedExpert, type EpisodeClaim } from '../link/episodeClaim.ts';
import { UNNAMED, type Linker } from '../link/link.ts';
import type { Asking, ClientQuestion } from './asking.ts';
import { requestDigest, readBody } from './body.ts';
import { idempotencyKey, namedBy } from './idempotency.ts';
import { COVER_CRITERIA, type CoveredRequest } from './coverRequest.ts';
import { isAnalysis } from './criteria.ts';
import { bad, refusedResponse } from './refusal.ts';
import type { KnownCriteria } from './known.ts';
import { EXPERT, EXPERT_DRAFT, isModel, modelsResponse, noModel } from './models.ts';
import { openResponse, type ExpertReply } from './reply.ts';
import { readChat, type ChatAsk } from './request.ts';
import type { AnsweredQuestion, Rejoin, WaitingClient } from './rejoin.ts';
import { CHARS_PER_TOKEN, shapeAnswer } from './shape.ts';
import { taskIn } from './task.ts';
import { NOT_YET_RECORDED, refusalResponse } from '../refusals.ts';
import { routedTo, withoutHarm, textForClient } from './answerText.ts';

type ExpertDoorParts = {
  log: Pick<EventLog, 'runLarge'>;
  asking: Asking;
  rejoin: Rejoin;
  linker: Pick<Linker, 'find' | 'settle'>;
  known: KnownCriteria;
  prompts: Prompts;
  settings: () => GatewaySettings;
  clock: () => number;
  report: (thrown: unknown) => void;
  keepAliveMs?: number;
  turn?: (() => Promise<void>) | undefined;
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
    const path = new URL(request.url).pathname.replace(/(?<!\/)\/+$/, '');
    const model = /^\/v1\/models(?:\/(.+))?$/.exec(path);
    if (model !== null) {
      return request.method === 'GET' ? modelsResponse(model[1] ?? null) : notAllowed(request.method);
    }
    const deployment = deploymentIn(path);
    if (path !== '/v1/chat/completions' && deployment === null) return notFound(path);
    if (request.method !== 'POST') return notAllowed(request.method);
    const body = await readBody(request, parts.log.runLarge);
    if ('status' in body) return refusedResponse(body);
    const ask = readChat(deployment === null ? body.value : namedAs(deployment, body.value));
    if ('status' in ask) return refusedResponse(ask);
    if (!isModel(ask.model)) return noModel(ask.model);
    const claim = claimOf(request.headers, ask.metadata, caller.rollout);
    const isRecorded = await parts.linker.settle(claim, caller.key.id);
    // Its question would stand at a turn that is over, or belong to none.
    if (!isRecorded && claim.episode !== null) return refusalResponse('openai', NOT_YET_RECORDED);
    await parts.turn?.();
    const covering = { body: ask.body, known: parts.known.of(caller.key.id) };
    const kept = await parts.log.runLarge(COVER_CRITERIA, covering);
    return answerRequest(parts, { ask, kept, claim, isRecorded, headers: request.headers }, caller);
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

type ParsedRequest = {
  ask: ChatAsk;
  /** As it is kept, criteria covered. */
  kept: CoveredRequest & { digest: string };
  claim: EpisodeClaim;
  isRecorded: boolean;
  headers: Headers;
};

async function answerRequest(
  parts: ExpertDoorParts,
  asked: ParsedRequest,
  caller: GatewayCaller,
): Promise<Response> {
  const { ask, claim, headers } = asked;
  const request = requestDigest(
    asked.kept.digest,
    caller.key.id,
    claim.episode ?? '',
    `${isDraftOnly(ask) ? EXPERT_DRAFT : EXPERT} ${wantedExpert(headers, ask.metadata) ?? ''}`.trim(),
  );
  const idempotency = idempotencyKey(headers);
  if (idempotency !== null && 'status' in idempotency) return refusedResponse(idempotency);
  const identity = { request, idempotency: namedBy(caller, idempotency) };
  let waiting: WaitingClient;
  try {
    const question = { ...clientQuestion(parts, asked, caller), identity };
    // What a verifier checks is the same for every rollout: distilled once.
    const isShared = question.purpose === 'analysis';
    const client = { ...identity, isRetry: isRetry(headers), isShared };
    waiting = await parts.asking.enter(question, (known) =>
      parts.rejoin.enter(client, (signal) => parts.asking.open(known, signal)),
    );
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code === 'bad_input')
      return refusedResponse(bad('Idempotency-Key', thrown.message, 'idempotency_key_reused'));
    parts.report(thrown);
    const { code, message } = failureShape(thrown);
    return refusedResponse({ status: 503, message: `not asked: ${message}`, param: null, code });
  }
  const left = (): void => waiting.leave(false);
  caller.signal.addEventListener('abort', left, { once: true });
  if (caller.signal.aborted) left();
  const reply = waiting.answered
    .then((answered) => deliverAnswer(parts, ask, answered, waiting, caller))
    .catch((thrown: unknown) => unanswered(parts, ask, thrown))
    .finally(() => {
      caller.signal.removeEventListener('abort', left);
      waiting.leave(false);
    });
  return openResponse(ask, reply, left, parts.keepAliveMs);
}

/** What OpenAI's libraries say about themselves. */
const isRetry = (headers: Headers): boolean => Number(headers.get('x-stainless-retry-count') ?? '0') > 0;

const isDraftOnly = ({ model }: ChatAsk): boolean => model === EXPERT_DRAFT;

function clientQuestion(
  { linker, settings }: ExpertDoorParts,
  { ask, kept: { request, body, covered }, claim, isRecorded, headers }: ParsedRequest,
  { key }: GatewayCaller,
): Omit<ClientQuestion, 'identity'> {
  const turns = ask.messages.map(({ role, content }) => ({ role, text: messageText(content) }));
  const { analysis, ask_deadline_ms, ask_fallback } = settings();
  const purpose = isAnalysis(turns, ask.toolNames) ? 'analysis' : 'advice';
  const isShared = purpose === 'analysis';
  const shown = readableMessages(body);
  const isAlone = isDraftOnly(ask) || (isShared && analysis === 'advisor');
  return {
    via: 'chat_completions',
    // What several rollouts may share is nobody's.
    linked: isShared && claim.episode === null ? UNNAMED : linker.find(claim, key.id, isRecorded),
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
    expert: wantedExpert(headers, ask.metadata),
    deadline_ms: ask_deadline_ms,
    fallback: ask_fallback,
  };
}

/** The covered request's messages in words. */
function readableMessages(body: unknown): { role: string; text: string }[] {
  const { messages } = body as Pick<ChatAsk, 'messages'>;
  return messages.map(({ role, content }) => ({ role, text: messageText(content) }));
}

/** Nobody writes more. */
const TOKENS_MAX = 10_000_000;

/** The stated text is how a client knows that no advice came: cut, it would pass for advice. */
const UNCUT = { stop: [], maxTokens: null };

function deliverAnswer(
  parts: ExpertDoorParts,
  ask: ChatAsk,
  { episode, consultation, link, advice, purpose }: AnsweredQuestion,
  waiting: WaitingClient,
  { key, signal }: GatewayCaller,
): ExpertReply {
  const isStated = advice.as !== 'advice' && advice.as !== 'draft';
  // Words on why nothing came would be taken for criteria: an empty answer is what such clients read as none.
  const words = purpose === 'analysis' && isStated ? '' : textForClient(parts.prompts, advice);
  const shaped = shapeAnswer(words, isStated ? { ...ask, ...UNCUT } : ask);
  if (purpose === 'analysis') parts.known.add(key.id, shaped.text);
  if (!signal.aborted) {
    const given = { as: advice.as, text: shaped.text, full_length: words.length };
    withoutHarm(parts.report, () => waiting.took(given, advice.privilege));
  }
  return chatReply(parts, ask, consultation, shaped, {
    episode,
    consultation,
    link,
    as: advice.as,
    ...routedTo(advice),
  });
}

/** Interject is being closed, or something broke: the client reads that nobody is there, and goes on. */
function unanswered(parts: ExpertDoorParts, ask: ChatAsk, thrown: unknown): ExpertReply {
  if (!(thrown instanceof Failure && thrown.code === 'closed')) parts.report(thrown);
  const words = textForClient(parts.prompts, { as: 'nobody', text: '' });
  return chatReply(parts, ask, 'none', shapeAnswer(words, { ...ask, ...UNCUT }), {
    episode: null,
    consultation: null,
    link: null,
    as: 'nobody',
  });
}

const chatReply = (
  { clock }: ExpertDoorParts,
  ask: ChatAsk,
  id: string,
  shaped: ReturnType<typeof shapeAnswer>,
  interject: Record<string, unknown>,
): ExpertReply => ({
  ...shaped,
  id: `chatcmpl-${id.replaceAll(':', '-')}`,
  created: Math.floor(clock() / 1000),
  model: isDraftOnly(ask) ? EXPERT_DRAFT : EXPERT,
  prompt: ask.messages.map(({ content }) => messageText(content)).join('\n'),
  interject: { ...interject, usage_is_estimated: true, ignored: ask.ignored },
});
