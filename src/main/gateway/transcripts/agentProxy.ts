// `/agent/v1/…`: the agent's own model behind our address. What passes is passed byte for byte; of a request that
// names its tapped episode the conversation is kept.
import { z } from 'zod';
import type { ModelConfig } from '../../../shared/modelConfig.ts';
import { redactMessage } from '../../../shared/redact/redact.ts';
import { endpointOf } from '../../llm/endpoint.ts';
import { secretsIn } from '../../llm/failures.ts';
import { READ_JSON, refusedResponse, TRANSCRIPT_VALUES_MAX } from '../expert/body.ts';
import type { DoorParts } from '../doors.ts';
import type { GatewayDoor } from '../gateway.ts';
import { claimOf } from '../link/link.ts';
import type { AgentNotes } from './agentNotes.ts';

type AgentProxyParts = DoorParts & { notes: Pick<AgentNotes, 'heard'> };

/** Belongs to one connection, is set anew, or is not the model server's business. */
const NOT_PASSED =
  /^(host|connection|keep-alive|transfer-encoding|content-length|content-encoding|upgrade|te|trailer|expect|authorization|api-key|x-api-key|x-goog-api-key|cookie|origin|referer|accept-encoding|x-interject-.*|proxy-.*)$/;

export const createAgentProxy = (parts: AgentProxyParts): GatewayDoor => ({
  handle: async (request, { key, rollout, signal }) => {
    const config = await parts.agent();
    if (config === null) {
      const message = 'no model is set for the agent: set one under Setup, or INTERJECT_AGENT_BASE_URL';
      return refusedResponse({ status: 503, message, param: null, code: 'model_not_configured' });
    }
    const url = new URL(request.url);
    const address = agentAddress(config, url.pathname.replace(/^\/agent\/v1/, ''), url.search);
    const body = request.body === null ? null : await request.arrayBuffer();
    const { episode } = claimOf(request.headers, {}, rollout);
    const record = noteTaker(parts, episode === null ? null : { episode, key: key.id }, request, body);
    try {
      const answer = await fetch(address, {
        method: request.method,
        headers: headersFor(request.headers, config),
        body,
        signal,
      });
      return new Response(answer.body?.pipeThrough(overheard(record, answer)) ?? null, {
        status: answer.status,
        headers: passed(answer.headers),
      });
    } catch (thrown) {
      if (signal.aborted) throw thrown;
      const why = redactMessage(String((thrown as Error).cause ?? thrown), secretsIn(config));
      const message = `the agent’s model at ${new URL(address).origin} cannot be reached: ${why}`;
      return refusedResponse({ status: 503, message, param: null, code: 'model_unavailable' });
    }
  },
});

const passed = (headers: Headers): Headers =>
  new Headers([...headers].filter(([name]) => !NOT_PASSED.test(name)));

function headersFor(given: Headers, config: ModelConfig): Headers {
  const headers = passed(given);
  // What is passed byte for byte cannot be packed on the way.
  headers.set('accept-encoding', 'identity');
  const { basic } = endpointOf(config.baseUrl ?? '');
  if (basic !== null) headers.set('authorization', basic);
  if (config.apiKey === null) return headers;
  const name = keyHeader(given, config);
  headers.set(name, name === 'authorization' ? `Bearer ${config.apiKey}` : config.apiKey);
  return headers;
}

/** The key headers of dialects: Anthropic's, Google's, Azure's. */
const KEY_HEADERS = ['x-api-key', 'x-goog-api-key', 'api-key'] as const;

/**
 * The header in which the model's key goes: the one that the client's own key came in, as its server knows its dialect.
 * Azure's deployments take no key as a bearer, and an access token is one for everybody.
 */
function keyHeader(given: Headers, { provider, isToken }: ModelConfig): string {
  if (isToken === true) return 'authorization';
  if (provider === 'azure') return 'api-key';
  if (given.has('authorization')) return 'authorization';
  return KEY_HEADERS.find((name) => given.has(name)) ?? 'authorization';
}

type Overheard = (answer: string, isStream: boolean) => Promise<void>;
const AgentBody = z.looseObject({
  messages: z.array(z.looseObject({ role: z.string() })),
  tools: z.unknown().optional(),
});

/** Takes notes of an answer; null for a request that names no tapped episode, or is no chat. */
function noteTaker(
  { log, linker, notes, recorded, report }: AgentProxyParts,
  of: { episode: string; key: string } | null,
  request: Request,
  body: ArrayBuffer | null,
): Overheard | null {
  if (of === null || body === null || !request.url.includes('/chat/completions')) return null;
  const reading = readAgentBody(body, log);
  // The reset may have returned an instant ago. The model is asked meanwhile, and takes longer. A name that begins anew
  // while it answers is another episode's.
  const found = recorded()
    .then(() => linker.named(of.episode, of.key))
    .catch(report);
  return async (answer, isStream) => {
    try {
      const record = (await found) ?? null;
      const asked = await reading;
      if (asked === null) return;
      const isSaid = record !== null && record !== 'shared' && record.ended === null;
      if (isSaid) await notes.heard(record.id, asked, answer, isStream);
    } catch (thrown) {
      // Keeping notes never breaks a foreign run.
      report(thrown);
    }
  };
}

async function readAgentBody(
  body: ArrayBuffer,
  { runLarge }: AgentProxyParts['log'],
): Promise<z.infer<typeof AgentBody> | null> {
  const given = { bytes: new Uint8Array(body), valuesMax: TRANSCRIPT_VALUES_MAX };
  const read = await runLarge(READ_JSON, given);
  return 'value' in read ? (AgentBody.safeParse(read.value).data ?? null) : null;
}

/** A reply is words; what is longer is none, and is passed without a note. */
const HEARD_MAX = 4 * 1024 * 1024;

/** Bytes as they come; what they said is told once they have all passed. */
function overheard(
  record: Overheard | null,
  { ok, headers }: Response,
): TransformStream<Uint8Array, Uint8Array> {
  if (record === null || !ok) return new TransformStream();
  const decoder = new TextDecoder();
  let heard = '';
  return new TransformStream({
    transform: (chunk, controller) => {
      controller.enqueue(chunk);
      if (heard.length < HEARD_MAX) heard += decoder.decode(chunk, { stream: true });
    },
    flush: async () => {
      if (heard.length >= HEARD_MAX) return;
      await record(heard, (headers.get('content-type') ?? '').includes('event-stream'));
    },
  });
}

/** The address of a path below `/v1`, in the words of its provider. */
function agentAddress(
  { provider, baseUrl, model, apiVersion }: ModelConfig,
  path: string,
  search: string,
): string {
  const { base, search: own } = endpointOf(baseUrl ?? 'https://api.openai.com/v1');
  const query = (...parts: string[]): string => {
    const given = parts.map((part) => part.replace(/^\?/, '')).filter((part) => part !== '');
    return given.length === 0 ? '' : `?${given.join('&')}`;
  };
  if (provider === 'openai' || base.endsWith('/openai/v1')) return `${base}${path}${query(search, own)}`;
  const root = base.endsWith('/openai') ? base : `${base}/openai`;
  const version = `api-version=${encodeURIComponent(apiVersion ?? '2024-10-21')}`;
  return `${root}/deployments/${encodeURIComponent(model)}${path}${query(version, own)}`;
}
