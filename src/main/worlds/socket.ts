// One socket's conversation: frames answered in the order they came, one at a time; which errors end it. Must not
// know: what a step does.
import type { RawData, WebSocket } from 'ws';
import { readClientFrame } from './envelope.ts';
import type { Environment } from './environment.ts';
import { errorFrame, replyFrame, mcpFrame, stateFrame } from './frames.ts';
import { isRecord, tryJson } from '../../shared/json.ts';

/** Inbound frames wait while this much of what was answered has not left yet: a client that never reads costs no more. */
const SOCKET_UNSENT_MAX = 32 * 1024 * 1024;
/** Frames of one socket that wait for their turn; a client that asks without reading sends no more until then. */
const UNANSWERED_MAX = 16;
const CLOSE_NORMAL = 1000;

type SocketConversation = {
  environment: Environment;
  /** Answers a JSON-RPC request in an `mcp` frame. */
  rpc: (data: Record<string, unknown>) => object;
  /** Called on every frame, for the idle time. */
  touch: () => void;
  /** Called when the conversation ends from this side. */
  leave: () => void;
  /** Resolves when the next frame may be answered; absent where it may always. */
  turn?: (() => Promise<void>) | undefined;
};

/** Answers a socket until it closes. Steps are synchronous, so pipelined frames keep their order. */
export function converse(socket: WebSocket, parts: SocketConversation): void {
  const { environment, rpc, touch, leave, turn } = parts;
  let isOver = false;
  let unanswered = 0;
  const readOn = (): void => {
    const isRead = socket.bufferedAmount < SOCKET_UNSENT_MAX / 2 && unanswered < UNANSWERED_MAX;
    if (socket.isPaused && isRead) socket.resume();
  };
  const send = (frame: string): void => {
    socket.send(frame, readOn);
    if (socket.bufferedAmount > SOCKET_UNSENT_MAX) socket.pause();
  };
  const end = (frame?: string): void => {
    isOver = true;
    leave();
    if (frame !== undefined) send(frame);
    socket.close(CLOSE_NORMAL);
  };
  const take = (data: RawData, isBinary: boolean): void => {
    if (isOver) return;
    touch();
    if (isBinary) return end(errorFrame('SESSION_ERROR', 'a frame must be text'));
    const message = tryJson(messageText(data));
    if (message === undefined)
      return send(errorFrame('INVALID_JSON', 'Invalid JSON: the frame cannot be parsed'));
    if (!isRecord(message)) return end(errorFrame('SESSION_ERROR', 'a message must be a JSON object'));
    const reply = answerMessage(message, environment, rpc);
    return reply === null ? end() : send(reply);
  };
  socket.on('message', (data: RawData, isBinary: boolean) => {
    if (turn === undefined) return take(data, isBinary);
    unanswered += 1;
    if (unanswered >= UNANSWERED_MAX) socket.pause();
    void turn().then(() => {
      unanswered -= 1;
      take(data, isBinary);
      readOn();
    });
  });
  socket.on('close', () => {
    isOver = true;
  });
}

function messageText(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString('utf8');
  return Buffer.isBuffer(data) ? data.toString('utf8') : Buffer.from(data).toString('utf8');
}

/** The reply to one message, or null when it asks to close. */
function answerMessage(
  message: Record<string, unknown>,
  environment: Environment,
  rpc: SocketConversation['rpc'],
): string | null {
  const frame = readClientFrame(message);
  switch (frame.type) {
    case 'unknown':
      return errorFrame('UNKNOWN_TYPE', `Unknown message type: ${frame.named}`);
    case 'invalid':
      return replyFrame(frame);
    case 'close':
      return null;
    case 'state':
      return stateFrame(environment.state());
    case 'mcp':
      return mcpFrame(rpc(frame.data));
    case 'reset':
      return replyFrame(environment.reset(frame.data));
    case 'step':
      return replyFrame(environment.step(frame.data));
    default:
      return frame satisfies never;
  }
}
