import { afterEach, describe, expect, it } from 'vitest';
import { WebSocketServer, type WebSocket } from 'ws';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:http';
import { readAddress } from '../../src/main/openenv/address.ts';
import { fetchScenarios } from '../../src/main/openenv/catalog.ts';
import { openSession } from '../../src/main/openenv/openSession.ts';
import { errorText, resultLabel, resultText } from '../../src/main/openenv/session.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A server whose every reply is scripted, over a real socket. */
async function serve(onSocket: (socket: WebSocket) => void): Promise<string> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  server.on('connection', onSocket);
  closers.push(() => {
    for (const socket of server.clients) socket.terminate();
    server.close();
  });
  await new Promise((resolve) => server.once('listening', resolve));
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

const replying = (...replies: unknown[]) =>
  serve((socket) => {
    const left = [...replies];
    socket.on('message', () => {
      const reply = left.shift();
      if (reply !== undefined) socket.send(typeof reply === 'string' ? reply : JSON.stringify(reply));
    });
  });

const observation = (data: object, reward: unknown = 0, done = false) => ({
  type: 'observation',
  data: { observation: { metadata: {}, ...data }, reward, done },
});
type Session = Awaited<ReturnType<typeof openSession>>;
const code = (expected: string) => expect.objectContaining({ code: expected });

describe('addresses', () => {
  it('reads what people type: with and without scheme, path and /ws', () => {
    expect(readAddress('127.0.0.1:8899').socket).toBe('ws://127.0.0.1:8899/ws');
    expect(readAddress('https://envs.example/t/abc/').socket).toBe('wss://envs.example/t/abc/ws');
    expect(readAddress('ws://localhost:1/ws').base).toBe('http://localhost:1');
  });

  it('refuses what is no address and says how one looks', () => {
    for (const text of ['', 'ftp://x', 'http://', '::::']) {
      expect(() => readAddress(text)).toThrow(expect.objectContaining({ code: 'bad_input' }));
    }
  });
});

describe('a session', () => {
  it('asks for the tools by MCP where the server’s own action takes calls of tools and nothing else', async () => {
    const refusal = { type: 'error', data: { message: 'Invalid message', code: 'VALIDATION_ERROR' } };
    const tools = [{ name: 'a', description: null, inputSchema: { type: 'object' } }];
    const url = await replying(refusal, { type: 'mcp', data: { jsonrpc: '2.0', id: 1, result: { tools } } });
    const session = await openSession(url);

    expect((await session.listTools()).tools).toEqual([
      { name: 'a', description: '', input_schema: { type: 'object' } },
    ]);
    session.close();
  });

  it('says what the server said to the list where MCP gives none either', async () => {
    const refusal = { type: 'error', data: { message: 'Invalid message', code: 'VALIDATION_ERROR' } };
    const url = await replying(refusal, { type: 'mcp', data: { jsonrpc: '2.0', id: 1, error: { code: 1 } } });
    const session = await openSession(url);

    await expect(session.listTools()).rejects.toThrow('VALIDATION_ERROR: Invalid message');
    session.close();
  });

  it('keeps one request in flight, so that answers never cross', async () => {
    const inFlight: number[] = [];
    let open = 0;
    const url = await serve((socket) =>
      socket.on('message', (data: Buffer) => {
        open += 1;
        inFlight.push(open);
        const { data: action } = JSON.parse(data.toString()) as { data: { tool_name: string } };
        setTimeout(() => {
          open -= 1;
          socket.send(JSON.stringify(observation({ tool_result: action.tool_name })));
        }, 5);
      }),
    );
    const session = await openSession(url);

    const answers = await Promise.all(['a', 'b', 'c'].map((name) => session.callTool(name, {})));

    expect(answers.map((answer) => resultText(answer.observation))).toEqual(['a', 'b', 'c']);
    expect(Math.max(...inFlight)).toBe(1);
    session.close();
  });

  it('hands out the frame verbatim beside what was read of it', async () => {
    const raw =
      '{"type":"observation","data":{"observation":{"metadata":{}, "future":1},"reward":1.0,"done":false}}';
    const session = await openSession(await replying(raw));

    const stepped = await session.callTool('a', {});

    expect(stepped.raw).toBe(raw);
    expect(stepped.observation['future']).toBe(1);
    session.close();
  });

  it('counts a reward of true as 1, as newer servers send it', async () => {
    const session = await openSession(await replying(observation({}, true)));

    expect((await session.callTool('a', {})).reward).toBe(1);
    session.close();
  });
});

describe('what goes wrong has a name', () => {
  it('something else listens: not an OpenEnv server, with its HTTP status', async () => {
    const server = createServer((_request, response) => response.writeHead(404).end());
    closers.push(() => server.close());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;

    await expect(openSession(url)).rejects.toThrow(code('env_not_openenv'));
  });

  it('an error frame: the server’s code and words, and the session lives on', async () => {
    const url = await replying(
      { type: 'error', data: { message: 'boom', code: 'EXECUTION_ERROR' } },
      observation({ tool_result: 'ok' }),
    );
    const session = await openSession(url);

    await expect(session.callTool('a', {})).rejects.toThrow(/EXECUTION_ERROR: boom/);
    expect(resultText((await session.callTool('a', {})).observation)).toBe('ok');
    session.close();
  });

  it('no JSON, or JSON of another shape: a bad frame that shows how it begins', async () => {
    for (const reply of ['<html>', '{"hello":1}', '[]']) {
      const session = await openSession(await replying(reply));
      await expect(session.callTool('a', {})).rejects.toThrow(code('env_bad_frame'));
      session.close();
    }
  });

  it.each([
    ['a reset', (session: Session) => session.reset({})],
    ['a list of tools', (session: Session) => session.listTools()],
    ['the state', (session: Session) => session.state()],
  ])('%s over 8 MiB: too large, naming both sizes', async (_what, ask) => {
    const session = await openSession(await replying(observation({ task: 'x'.repeat(9_000_000) }), 'next'));

    await expect(ask(session)).rejects.toThrow(
      /answered with 8\.6 MiB \(90000\d+ bytes\), more than the 8 MiB/,
    );
  });

  it('an answer that would hold up every other episode: too large, unless it is a list of scenarios', async () => {
    const nine = 'x'.repeat(9_000_000);

    const scenarios = [{ name: 's_1', tasks: [nine] }];
    const listed = await fetchScenarios(await replying(observation({ scenarios })));
    expect(listed.map(({ name }) => name)).toEqual(['s_1']);
  });

  it('no answer in time: a timeout, and no late answer can be taken for the next one', async () => {
    const session = await openSession(await replying(), { timeouts: { stepMs: 30 } });

    await expect(session.callTool('a', {})).rejects.toThrow(code('env_timeout'));
    await expect(session.callTool('b', {})).rejects.toThrow(code('env_timeout'));
  });

  it('the person stops: cancelled at once', async () => {
    const session = await openSession(await replying());
    const stop = new AbortController();
    const waiting = session.callTool('a', {}, stop.signal);

    stop.abort();

    await expect(waiting).rejects.toThrow(code('cancelled'));
  });
});

describe('reading observations of servers other than AWM', () => {
  it('takes the text parts of an MCP result, and its error when it says it is one', () => {
    const result = {
      content: [
        { type: 'text', text: 'one' },
        { type: 'text', text: 'two' },
      ],
      is_error: false,
    };

    expect(resultText({ result })).toBe('one\ntwo');
    expect(errorText({ result })).toBeNull();
    expect(errorText({ result: { ...result, is_error: true } })).toBe('one\ntwo');
  });

  it('reads a typed error: its message as text, its type as label', () => {
    const failed = { result: null, error: { error_type: 'tool_not_found', message: 'no such tool' } };

    expect(errorText(failed)).toBe('no such tool');
    expect(resultLabel(failed)).toBe('tool_not_found');
    expect(resultText(failed)).toBeNull();
  });

  it('lists scenarios as upstream does, and none where there are none to choose', async () => {
    const listed = await replying(
      observation({ scenarios: [{ name: 's', tasks: ['t0', 't1'] }, 'bare'], total: 2 }, null),
    );
    const none = await replying({
      type: 'error',
      data: { message: 'unknown tool', code: 'EXECUTION_ERROR' },
    });

    expect(await fetchScenarios(listed)).toEqual([
      { name: 's', description: '', tasks: ['t0', 't1'] },
      { name: 'bare', description: '', tasks: [] },
    ]);
    expect(await fetchScenarios(none)).toEqual([]);
  });
});
