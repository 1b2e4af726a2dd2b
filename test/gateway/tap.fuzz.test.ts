import { connect as connectTcp, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Served, serveWorlds } from '../support/worlds.ts';
import { connect, openTap, TOKEN, type Client, type OpenTap } from '../support/tap.ts';
import { seededRandom } from '../../src/shared/statistics/random.ts';

let worlds: Served;
let tapped: OpenTap;
let good: Client;
/** How many calls the well-behaved client has made. */
let calls = 0;
beforeAll(async () => {
  worlds = await serveWorlds();
  tapped = await openTap(worlds.url);
  good = await connect(tapped.url);
  await good.reset();
});
afterAll(async () => {
  await tapped.close();
  await worlds.close();
});

/** The well-behaved client's own steps: every one answered. How fast is measured by `npm run perf`. */
async function play(count: number): Promise<void> {
  for (let i = 0; i < count; i += 1) {
    const { data } = await good.call('list_workspaces');
    calls += 1;
    expect(data.observation['reward_type']).toBe('tool_call_ok');
  }
}

const port = (): number => Number(new URL(tapped.url).port);
const tcp = (): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connectTcp(port(), '127.0.0.1', () => resolve(socket));
    socket.on('error', reject);
  });
const HANDSHAKE = `GET /t/${TOKEN}/ws HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`;

describe('clients that misbehave', () => {
  it('with half frames, noise and broken handshakes leave the others as they were', async () => {
    const next = seededRandom(7);
    const noise = (length: number): Buffer =>
      Buffer.from(Array.from({ length }, () => Math.floor(next() * 256)));
    const sockets: Socket[] = [];
    for (let i = 0; i < 60; i += 1) {
      const socket = await tcp();
      socket.on('error', () => undefined);
      sockets.push(socket);
      if (i % 4 === 0) socket.write(noise(300));
      if (i % 4 === 1) socket.write(HANDSHAKE.slice(0, Math.floor(next() * HANDSHAKE.length)));
      if (i % 4 >= 2) {
        socket.write(HANDSHAKE);
        // A frame that announces more than it brings, or nothing that is a frame at all.
        socket.write(i % 4 === 2 ? Buffer.from([0x81, 0xfe, 0x10, 0x00, 1, 2, 3, 4, 5]) : noise(200));
      }
    }
    await play(20);
    for (const socket of sockets) socket.destroy();
    await play(5);
  });

  it('with frames of any text are answered by the environment, and recorded as what they are', async () => {
    const next = seededRandom(11);
    const odd = [
      '{"type":"reset"}',
      '{"type":"reset","data":{"interject_run":{"a":[1]},"interject_step":"x","llm_api_key":5}}',
      '{"type":"reset","data":{"scenario":"loomline_workflows","task_idx":0,"task_idx":1,"interject_run":"r"}}',
      '{"type":"step","data":{"type":"call_tool","tool_name":"verify","arguments":[]}}',
      '{"type":"step","data":{"type":"call_tool","tool_name":5}}',
      `{"type":"step","data":{"type":"call_tool","tool_name":"x","arguments":{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}}}`,
      `{"type":"reset","data":{"interject_run":${'['.repeat(20_000)}`,
      `${'{"data":'.repeat(3_000)}1${'}'.repeat(3_000)}`,
      '"reset"',
      'null',
      '',
      '\u0000',
      '{"type":"step","data":{"type":"call_tool","tool_name":"\ud800","arguments":{"\u2028":"\udfff"}}}',
    ];
    for (let i = 0; i < 60; i += 1) {
      const client = await connect(tapped.url);
      const frame = odd[i % odd.length] ?? '';
      const cut = i < odd.length ? frame : frame.slice(0, Math.floor(next() * frame.length));
      const answer = await client.raw(cut);
      expect(JSON.parse(answer)).toHaveProperty('type');
      client.socket.terminate();
    }
    await play(5);
    expect(tapped.reported.map(String)).toEqual([]);
  });

  it('with wrong tokens get nothing, however often they try', async () => {
    const tries = Array.from({ length: 200 }, (_, i) =>
      connect(tapped.tap.url, `/t/wrong-${String(i)}/ws`).then(
        () => 'open',
        (thrown: Error) => thrown.message,
      ),
    );
    await play(20);
    expect(new Set(await Promise.all(tries))).toEqual(new Set(['Unexpected server response: 401']));
  });

  it('with 20 MB bodies and frames are told the limit', async () => {
    const big = Buffer.alloc(20 << 20, 0x20);
    const status = await fetch(`${tapped.url}/mcp`, { method: 'POST', body: big }).then(
      (response) => response.status,
      () => 413,
    );
    const client = await connect(tapped.url);
    client.socket.send(big);
    await play(10);

    expect(status).toBe(413);
    expect((await client.closed).code).toBe(1009);
  });

  it('that flood and never read are held up, not the others', async () => {
    const flooders = await Promise.all(Array.from({ length: 4 }, () => connect(tapped.url)));
    for (const { socket } of flooders) socket.pause();
    const frame = `{"type":"step","data":{"type":"list_tools"}}`;
    for (const { socket } of flooders) for (let i = 0; i < 4_000; i += 1) socket.send(frame);
    await play(40);
    for (const { socket } of flooders) socket.terminate();
  });

  it('by the hundred come and go, and every episode of theirs ends in the log', async () => {
    const all = await Promise.all(
      Array.from({ length: 300 }, async (_, i) => {
        const client = await connect(tapped.url);
        await client.say({ type: 'state' });
        if (i % 3 === 0) client.socket.terminate();
        else client.socket.close(1000);
        return client.closed;
      }),
    );
    expect(all).toHaveLength(300);
    const open = (): number => tapped.log.projections.open().length;
    await expect.poll(open).toBe(1);
    await play(5);
  });

  it('have cost the well-behaved one nothing: each of its calls is in the log, in order', async () => {
    const id = tapped.log.projections.open()[0] ?? '';
    const record = await tapped.until(
      id,
      ({ turns }) => turns.length === calls && turns.at(-1)?.call?.returned,
    );

    expect(record.turns.map(({ turn }) => turn)).toEqual(Array.from({ length: calls }, (_, i) => i + 1));
    expect(record.counts.lostFrames).toBe(0);
    expect(tapped.tap.lost()).toBe(0);
  });
});
