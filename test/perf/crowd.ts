// Thousands of clients that misbehave, all at once, beside a few that play on: what the few notice, what is lost, what
// memory is left. Loopback only; bounded in number, in bytes and in time.
import { mkdtempSync } from 'node:fs';
import { request } from 'node:http';
import { connect as connectTcp, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import WebSocket from 'ws';
import { median, ms } from './figures.ts';
import { load } from './load.ts';
import { start, type Program } from './processes.ts';
import { seededRandom } from '../../src/shared/statistics/random.ts';

const CONNECTIONS = 2_400;
const FLOODERS = 24;
const FLOOD_FRAMES = 2_000;
const BIG = 20 << 20;
const BIG_BODIES = 6;
const ROUNDS = 3;
const GOOD = { connections: 8, perSecond: 200, seconds: 3 };
/** Sockets that are opened at a time: a machine's queue of new connections is short. */
const AT_ONCE = 100;

type Main = Program<{ url: string }>;
type Crowd = { refused: number; end: () => Promise<void> };

/** Says what a crowd costs the others; throws when an event of theirs is lost. */
export async function measureCrowd(say: (what: string, figure: string) => void): Promise<void> {
  const world = await start<{ url: string }>('tapWorld.ts');
  const main: Main = await start('tapMain.ts', [
    world.first.url,
    mkdtempSync(join(tmpdir(), 'interject-perf-crowd-')),
  ]);
  const { url } = main.first;
  try {
    await load(url, GOOD);
    const before = await settled(main);
    const quiet: number[] = [];
    const crowded: number[] = [];
    let made = 0;
    let refused = 0;
    let peakMb = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const alone = await load(url, GOOD);
      const crowd = await gather(url, round + 1);
      const among = await load(url, GOOD);
      peakMb = Math.max(peakMb, (await main.ask('figures'))['tapMb'] ?? 0);
      await crowd.end();
      quiet.push(median(alone.took));
      crowded.push(median(among.took));
      made += alone.all + among.all;
      refused += crowd.refused;
    }
    const after = await settled(main);
    const recorded = (after['steps'] ?? 0) - (before['steps'] ?? 0);
    // An answer may be recorded whose client left in the same moment.
    const lost = Math.max(0, made - recorded);
    const ratio = median(crowded.map((value, i) => value / (quiet[i] ?? value)));
    const total = CONNECTIONS.toLocaleString('en');
    say(
      `a step of 8 others while ${total} clients misbehave: alone, among them, ratio (middle of ${String(ROUNDS)})`,
      `${ms(median(quiet))}, ${ms(median(crowded))}, ${ratio.toFixed(1)} x`,
    );
    say(
      '  steps of the others made, recorded, lost; wrong keys refused',
      [made, recorded, lost, refused].map((count) => count.toLocaleString('en')).join(', '),
    );
    say(
      '  memory of the tap before, among them, after',
      `${[before['tapMb'], peakMb, after['tapMb']].map((mb) => String(mb ?? 0)).join(', ')} MB`,
    );
    if (lost !== 0 || (after['lostFrames'] ?? 0) + (after['lost'] ?? 0) !== 0) {
      throw new Error(`${String(lost)} steps of clients that behave were lost`);
    }
  } finally {
    await main.end();
    await world.end();
  }
}

/** Once nothing waits to be written, and the tap has had a moment to give memory back. */
async function settled(main: Main): Promise<Record<string, number>> {
  await wait(2_000);
  const until = performance.now() + 60_000;
  for (;;) {
    const now = await main.ask('figures');
    if ((now['backlog'] ?? 0) === 0 || performance.now() > until) return now;
    await wait(50);
  }
}

/** All of them are there, and at it, when this resolves. */
async function gather(url: string, seed: number): Promise<Crowd> {
  const next = seededRandom(seed);
  const sockets: Socket[] = [];
  const flooders: WebSocket[] = [];
  let refused = 0;
  const { port, pathname } = new URL(url);
  const open = async (i: number): Promise<void> => {
    const socket = await tcp(Number(port));
    sockets.push(socket);
    socket.on('data', (data: Buffer) => {
      if (data.includes(' 401 ')) refused += 1;
    });
    socket.write(opening(i % 6, pathname, next));
  };
  for (let i = 0; i < CONNECTIONS; i += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, (_, j) => open(i + j)));
  }
  for (let i = 0; i < FLOODERS; i += 1) flooders.push(await flooder(url));
  const bodies = Promise.all(Array.from({ length: BIG_BODIES }, () => bigBody(`${url}/mcp`)));
  return {
    get refused() {
      return refused;
    },
    end: async () => {
      for (const socket of sockets) socket.destroy();
      for (const socket of flooders) socket.terminate();
      await bodies;
    },
  };
}

const tcp = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connectTcp(port, '127.0.0.1', () => {
      socket.off('error', reject);
      socket.on('error', () => undefined);
      resolve(socket);
    });
    socket.once('error', reject);
  });

const handshake = (path: string): string =>
  `GET ${path}/ws HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`;

/** What a client of each kind begins with. */
function opening(kind: number, path: string, next: () => number): Buffer {
  const noise = Buffer.from(Array.from({ length: 200 }, () => Math.floor(next() * 256)));
  const whole = Buffer.from(handshake(path));
  switch (kind) {
    case 0:
      // Half a frame: more is announced than ever comes.
      return Buffer.concat([whole, Buffer.from([0x81, 0xfe, 0x10, 0x00, 1, 2, 3, 4, 5])]);
    case 1:
      return Buffer.concat([whole, noise]);
    case 2:
      return whole.subarray(0, Math.floor(next() * whole.length));
    case 3:
      return Buffer.from(handshake(`/t/wrong-${String(next())}`));
    case 4:
      return noise;
    default:
      // There, and silent.
      return whole;
  }
}

/** Asks without end and never reads an answer. */
async function flooder(url: string): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, { perMessageDeflate: false });
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.once('open', resolve));
  socket.pause();
  for (let i = 0; i < FLOOD_FRAMES; i += 1) socket.send('{"type":"step","data":{"type":"list_tools"}}');
  return socket;
}

/** Resolves with the status, or 0 when the connection was cut. */
const bigBody = (url: string): Promise<number> =>
  new Promise((resolve) => {
    const outgoing = request(url, { method: 'POST', timeout: 20_000 }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    outgoing.on('timeout', () => outgoing.destroy());
    outgoing.on('error', () => resolve(0));
    outgoing.end(Buffer.alloc(BIG, 0x20));
  });

if (process.argv[1] === import.meta.filename) {
  await measureCrowd((what, figure) => console.log(`${what.padEnd(96)} ${figure}`));
}
