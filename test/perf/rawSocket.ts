// A WebSocket client that costs next to nothing, so that what is measured has the processors: frames are made once, and of
// an answer only its length is read. Source of the framing: RFC 6455, section 5.2.
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';

export type RawSocket = {
  send(frame: Buffer): void;
  onMessage: () => void;
  close(): void;
};

const TEXT = 0x81;
const PING = 0x9;
const CLOSE = 0x8;
const MASKED = 0x80;
const END_OF_HEAD = '\r\n\r\n';

/** A whole text message as a client sends it, its mask zero: the bytes stay as they are. */
export function frameOf(text: string): Buffer {
  const payload = Buffer.from(text);
  const { length } = payload;
  if (length > 0xffff) throw new Error('a frame of this length is not made here');
  const size = length < 126 ? [MASKED | length] : [MASKED | 126, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([TEXT, ...size, 0, 0, 0, 0]), payload]);
}

const READ_BYTES = 64 * 1024;

/** Connects to a `ws:` address. Rejects when the server does not switch protocols. */
export function openRaw(url: string): Promise<RawSocket> {
  const { hostname, port, pathname } = new URL(url);
  return new Promise((resolve, reject) => {
    const raw: RawSocket = {
      send: (frame) => void socket.write(frame),
      onMessage: () => undefined,
      close: () => socket.destroy(),
    };
    let read = afterHead(({ status, rest }) => {
      if (!status.startsWith('HTTP/1.1 101')) return reject(new Error(`no switch of protocols: ${status}`));
      read = createReader(socket, raw);
      read(rest);
      resolve(raw);
    });
    const socket = connect({
      host: hostname,
      port: Number(port),
      noDelay: true,
      // The same memory for every read: nothing of an answer is kept, and no garbage is made.
      onread: {
        buffer: Buffer.alloc(READ_BYTES),
        callback: (bytes, buffer) => {
          read(Buffer.from(buffer.buffer, buffer.byteOffset, bytes));
          return true;
        },
      },
    });
    socket.once('connect', () => {
      const key = randomBytes(16).toString('base64');
      socket.write(
        `GET ${pathname} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
          `Sec-WebSocket-Key: ${key}\r\nSec-WebSocket-Version: 13${END_OF_HEAD}`,
      );
    });
    socket.on('error', (thrown) => {
      reject(thrown);
      socket.destroy();
    });
    socket.once('close', () => reject(new Error('closed before it was open')));
  });
}

function afterHead(done: (head: { status: string; rest: Buffer }) => void): (chunk: Buffer) => void {
  let got = Buffer.alloc(0);
  return (chunk) => {
    got = Buffer.concat([got, chunk]);
    const end = got.indexOf(END_OF_HEAD);
    if (end === -1) return;
    done({ status: got.toString('latin1', 0, end), rest: got.subarray(end + END_OF_HEAD.length) });
  };
}

/** Tells of every message; a message is in one frame. What is passed in is the reader's only while it reads. */
function createReader(socket: Socket, raw: RawSocket): (chunk: Buffer) => void {
  let held: Buffer | null = null;
  return (chunk) => {
    const bytes = held === null ? chunk : Buffer.concat([held, chunk]);
    let at = 0;
    for (let end = endOf(bytes, at); end !== null; end = endOf(bytes, at)) {
      const kind = (bytes[at] ?? 0) & 0xf;
      if (kind === PING) socket.write(pongOf(bytes.subarray(at, end)));
      else if (kind === CLOSE) socket.destroy();
      else raw.onMessage();
      at = end;
    }
    held = at === bytes.length ? null : Buffer.from(bytes.subarray(at));
  };
}

/** Where the frame that begins at `from` ends; null while it is not all there. */
function endOf(bytes: Buffer, from: number): number | null {
  const there = bytes.length - from;
  if (there < 2) return null;
  const short = (bytes[from + 1] ?? 0) & 0x7f;
  const head = short < 126 ? 2 : short === 126 ? 4 : 10;
  if (there < head) return null;
  const length =
    short < 126
      ? short
      : short === 126
        ? bytes.readUInt16BE(from + 2)
        : Number(bytes.readBigUInt64BE(from + 2));
  return there < head + length ? null : from + head + length;
}

function pongOf(ping: Buffer): Buffer {
  const payload = ping.subarray(2);
  return Buffer.concat([Buffer.from([0x8a, MASKED | payload.length, 0, 0, 0, 0]), payload]);
}
