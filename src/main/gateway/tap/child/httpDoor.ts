// The tap's HTTP: what an environment says of itself, and tools used over JSON-RPC in a session.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { KeyLimits } from '../../../settings/keyLimits.ts';
import { HELD_FLAG, LOCAL, RecordKind, type TapLinkKey } from '../linkProtocol.ts';
import {
  beginPlay,
  extrasOf,
  finishPlay,
  keepAction,
  keepRecord,
  newPlayer,
  type TapControl,
  type TapPlayer,
  type TapShared,
  UNSET,
  decorate,
} from './control.ts';
import { type Channel, ownReply, readRpcFrame, refusedTool, rpcResult, stoppedReply } from './frames.ts';
import { type AdmittedRequest, limitsOf } from './gatekeeper.ts';
import type { Holds } from './holds.ts';
import { askUpstream, readBody, type UpstreamAnswer } from './upstream.ts';

const TAP_BODY_MAX = 16 << 20;
const READABLE: ReadonlySet<string> = new Set(['/health', '/schema', '/metadata', '/stats', '/state']);
const JSON_TYPE = 'application/json';

type HttpDoorDependencies = {
  shared: TapShared;
  holds: Holds;
  sessions: Map<string, TapPlayer>;
  limits: KeyLimits;
  isClosing: TapControl['isClosing'];
};

const writeAnswer = (outgoing: ServerResponse, { status, type, body }: UpstreamAnswer): void => {
  outgoing.writeHead(status, { 'content-type': type, 'content-length': body.length });
  outgoing.end(body);
};
/** A session is its key's alone; nobody else learns that there is one. */
export const isOfAnotherKey = (player: TapPlayer | undefined, key: TapLinkKey): boolean =>
  player !== undefined && player.key.sha256 !== key.sha256;
export const OTHER_KEY = { status: 404, why: 'this key opened no such session' };
/** To whoever would begin. */
export const CLOSING = {
  status: 503,
  why: 'Interject is closing: it serves the clients that play until they leave, and takes no new ones',
};
export const detail = (status: number, text: string): UpstreamAnswer => ({
  status,
  type: JSON_TYPE,
  body: Buffer.from(JSON.stringify({ detail: text })),
});

/** Answers one request of a client whose key is known. */
export async function answerTap(
  parts: HttpDoorDependencies,
  { key, rollout, path }: Pick<AdmittedRequest, 'key' | 'rollout' | 'path'>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  try {
    if (incoming.method === 'GET' && READABLE.has(path)) {
      return writeAnswer(outgoing, await askUpstream(key, 'GET', path, null));
    }
    if (path !== '/mcp') return writeAnswer(outgoing, detail(404, 'Not Found'));
    if (incoming.method !== 'POST') return writeAnswer(outgoing, detail(405, 'Method Not Allowed'));
    const body = await readBody(incoming, TAP_BODY_MAX);
    const client = { userAgent: incoming.headers['user-agent'] ?? null, outgoing };
    writeAnswer(outgoing, await answerTapRpc(parts, { key, rollout }, body, client));
  } catch (thrown) {
    const isTooBig = thrown instanceof RangeError;
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    writeAnswer(
      outgoing,
      isTooBig
        ? detail(413, `the request is ${why}`)
        : detail(502, `the environment cannot be reached: ${why}`),
    );
    // What was not read of a body that is too big is not waited for.
    if (isTooBig) incoming.destroy();
  }
}

type RpcClient = Pick<AdmittedRequest, 'key' | 'rollout'>;

async function answerTapRpc(
  parts: HttpDoorDependencies,
  client: RpcClient,
  body: Buffer,
  { userAgent, outgoing }: { userAgent: string | null; outgoing: ServerResponse },
): Promise<UpstreamAnswer> {
  const { key } = client;
  const rpc = readRpcFrame(body);
  const player = rpc.session === null ? undefined : parts.sessions.get(rpc.session);
  if (isOfAnotherKey(player, key)) return detail(OTHER_KEY.status, OTHER_KEY.why);
  if (rpc.method === 'openenv/session/create') return create(parts, client, body, userAgent);
  if (player === undefined) return askUpstream(key, 'POST', '/mcp', body);
  if (rpc.method === 'openenv/session/close')
    return closeSession(parts, key, body, player, rpc.session ?? '');
  if (!rpc.method.startsWith('tools/')) return askUpstream(key, 'POST', '/mcp', body);
  const delayMs = parts.limits.holdUp(limitsOf(key));
  if (delayMs > 0) await wait(delayMs);
  return stepByRpc(parts, key, body, { player, rpc, outgoing });
}

async function create(
  { sessions, isClosing }: HttpDoorDependencies,
  client: RpcClient,
  body: Buffer,
  userAgent: string | null,
) {
  const { key } = client;
  if (isClosing(key.environment)) return detail(CLOSING.status, CLOSING.why);
  const answered = await askUpstream(key, 'POST', '/mcp', body);
  const session = rpcResult(answered.body)['session_id'];
  if (typeof session === 'string') sessions.set(session, newPlayer(client, userAgent));
  return answered;
}

async function closeSession(
  { shared, sessions, holds }: HttpDoorDependencies,
  key: TapLinkKey,
  body: Buffer,
  player: TapPlayer,
  session: string,
) {
  const answered = await askUpstream(key, 'POST', '/mcp', body);
  if (rpcResult(answered.body)['closed'] === true) {
    sessions.delete(session);
    holds.forget(player);
    finishPlay(shared, player, { by: 'client', code: 1000, reason: 'the session was closed' });
  }
  return answered;
}

const local = (body: Buffer): UpstreamAnswer => ({ status: 200, type: JSON_TYPE, body });

/** A tool used in a session: recorded, and stepped into as a frame of its socket would be. */
async function stepByRpc(
  { shared, holds }: HttpDoorDependencies,
  key: TapLinkKey,
  body: Buffer,
  {
    player,
    rpc,
    outgoing,
  }: { player: TapPlayer; rpc: ReturnType<typeof readRpcFrame>; outgoing: ServerResponse },
): Promise<UpstreamAnswer> {
  if (player.stopped !== null)
    return local(stoppedReply('rpc', player.stopped, { extras: extrasOf(player), id: rpc.id, frame: body }));
  if (player.episode === null) beginPlay(shared, player, UNSET);
  const { episode } = player;
  const tool = refusedTool(body, shared.rules(), () => rpc.call);
  if (tool !== null) {
    const seq = refuseCall(shared, player, body, tool, RecordKind.rpcRequest);
    const reply = refusalReply('rpc', player, tool, rpc.id);
    keepRecord(shared, player, RecordKind.rpcReply, reply, { ref: seq, flags: LOCAL, request: body });
    shared.outbox.secure();
    return local(reply);
  }
  const { call } = rpc;
  const isHost = call.type === 'call' && (call.tool === 'verify' || call.tool === 'done');
  const passed =
    player.isArmed && call.type === 'call' && !isHost
      ? await holdUntilDecided(holds, { player, channel: 'rpc', frame: body, call, id: rpc.id }, outgoing)
      : { frame: body, seq: keepRecord(shared, player, RecordKind.rpcRequest, body), reply: null };
  const answered =
    passed.reply === null ? await askUpstream(key, 'POST', '/mcp', passed.frame) : local(passed.reply);
  const flags = passed.reply === null ? 0 : LOCAL;
  if (episode === player.episode) {
    keepRecord(shared, player, RecordKind.rpcReply, answered.body, { ref: passed.seq, flags, request: body });
  }
  const given =
    passed.reply === null
      ? { ...answered, body: decorate(shared, player, 'rpc', { seq: passed.seq, episode }, answered.body) }
      : answered;
  shared.outbox.secure();
  return given;
}

/** Rejects where the client leaves first: its call is not made then. */
const holdUntilDecided = (
  holds: Holds,
  request: Omit<Parameters<Holds['hold']>[0], 'go' | 'answer'>,
  outgoing: ServerResponse,
): Promise<{ frame: Buffer; seq: number; reply: Buffer | null }> =>
  new Promise((resolve, reject) => {
    const ask = holds.hold({
      ...request,
      go: (frame, seq) => resolve({ frame, seq, reply: null }),
      answer: (reply, seq) => resolve({ frame: request.frame, seq, reply }),
    });
    const left = (): void => {
      if (holds.leave(ask)) reject(new Error('the client left before its call was decided'));
    };
    if (outgoing.destroyed) left();
    else outgoing.once('close', left);
  });

/** Records that it was called and refused. Returns the request's number. */
export function refuseCall(
  shared: TapShared,
  player: TapPlayer,
  frame: Buffer,
  tool: string,
  kind: typeof RecordKind.request | typeof RecordKind.rpcRequest,
): number {
  const seq = keepRecord(shared, player, kind, frame, { flags: HELD_FLAG });
  keepAction(shared, player, seq, { did: 'refused', tool, text: wordsFor(tool) });
  return seq;
}

const wordsFor = (tool: string): string =>
  `${tool} is not for clients of this tap: it belongs to whoever runs the episode.`;

/** The tool error that the client reads. */
export const refusalReply = (channel: Channel, player: TapPlayer, tool: string, id: unknown): Buffer =>
  ownReply(channel, player.dialect, {
    tool,
    text: wordsFor(tool),
    isError: true,
    extras: extrasOf({ ...player, notes: [] }),
    id,
  });
