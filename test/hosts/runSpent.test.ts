import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeSettings } from '../support/dataFolder.ts';
import { typeIn } from '../support/commandLine.ts';
import { startOpenAiServer, type ScriptedAnswer } from '../support/openaiServer.ts';
import { openProduct } from '../support/product.ts';

const PRICE = { name: 'm', currency: 'USD', input: 2, output: 10, cached: null, reasoning: null };
const look = (prompt_tokens: number): ScriptedAnswer => ({
  toolCalls: [{ id: 'a', name: 'list_tags', arguments: '{"workspace_id":1}' }],
  usage: { prompt_tokens, completion_tokens: 100 },
});
const end = (prompt_tokens: number): ScriptedAnswer => ({
  content: 'Done.',
  usage: { prompt_tokens, completion_tokens: 7 },
});

it('shows of a run in the library what its command said was spent, which is what the model’s server served', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'run-spent-'));
  const settings = { prices: [{ ...PRICE, as_of: '2026-11-23' }] };
  await writeSettings(join(folder, 'home'), settings);
  const server = await startOpenAiServer([look(1000), end(1200), look(900), end(1100), end(5000)]);
  const flags = ['--agent-model', 'm', '--agent-base-url', server.url, '--concurrency', '1', '--json'];
  const run = (name: string, task: string) => ({
    args: ['run', '--world', 'loomline_workflows', '--run', name, '--task', task, ...flags],
  });

  const { out } = await typeIn(folder, [run('first', '0-1'), run('second', '2')]);
  const product = await openProduct(join(folder, 'home'));
  const pageOf = (filter: { run?: string }) =>
    product.as('seat-one')('episodes.page', {
      query: '',
      status: null,
      condition: null,
      filter,
      offset: 0,
      limit: 1,
    });
  const first = await pageOf({ run: 'first' });
  const everything = await pageOf({});

  const [said] = out
    .split('\n')
    .filter((line) => line.includes('"type":"spent"'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const served = { input_tokens: 1000 + 1200 + 900 + 1100, output_tokens: 2 * (100 + 7) };
  expect(first.spent).toMatchObject({ ...served, currency: 'USD', unknown: 0 });
  expect(first.spent?.cost).toBeCloseTo((served.input_tokens * 2 + served.output_tokens * 10) / 1e6, 12);
  expect(said).toEqual({ type: 'spent', episodes: 2, ...first.spent });
  expect(everything.total).toBe(3);
  expect(everything).not.toHaveProperty('spent');
  await product.close();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});
