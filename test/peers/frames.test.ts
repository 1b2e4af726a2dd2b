import WebSocket from 'ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SERVER_FRAME_MAX } from '../../src/shared/wire.ts';
import { interject, python, type Program } from './support.ts';

/** What a server says to one text, until it answers or closes. */
type Said = { frame: unknown } | { closed: number };

function talk(url: string, texts: (string | Buffer)[]): Promise<Said[]> {
  return new Promise((settle, refuse) => {
    const socket = new WebSocket(url);
    const said: Said[] = [];
    let next = 0;
    const send = (): void => {
      const text = texts[next];
      next += 1;
      if (text === undefined) return socket.close();
      socket.send(text);
    };
    if (texts.length > 0) socket.on('open', send);
    socket.on('message', (data: Buffer) => {
      said.push({ frame: JSON.parse(data.toString()) as unknown });
      send();
    });
    socket.on('error', refuse);
    socket.on('close', (code) => {
      if (next <= texts.length) said.push({ closed: code });
      settle(said);
    });
  });
}

const frame = (value: unknown): string => JSON.stringify(value);
const call = (data: Record<string, unknown>): string => frame({ type: 'step', data });

/** Frames no world is needed for: the server itself answers them. */
const FRAMES = {
  'a state before any reset': [frame({ type: 'state' })],
  'a reset without a scenario': [frame({ type: 'reset' }), frame({ type: 'reset', data: {} })],
  'a reset with unknown arguments': [frame({ type: 'reset', data: { colour: 'blue', seed: 1 } })],
  'tools and a call before any reset': [
    call({ type: 'list_tools' }),
    call({ type: 'call_tool', tool_name: 'x', arguments: {} }),
    call({ type: 'call_tool', tool_name: 'x' }),
    frame({ type: 'state' }),
  ],
  'text that is no JSON': ['{', '', 'nope', '{"type":"state"} {}', frame({ type: 'state' })],
  'an unknown type, and none': [
    frame({ type: 'nope' }),
    frame({}),
    frame({ type: 7 }),
    frame({ type: null }),
  ],
  'keys the envelope does not have': [
    frame({ type: 'state', data: {} }),
    frame({ type: 'reset', extra: 1 }),
    frame({ type: 'step', data: { type: 'list_tools' }, timeout_s: 5 }),
  ],
  'data that is missing or no object': [
    frame({ type: 'step' }),
    frame({ type: 'step', data: 'list_tools' }),
    frame({ type: 'reset', data: [] }),
    frame({ type: 'step', data: null }),
  ],
  'an action without a type, or of an unknown one': [
    call({}),
    call({ tool_name: 'x' }),
    call({ type: 'nope' }),
    call({ type: 'CALL_TOOL', tool_name: 'x' }),
  ],
  'an action with wrong fields': [
    call({ type: 'call_tool' }),
    call({ type: 'call_tool', tool_name: 7 }),
    call({ type: 'call_tool', tool_name: 'x', arguments: '{"a":1}' }),
    call({ type: 'call_tool', tool_name: 'x', arguments: [] }),
    call({ type: 'call_tool', tool_name: 'x', arguments: {}, mode: 'fast' }),
    call({ type: 'list_tools', tool_name: 'x' }),
    call({ type: 'call_tool', tool_name: 'x', metadata: 'm' }),
  ],
  'an MCP message': [
    frame({ type: 'mcp', data: { jsonrpc: '2.0', method: 'initialize', id: 1 } }),
    frame({ type: 'mcp', data: {} }),
    frame({ type: 'mcp', data: { jsonrpc: '2.0', method: 'tools/list', id: 'a' } }),
    frame({ type: 'mcp', data: { jsonrpc: '2.0', method: 'tools/call', params: {}, id: 'a' } }),
    frame({ type: 'mcp', data: { jsonrpc: '2.0', method: 'tools/call', params: { name: 'x' }, id: 'a' } }),
    frame({ type: 'mcp' }),
  ],
  'JSON that is no object': ['[]', frame({ type: 'state' })],
  'a binary frame': [Buffer.from('{"type":"state"}'), frame({ type: 'state' })],
  'a goodbye': [frame({ type: 'close' }), frame({ type: 'state' })],
  'a frame over the limit': ['x'.repeat(SERVER_FRAME_MAX + 1)],
} satisfies Record<string, (string | Buffer)[]>;

/** The words of messages may differ, and the version inside a help address. */
const comparable = (said: unknown): unknown =>
  JSON.parse(
    JSON.stringify(said)
      .replaceAll(/errors\.pydantic\.dev\/[\d.]+/g, 'errors')
      .replaceAll(/"(msg|message)":"(?:[^"\\]|\\.)*"/g, '"$1":"…"'),
  );

describe('the built-in worlds against the real server of openenv-0.10.0, frame by frame', () => {
  let real: Program;
  let ours: Program;
  const urls = { real: '', ours: '' };
  beforeAll(async () => {
    real = python('openenv-0.10.0', 'awm_shape.py', ['64']);
    ours = interject(['world', '--port', '0', '--json']);
    urls.real = `ws://127.0.0.1:${await real.firstLine}/ws`;
    const { url } = JSON.parse(await ours.firstLine) as { url: string };
    urls.ours = `${url.replace('http', 'ws')}/ws`;
  });
  afterAll(() => Promise.all([real.end(), ours.end()]));

  it.each(Object.entries(FRAMES))('say the same to %s', async (_name, texts) => {
    const [real, ours] = await Promise.all([talk(urls.real, texts), talk(urls.ours, texts)]);

    expect(comparable(ours)).toEqual(comparable(real));
  });

  const post = async (
    base: string,
    body: string,
  ): Promise<{ status: number; answer: Record<string, unknown> }> => {
    const response = await fetch(`${base.replace('ws', 'http').replace(/\/ws$/, '')}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    return { status: response.status, answer: (await response.json()) as Record<string, unknown> };
  };
  const rpc = (method: string, params: object = {}): string =>
    frame({ jsonrpc: '2.0', method, params, id: 1 });

  it('say the same to sessions opened, joined and closed over HTTP, as today’s MCPToolClient does', async () => {
    const visit = async (url: string): Promise<unknown> => {
      const opened = await post(url, rpc('openenv/session/create'));
      const { session_id: id } = opened.answer['result'] as { session_id: string };
      const joined = new WebSocket(`${url}?session_id=${id}`);
      await new Promise((settle) => joined.once('open', settle));
      const second = await talk(`${url}?session_id=${id}`, []);
      const whileJoined = await post(url, rpc('openenv/session/close', { session_id: id }));
      joined.close();
      await new Promise((settle) => joined.once('close', settle));
      const seen = { opened, second, whileJoined };
      return JSON.parse(JSON.stringify(seen).replaceAll(id, '<id>')) as unknown;
    };

    expect(await visit(urls.ours)).toEqual(await visit(urls.real));
  });

  it.each([
    ['text that is no JSON', '{'],
    ['JSON that is no object', '[]'],
    ['no request', '{}'],
    ['an unknown method', rpc('initialize')],
    ['a call without a name', rpc('tools/call')],
    ['an unknown session', rpc('tools/list', { session_id: 'nobody' })],
    ['a goodbye to an unknown session', rpc('openenv/session/close', { session_id: 'nobody' })],
    ['a goodbye to no session', rpc('openenv/session/close')],
  ])('say the same over HTTP to %s', async (_name, body) => {
    const [real, ours] = await Promise.all([post(urls.real, body), post(urls.ours, body)]);

    expect(comparable(ours)).toEqual(comparable(real));
  });

  it('say the same to a socket that joins a session nobody opened', async () => {
    const join = (url: string): Promise<Said[]> => talk(`${url}?session_id=nobody`, []);

    expect(await join(urls.ours)).toEqual(await join(urls.real));
  });
});
