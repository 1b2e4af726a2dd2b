import { Failure, failureShape } from '../../../shared/failure.ts';
import { truncate } from '../../../shared/truncate.ts';
import { messageText } from '../../advisor/clientBrief.ts';
import type { DoorParts } from '../doors.ts';
import type { GatewayCaller, GatewayDoor } from '../gateway.ts';
import { claimOf, type EpisodeClaim, UNNAMED, wantedExpert } from '../link/link.ts';
import { NOT_YET_RECORDED, refusalResponse } from '../refusals.ts';
import { type ClientQuestion, routedTo, textForClient, withoutHarm } from './asking.ts';
import { bad, idempotencyKey, namedBy, readBody, refusedResponse, requestDigest } from './body.ts';
import { COVER_CRITERIA, type CoveredRequest, isAnalysis } from './coverRequest.ts';
import type { AnsweredQuestion, WaitingClient } from './rejoin.ts';
import { CHARS_PER_TOKEN, type ExpertReply, openResponse, shapeAnswer } from './reply.ts';
import { type ChatAsk, readChat } from './request.ts';

const notAllowed = (method: string): Response =>
  refusedResponse({
    status: 405,
    message: `${method} is not for this address`,
    param: null,
    code: 'method_not_allowed',
  });

export const createExpertDoor = (parts: DoorParts): GatewayDoor => ({
  handle: async (request, caller) => {
    const path = new URL(request.url).pathname.replace(/(?<!\/)\/+$/, '');
    const model = /^\/v1\/models(?:\/(.+))?$/.exec(path);
    if (model !== null) {
      return request.method === 'GET' ? modelsResponse(model[1] ?? null) : notAllowed(request.method);
    }
    const deployment = deploymentIn(path);
    if (path !== '/v1/chat/completions' && deployment === null)
      return refusedResponse({
        status: 404,
        message: `there is nothing at ${path}`,
        param: null,
        code: 'not_found',
      });
    if (request.method !== 'POST') return notAllowed(request.method);
    const body = await readBody(request, parts.log.runLarge);
    if ('status' in body) return refusedResponse(body);
    const ask = readChat(
      deployment === null
        ? body.value
        : typeof body.value === 'object' && body.value !== null && !Array.isArray(body.value)
          ? { ...body.value, model: deployment }
          : body.value,
    );
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

type ParsedRequest = {
  ask: ChatAsk;
  /** As it is kept, criteria covered. */
  kept: CoveredRequest & { digest: string };
  claim: EpisodeClaim;
  isRecorded: boolean;
  headers: Headers;
};

async function answerRequest(
  parts: DoorParts,
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

/** OpenAI's libraries mark a retry. */
const isRetry = (headers: Headers): boolean => Number(headers.get('x-stainless-retry-count') ?? '0') > 0;

const isDraftOnly = ({ model }: ChatAsk): boolean => model === EXPERT_DRAFT;

function clientQuestion(
  { linker, settings }: DoorParts,
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
  parts: DoorParts,
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
function unanswered(parts: DoorParts, ask: ChatAsk, thrown: unknown): ExpertReply {
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
  { clock }: DoorParts,
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

/** A person, with a draft. Any other name is taken for it: a client keeps the name its own model had. */
const EXPERT = 'expert';
/** The advisor alone. */
const EXPERT_DRAFT = 'expert-draft';

const modelRow = (id: string) => ({ id, object: 'model', created: 0, owned_by: 'interject' });
const EXPERT_MODELS = [modelRow(EXPERT), modelRow(EXPERT_DRAFT)];

const jsonReply = (value: unknown): Response =>
  new Response(JSON.stringify(value), { headers: { 'content-type': 'application/json' } });

function modelsResponse(id: string | null): Response {
  if (id === null) return jsonReply({ object: 'list', data: EXPERT_MODELS });
  const model = EXPERT_MODELS.find((one) => one.id === id);
  return model === undefined ? noModel(id) : jsonReply(model);
}

/**
 * True if somebody answers by this name: ours, or one that a client's own model had. One that begins as ours do and is
 * none of them was meant for us and is misspelt: a person would answer where the advisor alone was wanted.
 */
const isModel = (name: string): boolean =>
  EXPERT_MODELS.some(({ id }) => id === name) || !/^expert/i.test(name.trim());

const noModel = (name: string): Response =>
  refusedResponse({
    status: 404,
    message: `there is no model ${name}; there are ${EXPERT} and ${EXPERT_DRAFT}`,
    param: 'model',
    code: 'model_not_found',
  });

// The agent's task in a request, for a line in a list.
const TASK_MAX = 2_000;
const LABELLED =
  /(?:^|\n)[ \t]{0,8}(?:#{1,6}[ \t]{0,8}|\*\*)?(?:the[ \t]{1,4}|user[ \t]{1,4}|agent's[ \t]{1,4})?task\b[^\n:]{0,40}:[*]{0,2}[ \t]*(?:\n[ \t]{0,8}){0,2}([^\n]+(?:\n(?![ \t]{0,8}\n)[^\n]+)*)/i;

/** The request's name for its task; else the first thing its user says. */
export function taskIn(messages: readonly { role: string; text: string }[]): string | null {
  const users = messages.filter(({ role, text }) => role === 'user' && text.trim() !== '');
  const labelled = users.flatMap(({ text }) => LABELLED.exec(truncate(text))?.[1] ?? []).at(-1);
  const words = (labelled ?? users[0]?.text ?? '').trim();
  return words === '' ? null : truncate(words, TASK_MAX).toWellFormed();
}
