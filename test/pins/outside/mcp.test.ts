// The wire of the MCP door: what a client reads, message by message.
import { afterEach, describe, it } from 'vitest';
import { serveDoors, type Doors } from '../../support/doors.ts';
import { createMask, pinsOf, type Texts } from './pinned.ts';

const pin = pinsOf('mcp');
let doors: Doors;
afterEach(() => doors.close());

const call = (id: number, name: string, args: unknown, meta: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args, ...meta },
});
const post = (body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${doors.url}/mcp`, {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

const mask = createMask();
const shown = async (response: Response): Promise<string> => {
  const kept = ['content-type', 'mcp-session-id', 'allow']
    .map((name) => [name, response.headers.get(name)] as const)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}: ${String(value)}`);
  return mask([String(response.status), ...kept, '', await response.text()].join('\n'));
};
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'pins', version: '0' } },
};

/** A session that was begun, as the headers of its requests. */
async function begin(): Promise<Record<string, string>> {
  const response = await post(INITIALIZE);
  await response.text();
  return { 'mcp-session-id': response.headers.get('mcp-session-id') ?? '' };
}

describe('a client of the MCP door reads what it has always read', () => {
  it('from initialize to the end of its session', async () => {
    doors = await serveDoors({ keepAliveMs: 600_000 });
    const texts: Texts = { initialize: await shown(await post(INITIALIZE)) };
    const session = await begin();
    const say = async (name: string, body: unknown): Promise<void> => {
      texts[name] = await shown(await post(body, session));
    };
    await say('initialized', { jsonrpc: '2.0', method: 'notifications/initialized' });
    await say('ping', { jsonrpc: '2.0', id: 2, method: 'ping' });
    await say('tools/list', { jsonrpc: '2.0', id: 3, method: 'tools/list' });
    await say('expert_status', call(4, 'expert_status', {}));
    await say('a batch', [
      { jsonrpc: '2.0', id: 5, method: 'ping' },
      { jsonrpc: '2.0', id: 6, method: 'nope' },
    ]);
    const ended = await fetch(`${doors.url}/mcp`, { method: 'DELETE', headers: session });
    texts['the end of the session'] = await shown(ended);
    await say('after the end', { jsonrpc: '2.0', id: 7, method: 'ping' });
    await pin('session', texts);
  });

  it('when it asks the expert, in one answer and in a stream, answered and declined', async () => {
    doors = await serveDoors({ keepAliveMs: 600_000 });
    const session = await begin();
    const asked = {
      question: 'Which one?',
      context: 'I got 422.',
      task: 'Rename it.',
      tools: ['find'],
      urgency: 'high',
    };
    const texts: Texts = {};
    for (const [name, accept, act] of [
      ['an answer in a stream', 'application/json, text/event-stream', 'answer'],
      ['an answer alone', 'application/json', 'answer'],
      ['declined', 'application/json', 'decline'],
    ] as const) {
      const response = post(call(8, 'ask_expert', asked), { ...session, accept });
      const item = await doors.waiting();
      if (act === 'answer') doors.answer(item, 'The second.');
      else doors.decline(item, 'You can see it.');
      texts[name] = await shown(await response);
    }
    await pin('ask', texts);
  });

  it('when what it sent is refused', async () => {
    doors = await serveDoors();
    const session = await begin();
    const texts: Texts = {
      'no JSON': await shown(await post('{', session)),
      'no message': await shown(await post({ id: 1 }, session)),
      'no session': await shown(await post({ jsonrpc: '2.0', id: 1, method: 'tools/list' })),
      'a session there is not': await shown(
        await post({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, { 'mcp-session-id': 'none' }),
      ),
      'a method there is not': await shown(await post({ jsonrpc: '2.0', id: 1, method: 'nope' }, session)),
      'a tool there is not': await shown(await post(call(2, 'nope', {}), session)),
      'no question': await shown(await post(call(3, 'ask_expert', {}), session)),
      'a version there is not': await shown(
        await post(
          { jsonrpc: '2.0', id: 1, method: 'ping' },
          { ...session, 'mcp-protocol-version': '1999-01-01' },
        ),
      ),
      GET: await shown(await fetch(`${doors.url}/mcp`, { headers: session })),
    };
    await pin('refusals', texts);
  });
});
