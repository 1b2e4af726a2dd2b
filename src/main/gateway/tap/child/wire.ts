// One end of a WebSocket over a connection whose handshake is done: frames in and out, its close, its pace. The tap
// speaks the protocol itself because it passes frames on as they came, which no library offers.
import { createHash, randomBytes } from 'node:crypto';
import { type IncomingMessage, request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { Duplex } from 'node:stream';

export type Wire = {
  isOpen(): boolean;
  isPaused(): boolean;
  /** Bytes that wait for the other side to read them. */
  unsent(): number;
  pass(frame: Buffer, sent?: () => void): void;
  send(payload: Buffer, isBinary: boolean, sent?: () => void): void;
  pause(): void;
  resume(): void;
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
type WireState = {
  socket: Duplex;
  isClient: boolean;
  isClosing: boolean;
  isClosed: boolean;
  /** What the other side closed with. */
  ends: { code: number; reason: string } | null;
  closing: NodeJS.Timeout | null;
};

/** `head` are bytes that came with the handshake. A client masks what it sends; `max` bounds a message that comes. */
function createWire(
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

// WebSocket frames in a stream of bytes, and their bytes made. A whole frame is handed on as it lies there: to pass
// it on costs no copy and no decoding. Must not know: sockets, or what a frame says.
export const OpCode = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

const CloseCode = { protocol: 1002, tooBig: 1009 } as const;

export type WebSocketMessage = {
  payload: Buffer;
  isBinary: boolean;
  /** The frame as the other side may get it; null for a message that came in several. */
  frame: Buffer | null;
};
type FramingOptions = {
  /** Frames of a client are masked, frames of a server are not. */
  isMasked: boolean;
  /** Bytes of one message. */
  max: number;
  message: (message: WebSocketMessage) => void;
  control: (opCode: number, payload: Buffer) => void;
  /** Called once, when what comes is no WebSocket's; nothing is read after it. */
  failed: (code: number, reason: string) => void;
};

const FINAL = 0x80;
const RESERVED_BITS = 0x70;
const MASKED = 0x80;
const CONTROL_MAX = 125;

type FrameHead = { opCode: number; isFinal: boolean; head: number; length: number };
type Fault = { code: number; reason: string };

/** Reads frames. The chunks become the reader's: payloads are unmasked where they lie. */
function createFrameReader(parts: FramingOptions): { push(chunk: Buffer): void } {
  const { isMasked, message, control, failed } = parts;
  const assembly = createAssembly();
  let held: Buffer[] = [];
  let heldBytes = 0;
  let needed = 0;
  let isBroken = false;

  const take = (chunk: Buffer, at: number, { opCode, isFinal, head, length }: FrameHead): Fault | null => {
    const start = at + head;
    const end = start + length;
    if (isMasked) unmask(chunk, start, end);
    const payload = chunk.subarray(start, end);
    if (opCode >= OpCode.close) {
      control(opCode, payload);
      return null;
    }
    if ((opCode === OpCode.continuation) !== assembly.isOpen()) return framingError('a fragment out of turn');
    if (isFinal && opCode !== OpCode.continuation) {
      message({ payload, isBinary: opCode === OpCode.binary, frame: chunk.subarray(at, end) });
      return null;
    }
    assembly.add(opCode, payload);
    if (isFinal) message(assembly.end());
    return null;
  };
  return {
    push: (added) => {
      if (isBroken) return;
      let chunk = added;
      if (heldBytes > 0) {
        held.push(added);
        heldBytes += added.length;
        if (heldBytes < needed) return;
        chunk = Buffer.concat(held, heldBytes);
        held = [];
        heldBytes = 0;
      }
      let at = 0;
      while (at < chunk.length) {
        const head = readFrameHead(chunk, at, parts, assembly.length());
        const problem =
          'code' in head || head.head + head.length > chunk.length - at ? null : take(chunk, at, head);
        const found = problem ?? head;
        if ('code' in found) {
          isBroken = true;
          return failed(found.code, found.reason);
        }
        needed = found.head + found.length;
        if (needed > chunk.length - at) break;
        at += needed;
      }
      if (at >= chunk.length) return;
      held = [chunk.subarray(at)];
      heldBytes = chunk.length - at;
    },
  };
}

const framingError = (reason: string): Fault => ({ code: CloseCode.protocol, reason });

/** Lengths of a frame as far as they are known: a head that is not whole says how much it wants. */
function readFrameHead(
  chunk: Buffer,
  at: number,
  { isMasked, max }: FramingOptions,
  before: number,
): FrameHead | Fault {
  const first = chunk[at] ?? 0;
  const second = chunk[at + 1];
  const opCode = first & 0x0f;
  const isFinal = (first & FINAL) !== 0;
  if (second === undefined) return { opCode, isFinal, head: 2, length: 0 };
  if ((first & RESERVED_BITS) !== 0) return framingError('reserved bits are set');
  if ((opCode > OpCode.binary && opCode < OpCode.close) || opCode > OpCode.pong)
    return framingError(`there is no operation ${String(opCode)}`);
  if (((second & MASKED) !== 0) !== isMasked)
    return framingError(isMasked ? 'the frame is not masked' : 'the frame is masked');
  const short = second & 0x7f;
  if (opCode >= OpCode.close && (!isFinal || short > CONTROL_MAX))
    return framingError('a control frame is too long');
  const wide = short === 127 ? 8 : short === 126 ? 2 : 0;
  const head = 2 + wide + (isMasked ? 4 : 0);
  if (chunk.length - at < 2 + wide) return { opCode, isFinal, head, length: 0 };
  const length =
    wide === 8
      ? chunk.readUInt32BE(at + 2) * 0x1_0000_0000 + chunk.readUInt32BE(at + 6)
      : wide === 2
        ? chunk.readUInt16BE(at + 2)
        : short;
  if (opCode < OpCode.close && before + length > max)
    return { code: CloseCode.tooBig, reason: `more than ${String(max)} bytes` };
  return { opCode, isFinal, head, length };
}

/** A message that comes in several frames: copied together, so that many small ones cost no more than one. */
function createAssembly() {
  let bytes = Buffer.alloc(0);
  let used = 0;
  let opCode: number | null = null;
  return {
    isOpen: () => opCode !== null,
    length: () => used,
    add: (code: number, payload: Buffer): void => {
      opCode ??= code;
      if (used + payload.length > bytes.length) {
        const grown = Buffer.allocUnsafeSlow(Math.max(4096, 2 * (used + payload.length)));
        bytes.copy(grown, 0, 0, used);
        bytes = grown;
      }
      used += payload.copy(bytes, used);
    },
    end: (): WebSocketMessage => {
      const whole = { payload: bytes.subarray(0, used), isBinary: opCode === OpCode.binary, frame: null };
      bytes = Buffer.alloc(0);
      used = 0;
      opCode = null;
      return whole;
    },
  };
}

/** Shorter payloads are not worth looking at four bytes at a time. */
const WIDE = 512;

/** Takes the mask of a payload off, where it lies; the key before it becomes zero, so that the frame stays a valid one. */
function unmask(chunk: Buffer, start: number, end: number): void {
  const keys = [chunk[start - 4] ?? 0, chunk[start - 3] ?? 0, chunk[start - 2] ?? 0, chunk[start - 1] ?? 0];
  const done = end - start < WIDE ? start : unmaskWords(chunk, start, end, keys);
  for (let at = done; at < end; at += 1) chunk[at] = (chunk[at] ?? 0) ^ (keys[(at - start) & 3] ?? 0);
  for (let at = start - 4; at < start; at += 1) chunk[at] = 0;
}

/** Four bytes at a time, from where they are aligned: 16 MiB would hold up every other episode. Returns how far it came. */
function unmaskWords(chunk: Buffer, start: number, end: number, keys: readonly number[]): number {
  let from = start;
  for (; (chunk.byteOffset + from) % 4 !== 0; from += 1) {
    chunk[from] = (chunk[from] ?? 0) ^ (keys[(from - start) & 3] ?? 0);
  }
  const words = new Uint32Array(chunk.buffer, chunk.byteOffset + from, (end - from) >> 2);
  const turned = Uint8Array.from([0, 1, 2, 3], (i) => keys[(from - start + i) & 3] ?? 0);
  const [key = 0] = new Uint32Array(turned.buffer);
  for (let i = 0; i < words.length; i += 1) words[i] = (words[i] ?? 0) ^ key;
  return from + words.length * 4;
}

/**
 * A whole frame. A mask guards proxies against chosen bytes; none stands between this process and an environment, so the
 * key is zero.
 */
export function webSocketFrame(opCode: number, payload: Buffer, isMasked: boolean): Buffer {
  const { length } = payload;
  const wide = length > 0xffff ? 8 : length > CONTROL_MAX ? 2 : 0;
  const head = 2 + wide + (isMasked ? 4 : 0);
  const frame = Buffer.allocUnsafe(head + length).fill(0, 0, head);
  frame[0] = FINAL | opCode;
  frame[1] = (isMasked ? MASKED : 0) | (wide === 8 ? 127 : wide === 2 ? 126 : length);
  if (wide === 2) frame.writeUInt16BE(length, 2);
  if (wide === 8) frame.writeUIntBE(length, 4, 6);
  payload.copy(frame, head);
  return frame;
}

// A WebSocket's handshake, on either end. No extension is offered or taken: frames pass as they are.
const acceptOf = (key: string): string =>
  createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');

const KEY = /^[+/0-9A-Za-z]{22}==$/;

/** With which status a request is no WebSocket's; null when it is one. */
export function handshakeProblem({ method, headers }: IncomingMessage): number | null {
  if (method !== 'GET') return 405;
  if (headers.upgrade?.toLowerCase() !== 'websocket') return 400;
  if (!KEY.test(headers['sec-websocket-key'] ?? '')) return 400;
  return headers['sec-websocket-version'] === '13' ? null : 426;
}

/** Accepts a client whose request has no problem. Of the protocols it names it gets the first. */
export function acceptClient({ headers }: IncomingMessage, stream: Duplex, head: Buffer, max: number): Wire {
  const protocol = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+/.exec(headers['sec-websocket-protocol'] ?? '')?.[0];
  const lines = [
    'HTTP/1.1 101 Switching Protocols',
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Accept: ${acceptOf(headers['sec-websocket-key'] ?? '')}`,
    ...(protocol === undefined ? [] : [`Sec-WebSocket-Protocol: ${protocol}`]),
  ];
  stream.write(`${lines.join('\r\n')}\r\n\r\n`);
  return createWire(stream, head, { isClient: false, max });
}

type WireOptions = {
  timeoutMs: number;
  max: number;
  headers?: Record<string, string>;
  /** The authorities that are trusted; the usual ones where they are left out. */
  ca?: readonly string[];
};

/** Opens a socket at an `http:` or `https:` address, or says why there is none. Nothing of it is read yet. */
export function openWire(
  address: string,
  { timeoutMs, max, headers: own = {}, ca }: WireOptions,
): Promise<{ wire: Wire } | { status: number; why: string }> {
  const key = randomBytes(16).toString('base64');
  const headers = {
    ...own,
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': key,
  };
  return new Promise((resolve) => {
    const send = address.startsWith('https:') ? secureRequest : plainRequest;
    const refused = (status: number, why: string): void => {
      outgoing.destroy();
      resolve({ status, why });
    };
    // A pool of connections is for requests; this one is kept.
    const trusted = ca === undefined ? {} : { ca: [...ca] };
    const outgoing = send(address, { headers, agent: false, timeout: timeoutMs, ...trusted });
    outgoing.once('timeout', () =>
      refused(502, `cannot be reached: no answer within ${String(timeoutMs / 1000)} s`),
    );
    outgoing.on('error', (cause: NodeJS.ErrnoException) =>
      refused(
        502,
        `cannot be reached: ${cause.message === '' ? (cause.code ?? 'no connection') : cause.message}`,
      ),
    );
    outgoing.once('response', ({ statusCode = 502 }) =>
      refused(statusCode, `does not let the tap in: it answers ${String(statusCode)}`),
    );
    outgoing.once('upgrade', ({ headers: said }: IncomingMessage, socket, head) => {
      if (said['sec-websocket-accept'] !== acceptOf(key) || said['sec-websocket-extensions'] !== undefined) {
        return refused(502, 'does not open a WebSocket as the protocol says');
      }
      socket.setTimeout(0);
      socket.setNoDelay(true);
      resolve({ wire: createWire(socket, head, { isClient: true, max }) });
    });
    outgoing.end();
  });
}
