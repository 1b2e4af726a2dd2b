// The wire of the expert for agents: what its doors answer, header by header where it matters and byte by byte below.
import { afterEach, describe, it } from 'vitest';
import { serveDoors, type Doors } from '../../support/doors.ts';
import { createMask, pinsOf, type Texts } from './pinned.ts';

const pin = pinsOf('expert');
let doors: Doors;
afterEach(() => doors.close());

const MESSAGES = [
  { role: 'system', content: 'You advise an agent.' },
  { role: 'user', content: 'TASK: Rename it.\n\nWhich one?' },
];
const CHAT = '/v1/chat/completions';
const AZURE = '/openai/deployments/expert/chat/completions?api-version=2024-10-21';
const TIMED = /(?<="created":)\d+/g;

type Sent = { path?: string; body: unknown; headers?: Record<string, string> };
const post = ({ path = CHAT, body, headers = {} }: Sent): Promise<Response> =>
  fetch(`${doors.url}${path}`, {
    method: 'POST',
    headers: { authorization: 'Bearer k', 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

const mask = createMask();
const shown = async (response: Response): Promise<string> => {
  const kept = ['content-type', 'retry-after', 'x-should-retry', 'allow']
    .map((name) => [name, response.headers.get(name)] as const)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}: ${String(value)}`);
  return mask(
    [String(response.status), ...kept, '', await response.text()].join('\n').replaceAll(TIMED, '0'),
  );
};

/** Sends one request after the other, each answered by a person as `say` has it, and gives what came back. */
async function answered(sent: Record<string, Sent>, say: string): Promise<Texts> {
  const texts: Texts = {};
  for (const [name, each] of Object.entries(sent)) {
    const response = post(each);
    doors.answer(await doors.waiting(), say);
    texts[name] = await shown(await response);
  }
  return texts;
}

describe('a client of the expert reads what it has always read', () => {
  it('in a chat completion, whole and in chunks, of both dialects', async () => {
    doors = await serveDoors({ keepAliveMs: 600_000 });
    const body = { model: 'expert', messages: MESSAGES };
    const stream = { ...body, stream: true, stream_options: { include_usage: true } };
    const text = 'Workflow 2 – the one without a step 🙂.\nThen stop.';
    const format = {
      type: 'json_schema',
      json_schema: {
        name: 'a',
        schema: { type: 'object', properties: { advice: { type: 'string' } }, required: ['advice'] },
      },
    };
    await pin(
      'answers',
      await answered(
        {
          'a completion': { body },
          'a stream': { body: stream },
          'a completion of Azure’s dialect': { path: AZURE, body, headers: { 'api-key': 'k' } },
          'a stream of Azure’s dialect': { path: AZURE, body: stream, headers: { 'api-key': 'k' } },
          'an answer that stops': { body: { ...body, stop: ['\n'] } },
          'an answer that is cut': { body: { ...body, max_tokens: 3 } },
          'an answer in a schema': { body: { ...body, response_format: format } },
          'an answer to passed-over parameters': {
            body: { ...body, temperature: 0.2, logprobs: false, n: 1 },
          },
        },
        text,
      ),
    );
  });

  it('where no advice comes', async () => {
    doors = await serveDoors({ keepAliveMs: 600_000 });
    const body = { model: 'expert', messages: MESSAGES };
    const texts: Texts = {};
    for (const [name, sent] of [
      ['declined', body],
      ['declined in a stream', { ...body, stream: true }],
    ] as const) {
      const response = post({ body: sent });
      doors.decline(await doors.waiting(), 'You can see it.');
      texts[name] = await shown(await response);
    }
    await pin('no-advice', texts);
  });

  it('where it is refused, and in the list of models', async () => {
    doors = await serveDoors({ isAttended: false });
    const texts: Texts = {};
    for (const [name, sent] of Object.entries({
      'nobody there': { body: { model: 'expert', messages: MESSAGES } },
      'no JSON': { body: '{' },
      'no messages': { body: { model: 'expert' } },
      'no such model': { body: { model: 'expert-drafft', messages: MESSAGES } },
      'no draft without a model': { body: { model: 'expert-draft', messages: MESSAGES } },
      'no such path': { path: '/v1/embeddings', body: {} },
    } satisfies Record<string, Sent>))
      texts[name] = await shown(await post(sent));
    texts['the models'] = await shown(await fetch(`${doors.url}/v1/models`));
    texts['a wrong method'] = await shown(await fetch(`${doors.url}${CHAT}`));
    await pin('refusals', texts);
  });

  it('in a draft of the advisor’s model', async () => {
    doors = await serveDoors({ advises: () => 'Rename the second.' });
    const response = await post({ body: { model: 'expert-draft', messages: MESSAGES } });
    await pin('draft', { 'a draft': await shown(response) });
  });
});
