// WebSocket frames in a stream of bytes, and their bytes made. A whole frame is handed on as it lies there: to pass
// it on costs no copy and no decoding. Must not know: sockets, or what a frame says.

export const OpCode = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** Codes a side is closed with by us. */
const CloseCode = { protocol: 1002, tooBig: 1009 } as const;

export type WebSocketMessage = {
  payload: Buffer;
  isBinary: boolean;
  /** The frame as the other side may get it; null for a message that came in several. */
  frame: Buffer | null;
};

type FrameReader = { push(chunk: Buffer): void };
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
export function createFrameReader(parts: FramingOptions): FrameReader {
  const { isMasked, message, control, failed } = parts;
  const assembly = createAssembly();
  let held: Buffer[] = [];
  let heldBytes = 0;
  let needed = 0;
  let isBroken = false;

  /** One whole frame. */
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
