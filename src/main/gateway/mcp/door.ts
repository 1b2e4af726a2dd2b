// `/mcp`: an MCP server of its own with the expert as a tool. It is never mixed with an environment's tools.
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { Failure, failureShape } from '../../../shared/failure.ts';
import { askWho, namedExperts } from '../../agent/namedExperts.ts';
import { idempotencyKey, namedBy, readBody } from '../expert/body.ts';
import type { DoorParts } from '../doors.ts';
import type { GatewayCaller, GatewayDoor } from '../gateway.ts';
import { claimOf } from '../link/link.ts';
import { NOT_YET_RECORDED } from '../refusals.ts';
import { AskArguments, listedTools, runAsk, type RunningAsk } from './askTool.ts';

/** Clients give a silent request up after a minute or less. */
const PROGRESS_MS = 5_000;
const SESSION = 'mcp-session-id';

type McpRequest = { parts: DoorParts; sessions: McpSessions; request: Request; caller: GatewayCaller };

export function createMcpDoor(parts: DoorParts): GatewayDoor {
  const sessions = createMcpSessions();
  return {
    handle: async (request, caller) => {
      const at = { parts, sessions, request, caller };
      const version = request.headers.get('mcp-protocol-version');
      if (version !== null && !VERSIONS.some((one) => one === version)) {
        const message = `the header MCP-Protocol-Version names ${version.slice(0, 40)}, which is not spoken here`;
        return jsonResponse(failure(null, RPC.invalidRequest, message), 400);
      }
      if (request.method === 'DELETE') return endSession(at);
      if (request.method !== 'POST') {
        // There is nothing that we would tell unasked.
        return jsonResponse(
          failure(null, RPC.invalidRequest, `${request.method} is not for this address`),
          405,
          {
            allow: 'POST, DELETE',
          },
        );
      }
      const body = await readBody(request, parts.log.runLarge);
      if ('status' in body) {
        const code = body.status === 413 ? RPC.invalidRequest : RPC.parse;
        return jsonResponse(failure(null, code, body.message), body.status);
      }
      return Array.isArray(body.value) ? answerBatch(at, body.value) : answerOne(at, body.value);
    },
  };
}

function endSession({ sessions, request, caller }: McpRequest): Response {
  const session = sessions.find(request.headers.get(SESSION) ?? '', caller.key.id);
  if (session === null) return noSession(request.headers.get(SESSION));
  sessions.end(session.id);
  return new Response(null, { status: 204 });
}

/** 404 tells a client to begin anew. */
const noSession = (given: string | null): Response =>
  given === null
    ? jsonResponse(
        failure(null, RPC.invalidRequest, 'the header Mcp-Session-Id is missing: initialize first'),
        400,
      )
    : jsonResponse(failure(null, RPC.invalidRequest, 'there is no such session: initialize again'), 404);

async function answerOne(at: McpRequest, value: unknown): Promise<Response> {
  const parsed = McpMessage.safeParse(value);
  if (!parsed.success)
    return jsonResponse(failure(null, RPC.invalidRequest, 'this is no JSON-RPC message'), 400);
  const message = parsed.data;
  const given = at.request.headers.get(SESSION);
  if (isRequest(message) && message.method === 'initialize')
    return initialize(at, message.id, message.params);
  const session = given === null ? null : at.sessions.find(given, at.caller.key.id);
  if (session === null) return noSession(given);
  if (!isRequest(message)) {
    takeNotification(session, message);
    return new Response(null, { status: 202 });
  }
  const { id, method, params = {} } = message;
  return answerRequest(at, session, { id, method, params });
}

/** Older clients send several messages at once; they get their answers together. */
async function answerBatch(at: McpRequest, values: unknown[]): Promise<Response> {
  if (values.length === 0 || values.length > MCP_BATCH_MAX) {
    return jsonResponse(
      failure(null, RPC.invalidRequest, `a batch holds 1 to ${String(MCP_BATCH_MAX)} messages`),
      400,
    );
  }
  const request = new Request(at.request.url, { method: 'POST', headers: at.request.headers });
  request.headers.set('accept', 'application/json');
  const responses = await Promise.all(values.map((value) => answerOne({ ...at, request }, value)));
  const session = responses.find(({ headers }) => headers.has(SESSION))?.headers.get(SESSION);
  const answers = await Promise.all(
    responses
      .filter(({ status }) => status !== 202)
      .map((response) => response.json() as Promise<RpcResponse>),
  );
  if (answers.length === 0) return new Response(null, { status: 202 });
  return jsonResponse(answers, 200, session === undefined || session === null ? {} : { [SESSION]: session });
}

const MCP_BATCH_MAX = 50;

function initialize(
  { parts, sessions, caller }: McpRequest,
  id: RequestId,
  params: McpMessage['params'],
): Response {
  const session = sessions.open(caller.key.id);
  const result = {
    protocolVersion: VERSIONS.find((version) => version === params?.['protocolVersion']) ?? VERSIONS[0],
    capabilities: { tools: {} },
    serverInfo: { name: 'interject', title: 'Interject', version: parts.version },
    instructions: 'Ask a human expert with ask_expert when you are stuck. An answer may take minutes.',
  };
  return jsonResponse(success(id, result), 200, { [SESSION]: session.id });
}

/** A notification: the only one that changes anything takes a question back. */
function takeNotification(session: McpSession, { method, params }: McpMessage): void {
  if (method !== 'notifications/cancelled') return;
  const id = params?.['requestId'];
  if (typeof id === 'string' || typeof id === 'number') session.pending.get(id)?.();
}

function answerRequest(
  at: McpRequest,
  session: McpSession,
  request: RpcRequest,
): Response | Promise<Response> {
  const { id, method } = request;
  switch (method) {
    case 'ping':
      return jsonResponse(success(id, {}));
    case 'tools/list':
      return jsonResponse(success(id, { tools: listedTools(whoMayBeNamed(at.parts)) }));
    case 'tools/call':
      return callMcpTool(at, session, request);
    default:
      return jsonResponse(failure(id, RPC.unknownMethod, `there is no method ${method}`));
  }
}

function callMcpTool(
  at: McpRequest,
  session: McpSession,
  { id, params }: RpcRequest,
): Response | Promise<Response> {
  const { name, arguments: given = {} } = params;
  if (name === 'expert_status') return jsonResponse(success(id, expertStatus(at.parts)));
  if (name !== 'ask_expert') {
    return jsonResponse(failure(id, RPC.invalidParams, `there is no tool ${String(name).slice(0, 100)}`));
  }
  const args = AskArguments.safeParse(given);
  if (!args.success) {
    const issues = args.error.issues.map(
      ({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`,
    );
    return toolError(id, `Not asked: ${issues.join('; ')}.`);
  }
  return askExpertTool(at, session, id, args.data, params['_meta']);
}

/** A call that was not carried out, as its model reads it: a protocol error would reach the program around it alone. */
const toolError = (id: RequestId, text: string): Response =>
  jsonResponse(success(id, { content: [{ type: 'text', text }], isError: true }));

async function askExpertTool(
  { parts, request, caller }: McpRequest,
  session: McpSession,
  id: RequestId,
  args: AskArguments,
  meta: unknown,
): Promise<Response> {
  let isCancelled = false;
  session.pending.set(id, () => (isCancelled = true));
  const refused = (why: string): Response => {
    session.pending.delete(id);
    return toolError(id, `Not asked: ${why}`);
  };
  const claim = claimOf(request.headers, {}, caller.rollout);
  const isRecorded = await parts.linker.settle(claim, caller.key.id);
  if (isCancelled) {
    session.pending.delete(id);
    return new Response(null, { status: 202 });
  }
  if (!isRecorded && claim.episode !== null)
    return refused(`${NOT_YET_RECORDED.message}. ${NOT_YET_RECORDED.next ?? ''}`);
  const given = idempotencyKey(request.headers, meta);
  if (given !== null && 'status' in given) return refused(given.message);
  const idempotency = namedBy(caller, given);
  let running: RunningAsk;
  try {
    running = await runAsk(parts, args, { headers: request.headers, isRecorded, idempotency }, caller);
  } catch (thrown) {
    if (!(thrown instanceof Failure && thrown.code === 'bad_input')) parts.report(thrown);
    return refused(failureShape(thrown).message);
  }
  const left = (): void => running.leave(false);
  caller.signal.addEventListener('abort', left, { once: true });
  session.pending.set(id, () => running.leave(true));
  if (caller.signal.aborted) left();
  if (isCancelled) running.leave(true);
  return askResponse({
    ask: running,
    id,
    progressToken: progressToken(meta),
    totalS: Math.ceil(parts.settings().ask_deadline_ms / 1000),
    isStream: (request.headers.get('accept') ?? '').includes('text/event-stream'),
    everyMs: parts.keepAliveMs ?? PROGRESS_MS,
    ended: () => {
      session.pending.delete(id);
      caller.signal.removeEventListener('abort', left);
    },
  });
}

const whoMayBeNamed = ({ prompts, roster }: DoorParts) =>
  roster === undefined ? null : askWho(prompts, namedExperts(roster(), 'human+draft'));

function progressToken(meta: unknown): RequestId | null {
  const token =
    typeof meta === 'object' && meta !== null && 'progressToken' in meta ? meta.progressToken : null;
  return typeof token === 'string' || typeof token === 'number' ? token : null;
}

function expertStatus({ attendance, expertModel, settings }: DoorParts) {
  const { onDuty, expected = 0, waiting } = attendance();
  const { ask_deadline_ms, ask_fallback } = settings();
  const after = Math.round(ask_deadline_ms / 1000);
  const status = {
    experts_on_duty: onDuty,
    experts_expected_back: expected,
    questions_waiting: waiting,
    has_advisor_model: expertModel() !== null,
    deadline_s: after,
    at_deadline: ask_fallback,
  };
  const then =
    ask_fallback === 'draft' ? 'a draft of the advisor is sent, if there is one' : 'you go on without advice';
  const back =
    expected === 0
      ? ''
      : `Interject was just started again: ${String(expected)} who were on duty are waited for, and a question with them. `;
  const text =
    `${String(onDuty)} experts are on duty and ${String(waiting)} questions wait. ${back}` +
    `A question waits ${String(after)} s at most; then ${then}.`;
  return { content: [{ type: 'text', text }], structuredContent: status };
}

// The response to a tool call that takes its time: progress while a person thinks, then the result.
type StreamParts = {
  ask: RunningAsk;
  id: RequestId;
  /** What the client wants to hear progress under; null when it wants none. */
  progressToken: RequestId | null;
  /** Whole seconds after which the question is over. */
  totalS: number;
  /** Whether the client reads events; else it gets one JSON body. */
  isStream: boolean;
  everyMs: number;
  /** The response is complete, or nobody reads it any more. */
  ended: () => void;
};

/** A response that begins at once; the client that stops reading leaves its question. */
function askResponse(parts: StreamParts): Response {
  const { ask, id, isStream, everyMs, ended } = parts;
  const bytes = new TextEncoder();
  const startedAt = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => {
    clearInterval(timer);
    ended();
  };
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      const say = (text: string): void => controller.enqueue(bytes.encode(text));
      const beat = (): void => say(isStream ? progressText(parts, performance.now() - startedAt) : ' ');
      if (isStream) beat();
      timer = setInterval(beat, everyMs);
      const close = (message: object | null): void => {
        stop();
        if (message !== null) say(isStream ? event(message) : JSON.stringify(message));
        controller.close();
      };
      ask.result
        .then((result) => close(result === null ? null : success(id, result)))
        .catch(() => close(failure(id, RPC.internal, 'Interject was closed while the question waited')))
        // The client had stopped reading: there is nobody to tell.
        .catch(() => undefined);
    },
    cancel: () => {
      stop();
      ask.leave(false);
    },
  });
  return new Response(body, {
    headers: {
      'content-type': isStream ? 'text/event-stream' : 'application/json',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    },
  });
}

const event = (message: object): string => `event: message\ndata: ${JSON.stringify(message)}\n\n`;

/** A notification for who asked for one, else a comment: both keep the connection. */
function progressText({ ask, progressToken, totalS }: StreamParts, passedMs: number): string {
  if (progressToken === null) return ': a person is being asked\n\n';
  // Progress must grow with every notification.
  const progress = Math.min(totalS, Math.round(passedMs) / 1000);
  return event({
    jsonrpc: '2.0',
    method: 'notifications/progress',
    params: { progressToken, progress, total: totalS, message: ask.state() },
  });
}

// MCP sessions: whose they are, and which of their requests are under way, so that a client can cancel one.
type McpSession = {
  id: string;
  /** Requests under way, and how to end each. */
  pending: Map<RequestId, () => void>;
};
type McpSessions = {
  open(key: string): McpSession;
  /** The session of this key; null for one that is not there, or is another key's. */
  find(id: string, key: string): McpSession | null;
  end(id: string): void;
};

/** Beyond these the ones longest unused make place; their clients begin anew when they are told so. */
const SESSIONS_MAX = 2_000;

function createMcpSessions(): McpSessions {
  const sessions = new Map<string, McpSession & { key: string }>();
  const end = (id: string): void => {
    const session = sessions.get(id);
    sessions.delete(id);
    for (const cancel of session?.pending.values() ?? []) cancel();
  };
  return {
    open: (key) => {
      const session = { id: randomUUID(), key, pending: new Map() };
      sessions.set(session.id, session);
      if (sessions.size > SESSIONS_MAX) {
        const idle = [...sessions.values()].find(({ pending }) => pending.size === 0);
        if (idle !== undefined) end(idle.id);
      }
      return session;
    },
    find: (id, key) => {
      const session = sessions.get(id);
      if (session === undefined || session.key !== key) return null;
      sessions.delete(id);
      sessions.set(id, session);
      return session;
    },
    end,
  };
}

// JSON-RPC as MCP speaks it over streamable HTTP: messages in, responses and errors out. Must not know: any tool.
const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

const RequestId = z.union([z.string(), z.number()]);
type RequestId = z.infer<typeof RequestId>;
const McpMessage = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: RequestId.optional(),
  method: z.string().optional(),
  params: z.record(z.string(), z.unknown()).optional(),
});
type McpMessage = z.infer<typeof McpMessage>;
type RpcRequest = { id: RequestId; method: string; params: Record<string, unknown> };

const RPC = {
  parse: -32_700,
  invalidRequest: -32_600,
  unknownMethod: -32_601,
  invalidParams: -32_602,
  internal: -32_603,
} as const;

type RpcResponse = { jsonrpc: '2.0'; id: RequestId | null } & (
  { result: unknown } | { error: { code: number; message: string } }
);

const success = (id: RequestId, result: unknown): RpcResponse => ({ jsonrpc: '2.0', id, result });
const failure = (id: RequestId | null, code: number, message: string): RpcResponse => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
});

const jsonResponse = (
  body: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
  });

const isRequest = (message: McpMessage): message is McpMessage & { id: RequestId; method: string } =>
  message.id !== undefined && message.method !== undefined;
