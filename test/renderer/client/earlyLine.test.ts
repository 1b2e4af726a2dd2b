// The line that the page opens before its scripts are there: the same door, token and seat, and nothing asked twice.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { afterEach, expect, it } from 'vitest';
import type { EarlyLine } from '../../../src/renderer/client/earlyLine.ts';
import { readEntries, readSeat } from '../../../src/renderer/client/identity.ts';
import { createSocketTransport } from '../../../src/renderer/client/socket.ts';
import { createMemoryStorage, type Storage } from '../../../src/renderer/state/kept.ts';
import { seatOfEntry, SOCKET_VERSION } from '../../../src/shared/contract/greeting.ts';
import { startConsole } from './consoleServer.ts';

const script = readFileSync(join(import.meta.dirname, '../../../src/renderer/public/early.js'), 'utf8');
const open: { close: () => unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close();
});

type Page = { hash?: string; session?: Storage; local?: Storage; host?: string; window?: object };

/** What the page's first script leaves for the console. */
function openEarly({ hash = '', session, local, host = '127.0.0.1:9', window = {} }: Page): EarlyLine | null {
  runInNewContext(script, {
    window,
    location: { hash, host, protocol: 'http:' },
    sessionStorage: session ?? createMemoryStorage(),
    localStorage: local ?? createMemoryStorage(),
    document: { documentElement: { dataset: {} } },
    crypto,
    WebSocket,
  });
  const early = (Reflect.get(window, 'interjectEarly') as EarlyLine | undefined) ?? null;
  if (early !== null) open.push(early.socket);
  return early;
}

it('has the entry and the seat that the console itself would take', () => {
  const kept = (entry: string, seat: string | null) => {
    const storage = createMemoryStorage();
    storage.setItem('interject.entry', entry);
    if (seat !== null) storage.setItem('interject.seat', seat);
    return storage;
  };
  const invited = `seat-guest.${'0'.repeat(32)}`;
  const pages: { session: Storage; local: Storage }[] = [
    { session: kept('mine', null), local: kept('theirs', 'seat-kept') },
    { session: kept('mine', null), local: kept('theirs', 'NOT A SEAT') },
    { session: createMemoryStorage(), local: kept('theirs', null) },
    { session: kept(invited, null), local: kept('theirs', 'seat-kept') },
  ];

  for (const { session, local } of pages) {
    const early = openEarly({ hash: '#/desk', session, local });
    const [entry = ''] = readEntries(null, session, local);
    const seat = seatOfEntry(entry) ?? readSeat(local, (length) => new Uint8Array(length));
    expect(early).toMatchObject({ entry, seat });
    // A token is turned into a cookie first.
    expect(openEarly({ hash: '#token=a&/desk', session, local })).toBeNull();
  }
  expect(openEarly({})).toBeNull();
  // The desktop has a line of its own.
  expect(openEarly({ local: kept('mine', null), window: { interject: {} } })).toBeNull();
});

it('is taken over with what came meanwhile, and its questions are not put again', async () => {
  const server = await startConsole();
  open.push(server);
  const host = new URL(server.origin.replace(/^ws/, 'http')).host;
  const local = createMemoryStorage();
  local.setItem('interject.entry', 'good');
  const early = openEarly({ local, host });
  const asked = await server.hear((message) => message.type === 'subscribe');
  await server.hear((message) => message.type === 'request');
  server.send({ type: 'push', id: asked.id, push: { topic: 'refetch' } });
  await expect.poll(() => early?.socket.readyState).toBe(WebSocket.OPEN);

  const transport = createSocketTransport({
    origin: server.origin,
    entry: () => 'good',
    seat: 'seat-one',
    early,
  });
  open.push(transport);
  const pushes: string[] = [];
  transport.subscribe({ topic: 'desk' }, ({ topic }) => pushes.push(topic));
  transport.subscribe({ topic: 'episodes' }, ({ topic }) => pushes.push(topic));

  // A refetch has it asked again, over the same line.
  await server.hear(({ type, id }) => type === 'unsubscribe' && id === asked.id);
  const again = await server.hear(
    (message) => message.type === 'subscribe' && message.id !== asked.id && message.topic.topic === 'desk',
  );
  expect(again.connection).toBe(asked.connection);
  expect(pushes).toEqual(['refetch']);
  expect(server.said.filter(({ connection }) => connection !== asked.connection)).toEqual([]);
  const hellos = server.said.filter(({ type }) => type === 'hello');
  expect(hellos).toEqual([expect.objectContaining({ version: SOCKET_VERSION })]);
  expect(server.said[0]).toBe(hellos[0]);
});
