import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { typeIn } from '../support/commandLine.ts';
import { startOpenAiServer, type OpenAiServer } from '../support/openaiServer.ts';

const KEY = 'sk-key-of-this-test-0123456789';
let folder = '';
let server: OpenAiServer;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'interject-tape-'));
  server = await startOpenAiServer([
    {
      toolCalls: [{ id: 'a', name: 'list_tags', arguments: '{"workspace_id":1}' }],
      reasoning: 'first the tags',
    },
    { status: 500, body: { error: { message: 'try again' } } },
    { content: 'All done.' },
  ]);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = (...more: string[]) => ({
  args: [
    'run',
    ...`--world loomline_workflows --task 0 --json --agent-model m --agent-key-env MY_KEY`.split(' '),
    '--agent-base-url',
    server.url,
    ...more,
  ],
  variables: { MY_KEY: KEY, INTERJECT_MODEL_TAPE: 'traffic.jsonl' },
});
it('repeats a recorded run without its model, word for word, and holds no key', async () => {
  const live = await typeIn(folder, [run('--data', join(folder, 'live'))]);
  await server.close();
  const again = await typeIn(folder, [run('--data', join(folder, 'again'))]);

  const told = (out: string) =>
    out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ type }) => type === 'episode' || type === 'spent')
      .map((line) => ({ ...line, episode: null }));
  expect(told(live.out)).toHaveLength(2);
  expect(told(again.out)).toEqual(told(live.out));
  const traffic = readFileSync(join(folder, 'traffic.jsonl'), 'utf8');
  expect(traffic.trim().split('\n')).toHaveLength(3);
  expect(traffic).not.toContain(KEY);
  expect(traffic).not.toContain(server.origin);
  expect(traffic).toContain('first the tags');
  // The second request holds it: it was made again with what the file says of the first.
  const sent = server.requests.at(-1)?.body['messages'] as { reasoning_content?: string }[];
  expect(sent.map((message) => message.reasoning_content)).toContain('first the tags');
  expect(statSync(join(folder, 'traffic.jsonl')).mode & 0o077).toBe(0);
});

it('says what differs where a request was not recorded', async () => {
  await typeIn(folder, [run()]);
  await server.close();
  const { out, codes } = await typeIn(folder, [run('--task', '1')]);

  expect(out).toContain('was not recorded: message 2 is');
  expect(codes).toEqual([1]);
});
