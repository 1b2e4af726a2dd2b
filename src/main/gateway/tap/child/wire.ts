// One end of a WebSocket over a connection whose handshake is done: frames in and out, its close, its pace. The tap
// speaks the protocol itself because it passes frames on as they came, which no library offers.
import type { Duplex } from 'node:stream';
import { createFrameReader, webSocketFrame, OpCode, type WebSocketMessage } from './framing.ts';

export type Wire = {
  isOpen(): boolean;
  isPaused(): boolean;
  /** Bytes that wait for the other side to read them. */
  unsent(): number;
  /** Sends a frame as it is; `sent` is called once it has left. */
  pass(frame: Buffer, sent?: () => void): void;
  /** Sends a message of our own. */
  send(payload: Buffer, isBinary: boolean, sent?: () => void): void;
  pause(): void;
  resume(): void;
  /** Asks whether anybody is there. */
  ping(): void;
  /** Nothing is read before this. `closed` is called once, in any case. */
  listen(on: WireListener): void;
  close(code?: number, reason?: string): void;
  terminate(): void;
};

type WireListener = {
  message: (message: WebSocketMessage) => void;
  /** With the code and reason of the other side: 1005 where it gave none, 1006 where it was cut off. */
  closed: (code: number, reason: string) => void;
  pong?: () => void;
};

export const NO_STATUS = 1005;
export const ABNORMAL_CLOSE = 1006;
/** A side that does not answer a close is cut off after this. */
const CLOSE_MS = 30_000;
const EMPTY_BUFFER = Buffer.alloc(0);

type WireEnd = { code: number; reason: string };
type WireState = {
  socket: Duplex;
  isClient: boolean;
  isClosing: boolean;
  isClosed: boolean;
  /** What the other side closed with. */
  ends: WireEnd | null;
  closing: NodeJS.Timeout | null;
};

/** `head` are bytes that came with the handshake. A client masks what it sends; `max` bounds a message that comes. */
export function createWire(
  socket: Duplex,
  head: Buffer,
  { isClient, max }: { isClient: boolean; max: number },
): Wire {
  const state: WireState = { socket, isClient, isClosing: false, isClosed: false, ends: null, closing: null };
  let tell: WireListener | null = null;
  socket.on('error', () => socket.destroy());
  socket.on('end', () => socket.end());
  socket.on('close', () => {
    state.isClosed = true;
    if (state.closing !== null) clearTimeout(state.closing);
    tell?.closed(state.ends?.code ?? ABNORMAL_CLOSE, state.ends?.reason ?? '');
  });
  return {
    isOpen: () => isOpen(state),
    isPaused: () => socket.isPaused(),
    unsent: () => socket.writableLength,
    pass: (frame, sent) => void (isOpen(state) && socket.write(frame, sent)),
    send: (payload, isBinary, sent) => {
      const opCode = isBinary ? OpCode.binary : OpCode.text;
      if (isOpen(state)) socket.write(webSocketFrame(opCode, payload, isClient), sent);
    },
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    ping: () => void (isOpen(state) && socket.write(webSocketFrame(OpCode.ping, EMPTY_BUFFER, isClient))),
    listen: (on) => {
      tell = on;
      // Never while it is being joined.
      if (state.isClosed) return queueMicrotask(() => on.closed(ABNORMAL_CLOSE, ''));
      const reader = createFrameReader({
        isMasked: !isClient,
        max,
        message: (message) => void (state.ends === null && on.message(message)),
        control: (opCode, payload) => heardControl(state, on, opCode, payload),
        // What still comes is read away: a connection cut with bytes unread would lose our close on its way.
        failed: (code, reason) => closeWire(state, code, reason),
      });
      // The buffer of the handshake is not ours to change.
      if (head.length > 0) reader.push(Buffer.from(head));
      socket.on('data', (chunk: Buffer) => reader.push(chunk));
    },
    close: (code, reason = '') => closeWire(state, code ?? null, reason),
    terminate: () => void socket.destroy(),
  };
}

const isOpen = ({ isClosing, isClosed, ends, socket }: WireState): boolean =>
  !isClosing && !isClosed && ends === null && socket.writable;

function heardControl(state: WireState, on: WireListener, opCode: number, payload: Buffer): void {
  const { socket, isClient } = state;
  if (opCode === OpCode.pong) return on.pong?.();
  if (opCode === OpCode.ping)
    return void (isOpen(state) && socket.write(webSocketFrame(OpCode.pong, payload, isClient)));
  if (state.ends !== null) return;
  if (payload.length === 1 || (payload.length > 1 && !isCode(payload.readUInt16BE(0))))
    return closeWire(state, 1002, 'a close without a valid code');
  const code = payload.length === 0 ? null : payload.readUInt16BE(0);
  state.ends = { code: code ?? NO_STATUS, reason: payload.toString('utf8', 2) };
  closeWire(state, code, '');
  socket.end();
}

const isCode = (code: number): boolean =>
  (code >= 1000 && code <= 1014 && code !== 1004 && code !== NO_STATUS && code !== ABNORMAL_CLOSE) ||
  (code >= 3000 && code <= 4999);

const REASON_MAX = 123;

function closeWire(state: WireState, code: number | null, reason: string): void {
  const { socket, isClient } = state;
  if (state.isClosing || state.isClosed) return;
  state.isClosing = true;
  const said = Buffer.from(reason).subarray(0, REASON_MAX);
  const payload = code === null ? EMPTY_BUFFER : Buffer.concat([Buffer.from([code >> 8, code & 0xff]), said]);
  if (socket.writable) socket.write(webSocketFrame(OpCode.close, payload, isClient));
  state.closing = setTimeout(() => socket.destroy(), CLOSE_MS);
  // Its answer has to be read.
  if (socket.isPaused()) socket.resume();
}
