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

/** Connects to a `ws:` address. Rejects when the server does not switch protocols. */
export async function openRaw(url: string): Promise<RawSocket> {
  const { hostname, port, pathname } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  const key = randomBytes(16).toString('base64');
  socket.write(
    `GET ${pathname} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
      `Sec-WebSocket-Key: ${key}\r\nSec-WebSocket-Version: 13${END_OF_HEAD}`,
  );
  const rest = await afterHead(socket);
  const raw: RawSocket = {
    send: (frame) => void socket.write(frame),
    onMessage: () => undefined,
    close: () => socket.destroy(),
  };
  const read = createReader(socket, raw);
  read(rest);
  socket.on('data', read);
  socket.on('error', () => socket.destroy());
  return raw;
}

function afterHead(socket: Socket): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let got = Buffer.alloc(0);
    const take = (chunk: Buffer): void => {
      got = Buffer.concat([got, chunk]);
      const end = got.indexOf(END_OF_HEAD);
      if (end === -1) return;
      socket.off('data', take);
      if (!got.toString('latin1', 0, end).startsWith('HTTP/1.1 101'))
        reject(new Error('no switch of protocols'));
      resolve(got.subarray(end + END_OF_HEAD.length));
    };
    socket.on('data', take);
    socket.once('close', () => reject(new Error('closed before it was open')));
  });
}

/** Tells of every message; a message is in one frame. */
function createReader(socket: Socket, raw: RawSocket): (chunk: Buffer) => void {
  let held: Buffer | null = null;
  return (chunk) => {
    let bytes = held === null ? chunk : Buffer.concat([held, chunk]);
    for (;;) {
      const end = endOf(bytes);
      if (end === null) break;
      const kind = (bytes[0] ?? 0) & 0xf;
      const frame = bytes.subarray(0, end);
      bytes = bytes.subarray(end);
      if (kind === PING) socket.write(pongOf(frame));
      else if (kind === CLOSE) socket.destroy();
      else raw.onMessage();
    }
    held = bytes.length === 0 ? null : bytes;
  };
}

/** Where the first frame ends; null while it is not all there. */
function endOf(bytes: Buffer): number | null {
  if (bytes.length < 2) return null;
  const short = (bytes[1] ?? 0) & 0x7f;
  const head = short < 126 ? 2 : short === 126 ? 4 : 10;
  if (bytes.length < head) return null;
  const length =
    short < 126 ? short : short === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  return bytes.length < head + length ? null : head + length;
}

function pongOf(ping: Buffer): Buffer {
  const payload = ping.subarray(2);
  return Buffer.concat([Buffer.from([0x8a, MASKED | payload.length, 0, 0, 0, 0]), payload]);
}
