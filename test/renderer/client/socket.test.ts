import { afterEach, describe, expect, it } from 'vitest';
import type { Push } from '../../../src/shared/contract/envelope.ts';
import { SOCKET_VERSION } from '../../../src/shared/contract/greeting.ts';
import type { Recorded } from '../../../src/shared/events/vocabulary.ts';
import {
  createSocketTransport,
  retryDelayMs,
  type SocketOptions,
} from '../../../src/renderer/client/socket.ts';
import type { ConnectionStatus, Transport } from '../../../src/renderer/client/transport.ts';
import { type ConsoleServer, startConsole } from './consoleServer.ts';

const DESCRIBED = {
  version: '1',
  host: 'browser',
  seat: 'seat-1',
  role: 'owner',
  data_folder: '/d',
  agent_model: null,
  cut_chars: null,
  expert_model: null,
  notices: [],
} as const;

const open: { close: () => unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close();
});

async function serve(options: { token?: string; port?: number } = {}): Promise<ConsoleServer> {
  const server = await startConsole(options);
  open.push(server);
  return server;
}

function connect(server: { origin: string }, options: Partial<SocketOptions> = {}): Transport {
  const transport = createSocketTransport({
    origin: server.origin,
    token: 'good',
    seat: 'seat-1',
    edges: { random: () => 0 },
    ...options,
  });
  open.push(transport);
  return transport;
}

const reached = (transport: Transport, state: ConnectionStatus['state']): Promise<ConnectionStatus> =>
  new Promise((resolve) => {
    if (transport.status().state === state) resolve(transport.status());
    transport.onStatus((status) => {
      if (status.state === state) resolve(status);
    });
  });

const stopAsked = (n: number): Recorded => ({
  seq: n,
  stream: 'e1',
  n,
  at: n,
  actor: { type: 'human', id: 'seat-1' },
  event: { kind: 'stop.requested', reason: null },
});

const pushOf = (...ns: number[]): Push => ({
  topic: 'episode',
  episode: 'e1',
  events: ns.map(stopAsked),
  is_caught_up: true,
});

describe('a call', () => {
  it('fails with the code, the reason and the next step main gave', async () => {
    const server = await serve();
    const transport = connect(server);

    const described = transport.call('app.describe', {});
    const { id } = await server.hear((message) => message.type === 'request');
    server.send({
      type: 'failure',
      id,
      failure: { code: 'not_found', message: 'gone', next: 'look elsewhere' },
    });

    await expect(described).rejects.toMatchObject({
      code: 'not_found',
      message: 'gone',
      next: 'look elsewhere',
    });
  });

  it('fails as closed when the line drops before the answer: it may have been carried out', async () => {
    const server = await serve();
    const transport = connect(server);

    const described = transport.call('app.describe', {});
    await server.hear((message) => message.type === 'request');
    server.cut();

    await expect(described).rejects.toMatchObject({ code: 'closed' });
  });

  it('that was never sent waits for the line and is sent once', async () => {
    const server = await serve();
    const transport = connect(server);
    await reached(transport, 'open');
    server.cut();
    await reached(transport, 'closed');

    const described = transport.call('app.describe', {});
    const { id, connection } = await server.hear((message) => message.type === 'request');
    server.send({ type: 'value', id, value: DESCRIBED });

    expect(await described).toEqual(DESCRIBED);
    expect(connection).toBe(2);
    expect(server.said.filter((message) => message.type === 'request')).toHaveLength(1);
  });

  it('fails at once when the console is closed', async () => {
    const server = await serve();
    const transport = connect(server);
    const described = transport.call('app.describe', {});

    transport.close();

    await expect(described).rejects.toMatchObject({ code: 'closed' });
  });
});

describe('a subscription', () => {
  it('goes on after a lost line from the last event it has', async () => {
    const server = await serve();
    const transport = connect(server);
    const heard: Push[] = [];
    transport.subscribe({ topic: 'episode', episode: 'e1', after: 0 }, (push) => heard.push(push));
    const { id } = await server.hear((message) => message.type === 'subscribe');
    server.send({ type: 'push', id, push: pushOf(1, 2, 3) });
    await until(() => heard.length === 1);

    server.cut();
    const again = await server.hear((message) => message.type === 'subscribe' && message.connection === 2);

    expect(again).toMatchObject({ topic: { topic: 'episode', episode: 'e1', after: 3 } });
    expect(heard.at(-1)).toEqual({ topic: 'refetch' });
  });

  it('asks again from the last event when main says that it was too slow', async () => {
    const server = await serve();
    const transport = connect(server);
    transport.subscribe({ topic: 'episode', episode: 'e1', after: 0 }, () => undefined);
    const { id } = await server.hear((message) => message.type === 'subscribe');
    server.send({ type: 'push', id, push: pushOf(1, 2) });

    server.send({ type: 'push', id, push: { topic: 'refetch' } });
    await server.hear((message) => message.type === 'unsubscribe' && message.id === id);
    const again = await server.hear((message) => message.type === 'subscribe' && message.id !== id);

    expect(again).toMatchObject({ topic: { after: 2 } });
  });

  it('ends at the server when the view goes away, and hears nothing more', async () => {
    const server = await serve();
    const transport = connect(server);
    const heard: Push[] = [];
    const end = transport.subscribe({ topic: 'desk' }, (push) => heard.push(push));
    const { id } = await server.hear((message) => message.type === 'subscribe');

    end();
    await server.hear((message) => message.type === 'unsubscribe' && message.id === id);
    server.send({ type: 'push', id, push: { topic: 'desk', total: 1, items: [], holds: [], seats: [] } });
    await roundTrip(transport, server);

    expect(heard).toEqual([]);
  });

  it('tells why there will be no news', async () => {
    const server = await serve();
    const transport = connect(server);
    const failed = new Promise((resolve) => {
      transport.subscribe({ topic: 'desk' }, () => undefined, resolve);
    });
    const { id } = await server.hear((message) => message.type === 'subscribe');

    server.send({ type: 'failure', id, failure: { code: 'not_found', message: 'gone', next: null } });

    expect(await failed).toEqual({ code: 'not_found', message: 'gone', next: null });
  });
});

describe('the line', () => {
  it('survives a frame that is no message at all', async () => {
    const server = await serve();
    const transport = connect(server);
    await reached(transport, 'open');

    server.send('not json');
    server.send('{"type":"value"}');

    await expect(roundTrip(transport, server)).resolves.toBeUndefined();
  });

  it('says its version before anything that is asked the moment it opens', async () => {
    const server = await serve();
    const transport = connect(server);
    transport.onStatus(({ state }) => {
      if (state === 'open') transport.call('app.describe', {}).catch(() => undefined);
    });

    expect(await server.hear(() => true)).toMatchObject({ type: 'hello' });
  });

  it('gives up on a server of another version, and says both', async () => {
    const server = await serve();
    const transport = connect(server);
    expect(await server.hear(() => true)).toMatchObject({ type: 'hello', version: SOCKET_VERSION });
    server.dismiss(4426, 'It speaks 2, you speak 1.');

    expect(await reached(transport, 'refused')).toEqual({
      state: 'refused',
      reason: 'version',
      why: 'It speaks 2, you speak 1.',
    });
  });

  it('says why a server that is full turns it away, and waits longer each time', async () => {
    const server = await serve();
    const transport = connect(server);
    const closed: ConnectionStatus[] = [];
    transport.onStatus((status) => {
      if (status.state === 'open') server.dismiss(1013, '12 consoles are open already');
      if (status.state === 'closed') closed.push(status);
    });

    await until(() => closed.length >= 3);

    expect(closed).toMatchObject([
      { attempt: 1, why: '12 consoles are open already' },
      { attempt: 2 },
      { attempt: 3, why: '12 consoles are open already' },
    ]);
  });

  it('takes a server that is away for away, not for a refused token', async () => {
    const gone = await startConsole();
    await gone.close();
    const transport = connect(gone);
    const seen: string[] = [];
    transport.onStatus(({ state }) => seen.push(state));

    await until(() => seen.length >= 3);

    expect(new Set(seen)).toEqual(new Set(['closed']));
  });

  it('waits longer each time, never longer than ten seconds, and not all consoles at the same moment', () => {
    expect([1, 2, 3].map((attempt) => retryDelayMs(attempt, 1))).toEqual([250, 500, 1000]);
    expect(retryDelayMs(1, 0)).toBe(125);
    expect(retryDelayMs(50, 1)).toBe(10_000);
  });
});

/** One call there and back: everything sent before it has arrived. */
async function roundTrip(transport: Transport, server: ConsoleServer): Promise<void> {
  const described = transport.call('app.describe', {});
  const { id } = await server.hear((message) => message.type === 'request');
  server.send({ type: 'value', id, value: DESCRIBED });
  await described;
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 5));
}
