// Owns: the tap's HTTP: what an environment says of itself, and tools used over JSON-RPC in a session.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { LOCAL, RecordKind, type TapKey } from '../link.ts';
import { decorate } from './decorate.ts';
import { readRpc, refusedTool, rpcResult, stoppedReply } from './frames.ts';
import type { Holds } from './holds.ts';
import type { KeyRates } from './keyRates.ts';

import { begin, extrasOf, finish, keep, newPlayer, UNSET, type Player, type Shared } from './player.ts';
import { refusal, refuse } from './refusal.ts';
import { ask, bodyOf, type Answered } from './upstream.ts';

const BODY_MAX = 16 << 20;
const READABLE: ReadonlySet<string> = new Set(['/health', '/schema', '/metadata', '/stats', '/state']);
const JSON_TYPE = 'application/json';

type Parts = { shared: Shared; holds: Holds; sessions: Map<string, Player>; rates: KeyRates };
type Rpc = ReturnType<typeof readRpc>;

const say = (outgoing: ServerResponse, { status, type, body }: Answered): void => {
  outgoing.writeHead(status, { 'content-type': type, 'content-length': body.length });
  outgoing.end(body);
};
export const detail = (status: number, text: string): Answered => ({
  status,
  type: JSON_TYPE,
  body: Buffer.from(JSON.stringify({ detail: text })),
});

/** Answers one request of a client whose key is known. */
export async function answerTap(
  parts: Parts,
  key: TapKey,
  path: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  try {
    if (incoming.method === 'GET' && READABLE.has(path)) {
      return say(outgoing, await ask(key.url, 'GET', path, null));
    }
    if (path !== '/mcp') return say(outgoing, detail(404, 'Not Found'));
    if (incoming.method !== 'POST') return say(outgoing, detail(405, 'Method Not Allowed'));
    const body = await bodyOf(incoming, BODY_MAX);
    say(outgoing, await answerRpc(parts, key, body, incoming.headers['user-agent'] ?? null));
  } catch (thrown) {
    const isTooBig = thrown instanceof RangeError;
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    say(
      outgoing,
      isTooBig
        ? detail(413, `the request is ${why}`)
        : detail(502, `the environment cannot be reached: ${why}`),
    );
    // What was not read of a body that is too big is not waited for.
    if (isTooBig) incoming.destroy();
  }
}

async function answerRpc(
  parts: Parts,
  key: TapKey,
  body: Buffer,
  userAgent: string | null,
): Promise<Answered> {
  const rpc = readRpc(body);
  const player = rpc.session === null ? undefined : parts.sessions.get(rpc.session);
  if (rpc.method === 'openenv/session/create') return create(parts, key, body, userAgent);
  if (player === undefined) return ask(key.url, 'POST', '/mcp', body);
  if (rpc.method === 'openenv/session/close') return close(parts, key, body, player, rpc.session ?? '');
  if (!rpc.method.startsWith('tools/')) return ask(key.url, 'POST', '/mcp', body);
  const delayMs = parts.rates.step(key);
  if (delayMs > 0) await wait(delayMs);
  return stepByRpc(parts, key, body, player, rpc);
}

async function create({ sessions }: Parts, key: TapKey, body: Buffer, userAgent: string | null) {
  const answered = await ask(key.url, 'POST', '/mcp', body);
  const session = rpcResult(answered.body)['session_id'];
  if (typeof session === 'string') sessions.set(session, newPlayer(key, userAgent));
  return answered;
}

async function close(
  { shared, sessions }: Parts,
  key: TapKey,
  body: Buffer,
  player: Player,
  session: string,
) {
  const answered = await ask(key.url, 'POST', '/mcp', body);
  if (rpcResult(answered.body)['closed'] === true) {
    sessions.delete(session);
    finish(shared, player, { by: 'client', code: 1000, reason: 'the session was closed' });
  }
  return answered;
}

const local = (body: Buffer): Answered => ({ status: 200, type: JSON_TYPE, body });

/** A tool used in a session: recorded, and stepped into as a frame of its socket would be. */
async function stepByRpc(
  { shared, holds }: Parts,
  key: TapKey,
  body: Buffer,
  player: Player,
  rpc: Rpc,
): Promise<Answered> {
  if (player.stopped !== null) return local(stoppedReply('rpc', player.stopped, extrasOf(player), rpc.id));
  if (player.episode === null) begin(shared, player, UNSET);
  const { episode } = player;
  const tool = refusedTool(body, shared.rules(), () => rpc.call);
  if (tool !== null) {
    const seq = refuse(shared, player, body, tool, RecordKind.rpcRequest);
    const reply = refusal('rpc', player, tool, rpc.id);
    keep(shared, player, RecordKind.rpcReply, reply, { ref: seq, flags: LOCAL, request: body });
    return local(reply);
  }
  const { call } = rpc;
  const isHost = call.type === 'call' && (call.tool === 'verify' || call.tool === 'done');
  const passed =
    player.isArmed && call.type === 'call' && !isHost
      ? await decided(holds, { player, channel: 'rpc', frame: body, call, id: rpc.id })
      : { frame: body, seq: keep(shared, player, RecordKind.rpcRequest, body), reply: null };
  const answered =
    passed.reply === null ? await ask(key.url, 'POST', '/mcp', passed.frame) : local(passed.reply);
  const flags = passed.reply === null ? 0 : LOCAL;
  if (episode === player.episode) {
    keep(shared, player, RecordKind.rpcReply, answered.body, { ref: passed.seq, flags, request: body });
  }
  if (passed.reply !== null) return answered;
  return { ...answered, body: decorate(shared, player, 'rpc', { seq: passed.seq, episode }, answered.body) };
}

type Decided = { frame: Buffer; seq: number; reply: Buffer | null };

const decided = (
  holds: Holds,
  request: Omit<Parameters<Holds['hold']>[0], 'go' | 'answer'>,
): Promise<Decided> =>
  new Promise((resolve) => {
    holds.hold({
      ...request,
      go: (frame, seq) => resolve({ frame, seq, reply: null }),
      answer: (reply, seq) => resolve({ frame: request.frame, seq, reply }),
    });
  });
