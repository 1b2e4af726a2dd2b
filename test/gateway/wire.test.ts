import { createServer, type Server } from 'node:http';
import { connect as connectTcp, type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import WebSocket, { WebSocketServer } from 'ws';
import {
  acceptClient,
  handshakeProblem,
  OpCode,
  openWire,
  webSocketFrame,
  type WebSocketMessage,
  type Wire,
} from '../../src/main/gateway/tap/child/wire.ts';

const MAX = 1 << 20;
type Heard = { wire: Wire; messages: WebSocketMessage[]; closed: Promise<{ code: number; reason: string }> };

/** Listens and keeps what comes, as copies: a payload belongs to its reader only while it is told. */
function hear(wire: Wire): Heard {
  const messages: WebSocketMessage[] = [];
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    wire.listen({
      message: (message) => messages.push({ ...message, payload: Buffer.from(message.payload) }),
      closed: (code, reason) => resolve({ code, reason }),
    });
  });
  return { wire, messages, closed };
}

let server: Server;
let accepted: Promise<Heard>;
beforeEach(async () => {
  server = createServer();
  accepted = new Promise((resolve) => {
    server.on('upgrade', (request, socket, head) => {
      const problem = handshakeProblem(request);
      if (problem !== null) return void socket.end(`HTTP/1.1 ${String(problem)} No\r\n\r\n`);
      resolve(hear(acceptClient(request, socket, head, MAX)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});
const port = (): number => (server.address() as AddressInfo).port;
const HANDSHAKE = `GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`;

async function rawClient(): Promise<Socket> {
  const socket = connectTcp(port(), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(HANDSHAKE);
  await new Promise((resolve) => socket.once('data', resolve));
  return socket;
}
async function libraryClient(): Promise<WebSocket> {
  const client = new WebSocket(`ws://127.0.0.1:${String(port())}`);
  client.on('error', () => undefined);
  await new Promise((resolve) => client.once('open', resolve));
  return client;
}

/** A client's frame with a key that is not zero. */
function masked(opCode: number, text: string, isFinal = true): Buffer {
  const key = [7, 0, 255, 90];
  const frame = webSocketFrame(opCode, Buffer.from(text), true);
  const start = frame.length - Buffer.byteLength(text);
  for (let at = start; at < frame.length; at += 1) {
    frame[at] = (frame[at] ?? 0) ^ (key[(at - start) & 3] ?? 0);
  }
  frame.set(key, start - 4);
  if (!isFinal) frame[0] = opCode;
  return frame;
}

describe('what a client sends', () => {
  it.each([0, 1, 125, 126, 511, 512, 513, 65_535, 65_536, 300_001])(
    'arrives as it was written, %i bytes of it, and goes on as a frame any server reads',
    async (length) => {
      const text = Array.from({ length }, (_, i) => String.fromCodePoint(97 + (i % 26))).join('');
      const client = await libraryClient();
      client.send('first');
      client.send(text, { binary: length % 2 === 1 });
      const { messages } = await accepted;
      await expect.poll(() => messages.length).toBe(2);

      const [, message] = messages;
      expect(message?.payload.toString()).toBe(text);
      expect(message?.isBinary).toBe(length % 2 === 1);
      expect(message?.frame?.equals(webSocketFrame(message.isBinary ? 2 : 1, message.payload, true))).toBe(
        true,
      );
      client.terminate();
    },
  );

  it('may be cut anywhere on its way', async () => {
    const client = await rawClient();
    const { messages } = await accepted;
    const bytes = Buffer.concat([
      masked(OpCode.text, 'one'),
      masked(OpCode.ping, 'are you there'),
      masked(OpCode.text, 'x'.repeat(300)),
    ]);
    for (const byte of bytes) {
      client.write(Buffer.from([byte]));
      if (byte % 5 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await expect.poll(() => messages.map(({ payload }) => payload.length)).toEqual([3, 300]);
    client.destroy();
  });

  it('may come in pieces, with a ping between them, and is one message', async () => {
    const client = await rawClient();
    const { messages } = await accepted;
    const back: Buffer[] = [];
    client.on('data', (data: Buffer) => back.push(data));
    client.write(
      Buffer.concat([
        masked(OpCode.text, '{"a":', false),
        masked(OpCode.ping, 'p'),
        masked(OpCode.continuation, '', false),
        masked(OpCode.continuation, '1}'),
        masked(OpCode.text, 'next'),
      ]),
    );
    await expect.poll(() => messages.map(({ payload }) => payload.toString())).toEqual(['{"a":1}', 'next']);

    expect(messages[0]?.frame).toBeNull();
    expect(Buffer.concat(back).equals(webSocketFrame(OpCode.pong, Buffer.from('p'), false))).toBe(true);
    client.destroy();
  });

  it.each([
    ['is not masked', webSocketFrame(OpCode.text, Buffer.from('x'), false), 1002],
    ['has reserved bits', Buffer.from([0xc1, 0x80, 0, 0, 0, 0]), 1002],
    ['is of no known operation', Buffer.from([0x83, 0x80, 0, 0, 0, 0]), 1002],
    ['continues nothing', masked(OpCode.continuation, 'x'), 1002],
    ['begins a message within one', Buffer.concat([masked(1, 'a', false), masked(1, 'b')]), 1002],
    ['is a control frame in pieces', masked(OpCode.ping, 'x', false), 1002],
    ['closes with a code that nobody may send', masked(OpCode.close, '\u0003\u00ed'), 1002],
    ['announces more than is taken', Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 0x20, 0, 0]), 1009],
    ['announces more than there is', Buffer.from([0x81, 0xff, 255, 255, 255, 255, 255, 255, 255, 255]), 1009],
  ])('is refused with its code where a frame %s', async (_, bytes, code) => {
    const client = await rawClient();
    const back: Buffer[] = [];
    client.on('data', (data: Buffer) => back.push(data));
    client.write(bytes);
    await expect.poll(() => Buffer.concat(back).length).toBeGreaterThan(4);
    client.end();

    expect(Buffer.concat(back).readUInt16BE(2)).toBe(code);
    expect((await (await accepted).closed).code).toBe(1006);
  });

  it('in pieces is bounded as a whole', async () => {
    const client = await rawClient();
    const back: Buffer[] = [];
    client.on('data', (data: Buffer) => back.push(data));
    client.write(masked(OpCode.text, 'x'.repeat(MAX - 1), false));
    client.write(masked(OpCode.continuation, 'yz'));
    await expect.poll(() => Buffer.concat(back).length).toBeGreaterThan(4);

    expect(Buffer.concat(back).readUInt16BE(2)).toBe(1009);
    client.destroy();
  });
});

describe('an end', () => {
  it('is told with the code and the reason of the client', async () => {
    const client = await libraryClient();
    client.close(3001, 'enough');
    expect(await (await accepted).closed).toEqual({ code: 3001, reason: 'enough' });
  });

  it('without a code is told as one without a code, and a cut as a cut', async () => {
    const client = await libraryClient();
    client.close();
    expect((await (await accepted).closed).code).toBe(1005);
  });

  it('that is a cut is told as a cut', async () => {
    const client = await libraryClient();
    const { closed } = await accepted;
    client.terminate();
    expect((await closed).code).toBe(1006);
  });

  it('of ours reaches the client with its code, though it is not being read', async () => {
    const client = await libraryClient();
    const { wire, closed } = await accepted;
    const heard = new Promise((resolve) => client.on('close', (code) => resolve(code)));
    wire.pause();
    wire.close(1008, 'the key was revoked');

    expect(await heard).toBe(1008);
    expect((await closed).code).toBe(1008);
    expect(wire.isOpen()).toBe(false);
  });
});

describe('a handshake', () => {
  it.each([
    ['no key', HANDSHAKE.replace(/Sec-WebSocket-Key.*\r\n/, ''), '400'],
    ['a key that is none', HANDSHAKE.replace('dGhlIHNhbXBsZSBub25jZQ==', 'short'), '400'],
    ['another version', HANDSHAKE.replace('Version: 13', 'Version: 12'), '426'],
    ['another method', HANDSHAKE.replace('GET', 'PUT'), '405'],
  ])('with %s is refused', async (_, text, status) => {
    const client = connectTcp(port(), '127.0.0.1');
    const said = new Promise<Buffer>((resolve) => client.once('data', resolve));
    client.write(text);
    expect((await said).toString()).toContain(` ${status} `);
    client.destroy();
  });

  it('gives the first protocol that the client names', async () => {
    const client = new WebSocket(`ws://127.0.0.1:${String(port())}`, ['one', 'two']);
    await new Promise((resolve) => client.once('open', resolve));
    expect(client.protocol).toBe('one');
    client.terminate();
  });
});

describe('an environment', () => {
  const options = { timeoutMs: 2_000, max: MAX };

  it('may speak at once: nothing is lost before somebody listens', async () => {
    const environment = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    const sent = new Promise<void>((resolve) => {
      environment.on('connection', (socket) => {
        socket.send('full');
        socket.close(1013, 'later');
        // Behind what is still being written.
        socket.ping('', undefined, () => resolve());
      });
    });
    await new Promise((resolve) => environment.once('listening', resolve));
    const { port: at } = environment.address() as AddressInfo;
    const opened = await openWire(`http://127.0.0.1:${String(at)}/ws`, options);
    if ('status' in opened) throw new Error(String(opened.status));
    await sent;
    const { messages, closed } = hear(opened.wire);

    expect(await closed).toEqual({ code: 1013, reason: 'later' });
    expect(messages.map(({ payload }) => payload.toString())).toEqual(['full']);
    environment.close();
  });

  it('that compresses though nobody offered it, refuses, or is not there, is told apart from one that opens', async () => {
    server.removeAllListeners('upgrade');
    server.on('upgrade', (_, socket) => socket.end('HTTP/1.1 503 Full\r\nContent-Length: 0\r\n\r\n'));
    const address = `http://127.0.0.1:${String(port())}/ws`;
    expect(await openWire(address, options)).toEqual({
      status: 503,
      why: 'does not let the tap in: it answers 503',
    });
    server.removeAllListeners('upgrade');
    server.on('upgrade', (_, socket) =>
      socket.write(
        'HTTP/1.1 101 Yes\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: x\r\n\r\n',
      ),
    );
    const why = 'does not open a WebSocket as the protocol says';
    expect(await openWire(address, options)).toEqual({ status: 502, why });
    expect(await openWire('http://127.0.0.1:9/ws', options)).toEqual({
      status: 502,
      why: 'cannot be reached: connect ECONNREFUSED 127.0.0.1:9',
    });
  });
});
