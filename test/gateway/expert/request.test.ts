import { afterEach, describe, expect, it } from 'vitest';
import { serveDoors, type Doors } from '../../support/doors.ts';
import { seededRandom } from '../../../src/shared/statistics/random.ts';

let doors: Doors;
afterEach(() => doors.close());

const messages = [{ role: 'user', content: 'Which one?' }];
const post = (body: unknown, init: RequestInit = {}) =>
  fetch(`${doors.url}/v1/chat/completions`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...init,
  });
type Completion = {
  choices: { message: { content: string }; finish_reason: string }[];
  interject: { ignored: string[] };
};

/** Asks, lets a person say `text`, and reads the completion. */
async function answered(over: object, text: string): Promise<Completion> {
  doors = await serveDoors();
  const response = post({ model: 'm', messages, ...over });
  doors.answer(await doors.waiting(), text);
  return (await response).json() as Promise<Completion>;
}

describe('what a request asks for is honoured', () => {
  it.each(['max_tokens', 'max_completion_tokens'])(
    '%s: four characters are taken for a token',
    async (field) => {
      const completion = await answered({ [field]: 3 }, 'exactly twelve and more');

      expect(completion.choices[0]).toMatchObject({
        message: { content: 'exactly twel' },
        finish_reason: 'length',
      });
      const [id = ''] = doors.log.projections.ended();
      expect(doors.log.read(id).find(({ event }) => event.kind === 'advice.delivered')?.event).toMatchObject({
        text: 'exactly twel',
        full_length: 23,
        delivered_length: 12,
      });
    },
  );

  it('what means nothing to a person is taken, and named as passed over', async () => {
    const { interject } = await answered({ top_p: 0.9, temperature: 0.2, top_k: 5, user: 'u' }, 'x');

    expect(interject.ignored).toEqual(['top_p', 'top_k']);
  });
});

describe('what cannot be honoured is refused by name, before anybody is asked', () => {
  const image = [{ type: 'image_url', image_url: { url: 'http://x/y.png' } }];
  const number = { type: 'object', properties: { score: { type: 'number' } }, required: ['score'] };
  it.each([
    ['n', { n: 2 }],
    ['logprobs', { logprobs: true }],
    ['logprobs', { top_logprobs: 3 }],
    ['logit_bias', { logit_bias: { 5: 1 } }],
    ['tool_choice', { tool_choice: 'required' }],
    ['tool_choice', { tool_choice: { type: 'function', function: { name: 'f' } } }],
    ['function_call', { function_call: { name: 'f' } }],
    ['modalities', { modalities: ['text', 'audio'] }],
    ['messages[0].content[0]', { messages: [{ role: 'user', content: image }] }],
    ['response_format.type', { response_format: { type: 'xml' } }],
    ['response_format.json_schema', { response_format: { type: 'json_schema' } }],
    [
      'response_format.json_schema.schema',
      { response_format: { type: 'json_schema', json_schema: { schema: number } } },
    ],
    ['messages', { messages: [] }],
    ['messages', { messages: 'hello' }],
    ['messages[0].role', { messages: [{ role: 'king', content: 'x' }] }],
    ['model', { model: 5 }],
    ['stop', { stop: 5 }],
    ['max_tokens', { max_tokens: -1 }],
    ['temperature', { temperature: 'hot' }],
  ])('%s: %j', async (param, over) => {
    doors = await serveDoors();
    const response = await post({ model: 'm', messages, ...over });

    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { param, type: 'invalid_request_error', message: expect.any(String) as string },
    });
    expect(doors.log.lastSeq()).toBe(0);
  });

  it.each([
    ['nothing', '', 400],
    ['half a body', '{"model":"m","messages":[{"ro', 400],
    ['a list', '[]', 400],
    ['a number', '7', 400],
    ['null', 'null', 400],
    ['bytes that are no text', new Uint8Array([0xff, 0xfe, 0xfd]), 400],
    ['endless nesting', '['.repeat(200_000), 400],
    ['nesting that closes', `{"model":"m","messages":${'['.repeat(500)}${']'.repeat(500)}}`, 400],
    [
      '20 MB',
      JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'x'.repeat(20_000_000) }] }),
      413,
    ],
  ])('%s', async (_, body, status) => {
    doors = await serveDoors();
    const response = await fetch(`${doors.url}/v1/chat/completions`, {
      method: 'POST',
      body: body as BodyInit,
    });

    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error: { message: expect.any(String) as string } });
    expect(doors.log.lastSeq()).toBe(0);
  });
});

describe('a large request', () => {
  const long = (turns: number, letters: number) => [
    ...Array.from({ length: turns }, (_, i) => ({
      role: i % 2 === 0 ? 'user' : 'assistant',
      content: `${String(i)} ${'the invoice of a customer '.repeat(letters / 26)}`,
    })),
    ...messages,
  ];

  it('reaches a person whole where it is the conversation of a model that reads a million tokens', async () => {
    doors = await serveDoors();
    const given = long(400, 15_000);
    const completion = doors.openai().chat.completions.create({ model: 'm', messages: given as never });
    const item = await doors.waiting();
    const kept = doors.log.record(item.episode).consultations[0]?.request;

    expect(doors.log.texts.loadText(kept ?? '')).toContain(given[399]?.content);
    doors.answer(item, 'The second.');
    expect((await completion).choices[0]?.message.content).toBe('The second.');
  });

  it.each([
    ['over 8 MiB that are sent bit by bit', '"'.padEnd(9 * 1024 * 1024, 'x'), '8 MiB'],
    ['over 50,000 values', `{"messages":[${'{"a":1},'.repeat(30_000)}`, '50,000 JSON values'],
  ])('is refused before it is parsed: %s', async (_, notJson, limit) => {
    doors = await serveDoors();
    for (const path of ['/v1/chat/completions', '/mcp']) {
      const body = new Blob([notJson]).stream();
      const response = await fetch(`${doors.url}${path}`, {
        method: 'POST',
        body,
        duplex: 'half',
      } as RequestInit);

      expect(response.status).toBe(413);
      expect(await response.json()).toMatchObject({ error: { message: expect.stringContaining(limit) } });
    }
    expect(doors.log.lastSeq()).toBe(0);
  });
});

describe('a hostile client', () => {
  it('that sends anything at all never brings the door down, and never gets an answer it cannot read', async () => {
    doors = await serveDoors({ settings: { ask_deadline_ms: 1_000 }, isAttended: false });
    const next = seededRandom(42);
    const random = (max: number): number => Math.floor(next() * max);
    const junk = (depth: number): unknown => {
      const kinds = [null, true, -1, 1e308, '', '\u0000\ud800', 'x', [], {}];
      if (depth === 0 || random(3) > 0) return kinds[random(kinds.length)];
      return random(2) === 0
        ? [junk(depth - 1)]
        : { messages: junk(depth - 1), role: 'user', content: junk(depth - 1) };
    };
    const fields = [
      'model',
      'messages',
      'stream',
      'n',
      'stop',
      'tools',
      'response_format',
      'metadata',
      '__proto__',
    ];
    for (let i = 0; i < 200; i += 1) {
      const body: Record<string, unknown> = { model: 'm', messages };
      for (let j = random(4); j >= 0; j -= 1) body[fields[random(fields.length)] ?? ''] = junk(3);
      const response = await post(body);
      const text = await response.text();
      expect([200, 400]).toContain(response.status);
      if (!text.startsWith(':')) expect(() => JSON.parse(text) as unknown).not.toThrow();
    }
    expect(doors.reported).toEqual([]);
    expect(doors.log.projections.desk(10).total).toBe(0);
  });

  it('that hangs up in the middle of its body leaves nothing behind', async () => {
    doors = await serveDoors();
    const { connect } = await import('node:net');
    const socket = connect(Number(new URL(doors.url).port), '127.0.0.1');
    const head = 'POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\n';
    await new Promise<void>((resolve) => socket.write(`${head}{"model":`, () => resolve()));
    // What came before another request is dealt with before it.
    const roundTrip = () => fetch(`${doors.url}/v1/models`).then((response) => response.text());
    await roundTrip();
    socket.destroy();
    await roundTrip();

    expect(doors.log.lastSeq()).toBe(0);
  });
});
