// Owns: one socket's conversation: frames answered in the order they came, one at a time; which errors end it.
// Must not know: what a step does.
import type { RawData, WebSocket } from 'ws';
import { readAction, readFrame } from './envelope.ts';
import type { Environment } from './environment.ts';
import { errorFrame, frameOf, mcpFrame, stateFrame } from './frames.ts';
import { isRecord } from './json.ts';
import { answerRpc, type RpcSessions } from './jsonrpc.ts';
import { typeName } from './python.ts';

/** Inbound frames wait while this much of what was answered has not left yet: a client that never reads costs no more. */
const UNSENT_MAX = 32 * 1024 * 1024;
const NORMAL = 1000;

export type Conversation = {
  environment: Environment;
  sessions: RpcSessions;
  /** Called on every frame, for the idle time. */
  touch: () => void;
  /** Called when the conversation ends from this side. */
  leave: () => void;
};

/** Answers a socket until it closes. Steps are synchronous, so pipelined frames keep their order. */
export function converse(socket: WebSocket, { environment, sessions, touch, leave }: Conversation): void {
  let isOver = false;
  const send = (frame: string): void => {
    socket.send(frame, () => {
      if (socket.isPaused && socket.bufferedAmount < UNSENT_MAX / 2) socket.resume();
    });
    if (socket.bufferedAmount > UNSENT_MAX) socket.pause();
  };
  const end = (frame?: string): void => {
    isOver = true;
    leave();
    if (frame !== undefined) send(frame);
    socket.close(NORMAL);
  };
  socket.on('message', (data: RawData, isBinary: boolean) => {
    if (isOver) return;
    touch();
    if (isBinary) return end(errorFrame('SESSION_ERROR', "'text'"));
    const message = parse(text(data));
    if (!message.ok) return send(errorFrame('INVALID_JSON', `Invalid JSON: ${message.why}`));
    if (!isRecord(message.value)) {
      const why = `'${typeName(message.value)}' object has no attribute 'get'`;
      return end(errorFrame('SESSION_ERROR', why));
    }
    const reply = answer(message.value, environment, sessions);
    return reply === null ? end() : send(reply);
  });
  socket.on('close', () => {
    isOver = true;
  });
}

function text(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString('utf8');
  return Buffer.isBuffer(data) ? data.toString('utf8') : Buffer.from(data).toString('utf8');
}

function parse(raw: string): { ok: true; value: unknown } | { ok: false; why: string } {
  try {
    return { ok: true, value: JSON.parse(raw) as unknown };
  } catch (thrown) {
    return { ok: false, why: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}

/** The reply to one message, or null when it asks to close. */
function answer(
  message: Record<string, unknown>,
  environment: Environment,
  sessions: RpcSessions,
): string | null {
  const frame = readFrame(message);
  switch (frame.type) {
    case 'unknown':
      return errorFrame('UNKNOWN_TYPE', `Unknown message type: ${frame.named}`);
    case 'invalid':
      return frameOf(frame);
    case 'close':
      return null;
    case 'state':
      return stateFrame(environment.state());
    case 'mcp':
      return mcpFrame(answerRpc(frame.data, sessions));
    case 'reset':
      return frameOf(environment.reset(frame.data));
    case 'step': {
      const read = readAction(frame.data);
      return frameOf(read.ok ? environment.step(read.action) : { type: 'invalid', problems: read.problems });
    }
    default:
      return frame satisfies never;
  }
}
