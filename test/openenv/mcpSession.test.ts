// The server answers as the real one does: see test/peers/mcp.test.ts, where the real one is asked both ways.
import { afterEach, describe, expect, it } from 'vitest';
import { readAddress } from '../../src/main/openenv/address.ts';
import { openSession, type OpenOptions } from '../../src/main/openenv/openSession.ts';
import { errorText, resultText, type OpenEnvSession } from '../../src/main/openenv/session.ts';
import { USUAL_CONNECTION, type Transport } from '../../src/shared/serverConnection.ts';
import {
  openToolServer,
  socketAnswer,
  type ToolServer,
  type ToolServerOptions,
} from '../support/toolServer.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function serve(options: ToolServerOptions = {}): Promise<ToolServer> {
  const server = await openToolServer(options);
  closers.push(server.close);
  return server;
}
async function open(
  { url }: ToolServer,
  transport: Transport = 'auto',
  timeouts: OpenOptions['timeouts'] = {},
): Promise<OpenEnvSession> {
  const session = await openSession(readAddress(url, { ...USUAL_CONNECTION, transport }), { timeouts });
  closers.push(() => session.close());
  return session;
}

const answers = async (session: OpenEnvSession) => {
  await session.reset({});
  const said = await session.callTool('echo', { message: 'hi' });
  const unknown = await session.callTool('nope', {});
  return {
    tools: (await session.listTools()).tools.map(({ name, description, input_schema }) => [
      name,
      description,
      input_schema,
    ]),
    text: resultText(said.observation),
    error: errorText(unknown.observation),
  };
};

describe.each(['socket', 'mcp'] as const)('an answer of 9 and of 40 MiB over the %s', (transport) => {
  it('is an error with both sizes, and the session answers after it', async () => {
    const session = await open(await serve(), transport);
    await session.reset({});

    for (const size of ['9.0 MiB', '40.0 MiB']) {
      const { observation, raw, done } = await session.callTool('echo', { message: size.replace('.0', '') });
      expect(errorText(observation)).toContain(`its answer cannot be read: it has ${size} (`);
      expect(errorText(observation)).toContain('more than the 8 MiB that an answer may have');
      expect([raw.length, done]).toEqual([64 * 1024, false]);
    }

    expect(resultText((await session.callTool('echo', { message: 'still here' })).observation)).toBe(
      'still here',
    );
  });
});

it('an answer that is too large keeps the reward and the end that stand behind it', async () => {
  const long = 'x'.repeat(9 * 1024 * 1024);
  const server = await serve({
    answer: (_frame, socket) =>
      socket.send(
        JSON.stringify({
          type: 'observation',
          data: { observation: { text: long }, reward: -0.5, done: true },
        }),
      ),
  });

  const step = await (await open(server, 'socket')).callTool('echo', {});

  expect(step).toMatchObject({ reward: -0.5, done: true });
});

it('a frame of more than upstream’s client reads ends the connection, and says so', async () => {
  const server = await serve({
    answer: (_frame, socket) => socket.send(Buffer.alloc(101 * 1024 * 1024, 0x20), { binary: false }),
  });

  await expect((await open(server, 'socket')).callTool('echo', {})).rejects.toThrow(
    /sent a frame over 100 MiB/,
  );
});

describe('an environment of tools that is played over POST /mcp', () => {
  it('gives the same tools, results and errors as over its socket', async () => {
    const server = await serve();
    expect(await answers(await open(server, 'mcp'))).toEqual(await answers(await open(server, 'socket')));
  });

  it('is chosen by itself where the server has no socket, and the socket where it has one', async () => {
    const without = await open(await serve({ hasSocket: false }));
    const both = await open(await serve());
    expect([without.transport, both.transport]).toEqual(['mcp', 'socket']);
    await expect(open(await serve({ hasSocket: false }), 'socket')).rejects.toThrow(/HTTP 404, not a socket/);
  });

  it('says in the log of its reset what that road does not have', async () => {
    const session = await open(await serve({ hasSocket: false }));
    const { observation, reward, done } = await session.reset({ seed: 7 });
    expect(observation.warning).toMatch(/without a reset .*seed.* a reward and an end only where the server/);
    expect({ reward, done }).toEqual({ reward: null, done: false });
    const older = await open(await serve({ hasSocket: false, hasSessions: false }));
    expect((await older.reset({})).observation.warning).toContain('each call begins anew');
  });

  it('begins again in a new session of the server, and gives the old one back', async () => {
    const server = await serve();
    const session = await open(server, 'mcp');
    await session.reset({});
    await session.callTool('echo', { message: 'one' });
    await session.reset({});
    await session.callTool('echo', { message: 'two' });
    const called = server.requests.filter(({ method }) => method === 'tools/call');
    expect(called.map(({ params }) => params['session_id'])).toEqual(['session-1', 'session-2']);
    await server.until(() => server.requests.some(({ method }) => method === 'openenv/session/close'));
  });
});

describe('a session that nobody uses', () => {
  it.each(['socket', 'mcp'] as const)('is kept open over %s while a person thinks', async (transport) => {
    const server = await serve();
    const session = await open(server, transport, { keepMs: 5 });
    await session.reset({});
    const isPing = ({ method }: { method?: unknown }): boolean => method === 'ping';
    await server.until(
      () => server.requests.some(isPing) || server.frames.some(({ data }) => isPing(data ?? {})),
    );
    expect(resultText((await session.callTool('echo', { message: 'still here' })).observation)).toBe(
      'still here',
    );
  });

  it('and was ended by the server for that is said to be, with for how long and what to do', async () => {
    const closed = {
      error_type: 'execution_error',
      message: 'MCP client is not available; environment is closed',
    };
    const gone = { type: 'observation', data: { observation: { error: closed }, reward: null, done: false } };
    const reaped = await serve({
      answer: (frame, socket) =>
        socket.send(JSON.stringify(frame.type === 'step' ? gone : socketAnswer(frame))),
    });
    const overSocket = await open(reaped);
    await overSocket.reset({});
    const says = {
      code: 'env_closed',
      message: expect.stringMatching(/ended the session after \d+ s without a request/) as string,
      next: expect.stringContaining('session_timeout') as string,
    };
    await expect(overSocket.callTool('echo', { message: 'hi' })).rejects.toMatchObject(says);

    const server = await serve();
    const overMcp = await open(server, 'mcp');
    const heard: string[] = [];
    overMcp.onClosed(({ code }) => heard.push(code));
    server.endSessions();
    await expect(overMcp.callTool('echo', { message: 'hi' })).rejects.toMatchObject(says);
    expect(heard).toEqual(['env_closed']);
  });
});
