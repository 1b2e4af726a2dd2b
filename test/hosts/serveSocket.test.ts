// What two seats at the desk are told over real sockets, compared with what was there to tell.
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { serveSocket } from '../../src/main/hosts/serveSocket.ts';
import type { App } from '../../src/main/app/types.ts';
import { createSocketReader } from '../../src/renderer/client/socket.ts';
import type { DeskPush, Push } from '../../src/shared/contract/envelope.ts';
import { SOCKET_VERSION } from '../../src/shared/contract/greeting.ts';
import type { DeskItem } from '../../src/shared/episode/rowShapes.ts';
import { createRandom } from '../support/dataFolder.ts';
import { deskItem } from '../support/desk.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A server of one app whose desk the test tells. */
async function serveDesk() {
  const told = new Set<(push: Push) => void>();
  const app: Pick<App, 'route' | 'subscribe'> = {
    route: () => Promise.reject(new Error('nothing is asked for')),
    subscribe: (_topic, send) => {
      told.add(send);
      return () => told.delete(send);
    },
  };
  const http = createServer();
  const sockets = new WebSocketServer({ server: http });
  sockets.on('connection', (socket) =>
    serveSocket(app, socket, { role: 'owner', seat: 'seat-one' } as Parameters<typeof serveSocket>[2], null),
  );
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  closers.push(() => {
    for (const socket of sockets.clients) socket.terminate();
    http.close();
  });
  const url = `ws://127.0.0.1:${String((http.address() as AddressInfo).port)}`;
  return { url, watchers: () => told.size, tell: (push: Push) => told.forEach((send) => send(push)) };
}

async function watch(url: string, ids: readonly number[]) {
  const socket = new WebSocket(url);
  const read = createSocketReader();
  const heard: Push[] = [];
  let bytes = 0;
  socket.on('message', (data: Buffer) => {
    bytes += data.length;
    const message = read(data.toString());
    if (message.type === 'push') heard.push(message.push);
  });
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'hello', id: 0, version: SOCKET_VERSION }));
  for (const id of ids) socket.send(JSON.stringify({ type: 'subscribe', id, topic: { topic: 'desk' } }));
  return { heard, bytes: () => bytes, close: () => socket.close() };
}

/** The next desk: some answered, some changed, some asked. */
function nextDesk(before: readonly DeskItem[], at: number, next: (below: number) => number): DeskItem[] {
  const left = before
    .filter(() => next(10) > 0)
    .map((item) => (next(7) === 0 ? { ...item, turn: at } : item));
  const asked = Array.from({ length: next(11) }, (_, n) => deskItem(`e${String(at)}-${String(n)}`));
  return [...left, ...asked].slice(0, 60);
}

it('each seat has the desk as it is, whenever it came and however often it watches', async () => {
  const served = await serveDesk();
  const next = createRandom(7);
  const first = await watch(served.url, [1]);
  await vi.waitFor(() => expect(served.watchers()).toBe(1));
  const desks: DeskPush[] = [];
  let items: DeskItem[] = [];
  const tell = (): void => {
    items = nextDesk(items, desks.length, next);
    const push: DeskPush = { topic: 'desk', total: items.length, items, holds: [], seats: [] };
    desks.push(push);
    served.tell(push);
    served.tell({ topic: 'refetch' });
  };
  for (let at = 0; at < 40; at += 1) tell();
  const late = await watch(served.url, [1, 2]);
  await vi.waitFor(() => expect(served.watchers()).toBe(3));
  for (let at = 0; at < 40; at += 1) tell();

  const told = (heard: readonly Push[]): Push[] => heard.filter(({ topic }) => topic === 'desk');
  await vi.waitFor(() => expect(told(late.heard)).toHaveLength(80));
  await vi.waitFor(() => expect(told(first.heard)).toHaveLength(80));
  expect(told(first.heard)).toEqual(desks);
  expect(told(late.heard)).toEqual(desks.slice(40).flatMap((desk) => [desk, desk]));
});

it('a desk of which one line changed is told in a fraction of its length', async () => {
  const served = await serveDesk();
  const seat = await watch(served.url, [1]);
  await vi.waitFor(() => expect(served.watchers()).toBe(1));
  const items = Array.from({ length: 200 }, (_, at) => deskItem(`e${String(at)}`));
  served.tell({ topic: 'desk', total: 200, items, holds: [], seats: [] });
  await vi.waitFor(() => expect(seat.heard).toHaveLength(1));
  const whole = seat.bytes();
  const changed = items.with(100, deskItem('e100', { turn: 2 }));
  served.tell({ topic: 'desk', total: 200, items: changed, holds: [], seats: [] });

  await vi.waitFor(() => expect(seat.heard).toHaveLength(2));
  expect(seat.heard[1]).toMatchObject({ items: changed });
  expect(seat.bytes() - whole).toBeLessThan(whole / 20);
});

const request = { type: 'request', id: 4, method: 'app.describe', input: {} };
const speaks = (version: number) => ({ type: 'hello', id: 4, version });
it.each([
  [
    'that speaks a later version',
    speaks(SOCKET_VERSION + 1),
    `speaks version ${String(SOCKET_VERSION + 1)} of`,
  ],
  ['that speaks an earlier version', speaks(0), 'speaks version 0 of'],
  ['of a time before versions', request, 'does not say which version'],
])(
  'refuses a page or script %s, says both and what to do, and carries nothing out',
  async (_, first, theirs) => {
    const served = await serveDesk();
    const socket = new WebSocket(served.url);
    const heard: unknown[] = [];
    socket.on('message', (data: Buffer) => heard.push(JSON.parse(data.toString())));
    await once(socket, 'open');

    for (const message of [first, { type: 'subscribe', id: 5, topic: { topic: 'desk' } }])
      socket.send(JSON.stringify(message));

    const [code] = (await once(socket, 'close')) as [number];
    expect(code).toBe(4426);
    expect(served.watchers()).toBe(0);
    expect(heard).toEqual([
      {
        type: 'failure',
        id: 4,
        failure: {
          code: 'stale',
          message: expect.stringMatching(
            `${theirs}.*this Interject speaks version ${String(SOCKET_VERSION)}`,
          ),
          next: expect.stringContaining('Reload the page'),
        },
      },
    ]);
  },
);
