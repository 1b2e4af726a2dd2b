import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { costOf, spendingOf, spendingText } from '../../src/shared/episode/spending.ts';
import { limitText } from '../../src/shared/episode/phase.ts';
import { budgetsIn } from '../../src/main/settings/budgets.ts';
import { writeSettings } from '../support/dataFolder.ts';
import { typeIn } from '../support/commandLine.ts';
import { makeRows } from '../support/exporting.ts';
import { startOpenAiServer, type OpenAiServer, type ScriptedAnswer } from '../support/openaiServer.ts';
import { openProduct, removeFolder, startInput, type Product } from '../support/product.ts';

let product: Product;
let server: OpenAiServer | null = null;
beforeEach(async () => {
  product = await openProduct();
});
afterEach(async () => {
  await product.close();
  removeFolder(product.folder);
  await server?.close();
  server = null;
});

const PRICE = {
  name: 'm',
  currency: 'USD',
  input: 2,
  output: 10,
  cached: 0.5,
  reasoning: null,
  as_of: '2026-11-23',
};
const usage = { prompt_tokens: 1000, completion_tokens: 100 };
const LOOK: ScriptedAnswer = {
  toolCalls: [{ id: 'a', name: 'list_tags', arguments: '{"workspace_id":1}' }],
  usage,
};
const END: ScriptedAnswer = { content: 'Done.', usage };
const agent = { policy: 'chat' as const, protocol: 'native' as const, model: 'm' };

async function play(script: ScriptedAnswer[], limits: { tokens?: number; cost?: number } = {}) {
  server = await startOpenAiServer(script);
  product.settings.write({ agent: { base_url: server.url, model: 'm' } });
  const input = startInput({ agent, condition: 'none', limits });
  const { episodes } = await product.as('seat-one')('episode.start', input);
  return product.ended(episodes[0] ?? '');
}

describe('what an episode spends', () => {
  it('is counted from what the server says, in tokens and at the price it began with', async () => {
    product.settings.savePrice(PRICE);
    const record = await play([LOOK, END]);
    product.settings.savePrice({ ...PRICE, input: 200 });

    const spent = spendingOf(record);
    expect(spent).toEqual({
      input_tokens: 2000,
      output_tokens: 200,
      cost: 0.006,
      currency: 'USD',
      unknown: 0,
    });
    expect(spent === null ? '' : spendingText(spent)).toBe('2,200 tokens, 0.0060 USD');
    expect(record.started?.prices).toEqual({ agent: { ...PRICE, name: undefined } });
    const { rows } = await product.as('seat-one')('episodes.page', {
      query: '',
      status: null,
      condition: null,
      offset: 0,
      limit: 1,
    });
    expect(rows[0]?.spent).toEqual(spent);
    const atif = await makeRows(product.log, 'atif', { verdict: 'any' });
    expect(atif.rows[0]).toMatchObject({ final_metrics: { total_cost_usd: 0.006, extra: { spent } } });
  });

  it('costs what is not known where there is no price, and never nothing', async () => {
    const record = await play([LOOK, END]);

    const spent = spendingOf(record);
    expect(spent).toMatchObject({ input_tokens: 2000, cost: null, currency: null });
    expect(spent === null ? '' : spendingText(spent)).toBe('2,200 tokens, price unknown');
    const atif = await makeRows(product.log, 'atif', { verdict: 'any' });
    expect(JSON.stringify(atif.rows[0])).not.toContain('total_cost_usd');
  });

  it('counts cached input and reasoning at their own prices, where they have one', () => {
    const took = {
      input_tokens: 1_000_000,
      output_tokens: 100_000,
      cached_tokens: 400_000,
      reasoning_tokens: 50_000,
    };

    expect(costOf(took, PRICE)).toBeCloseTo(0.6 * 2 + 0.4 * 0.5 + 0.1 * 10);
    expect(costOf(took, { ...PRICE, cached: null, reasoning: 20 })).toBeCloseTo(2 + 0.05 * 10 + 0.05 * 20);
    expect(costOf({ input_tokens: null, output_tokens: 5 }, PRICE)).toBeNull();
    expect(costOf(took, undefined)).toBeNull();
  });
});

const NO_BUDGET = { turns: null, minutes: null, tokens: null, cost: null };

describe('a budget of the settings', () => {
  it('holds where the start says no other, and the end says which it was and that it came from there', async () => {
    product.settings.writeBudgets({ per_episode: { ...NO_BUDGET, tokens: 2000 }, per_run: NO_BUDGET });
    const record = await play([LOOK, LOOK]);

    expect(record.started).toMatchObject({
      limits: { tokens: 2000, turns: 15 },
      limits_from: { tokens: 'settings', turns: 'default', time_ms: 'default' },
    });
    const limit = { name: 'tokens', of: 'episode', value: 2000, from: 'settings' } as const;
    expect(record.ended).toMatchObject({ outcome: 'limit', reason: 'budget', limit });
    expect(limitText(limit)).toBe('2,000 tokens per episode, set in Setup');
  });

  it('yields to the start, which the end says too', async () => {
    product.settings.writeBudgets({ per_episode: { ...NO_BUDGET, turns: 9, tokens: 9 }, per_run: NO_BUDGET });
    const record = await play([LOOK, LOOK], { tokens: 2000 });

    expect(record.turns).toHaveLength(2);
    expect(record.started?.limits).toMatchObject({ tokens: 2000, turns: 9 });
    expect(record.ended?.limit).toEqual({ name: 'tokens', of: 'episode', value: 2000, from: 'start' });
  });

  it('in turns holds for every agent; one in money needs a price only where a chat model acts', async () => {
    product.settings.writeBudgets({ per_episode: { ...NO_BUDGET, turns: 2, cost: 1 }, per_run: NO_BUDGET });
    const start = product.as('seat-one');
    const { episodes } = await start('episode.start', startInput({ condition: 'none' }));

    const { ended } = await product.ended(episodes[0] ?? '');
    expect(ended).toMatchObject({ reason: 'turns', limit: { name: 'turns', value: 2, from: 'settings' } });
    await expect(play([])).rejects.toMatchObject({ message: 'there is no price for m' });
  });

  it('for a run counts the turns of all episodes that are started together', async () => {
    product.settings.writeBudgets({ per_episode: NO_BUDGET, per_run: { ...NO_BUDGET, turns: 3 } });
    const input = startInput({ condition: 'none', repeats: 2 });
    const { episodes } = await product.as('seat-one')('episode.start', input);
    const records = await Promise.all(episodes.map((id) => product.ended(id)));

    const limit = { name: 'turns', of: 'run', value: 3, from: 'settings' };
    expect(records.at(-1)?.ended).toMatchObject({ outcome: 'limit', reason: 'budget', limit });
    expect(records.reduce((sum, { counts }) => sum + counts.turns, 0)).toBeLessThan(6);
  });

  it('that is no amount is not used, and is named', () => {
    const raw = { budgets: { per_episode: { turns: -1, tokens: 5 }, per_run: 'all' } };

    expect(budgetsIn(raw)).toEqual({
      budgets: { per_episode: { ...NO_BUDGET, tokens: 5 }, per_run: NO_BUDGET },
      problems: ['settings.json: "budgets.per_episode.turns" is no amount above 0; it is not used.'],
    });
  });
});

describe('a budget', () => {
  it('in money does the same, and is refused where nobody knows the price', async () => {
    await expect(play([], { cost: 0.001 })).rejects.toMatchObject({
      code: 'bad_input',
      message: 'there is no price for m',
    });
    product.settings.savePrice(PRICE);
    await server?.close();
    const record = await play([LOOK], { cost: 0.003 });

    expect(record.ended).toMatchObject({ outcome: 'limit', reason: 'budget' });
  });

  it('ends an episode whose server does not say what a reply takes: unknown is not nothing', async () => {
    const silent = {
      status: 200,
      body: {
        choices: [
          {
            message: {
              content: null,
              tool_calls: [{ id: 'a', function: { name: 'list_tags', arguments: '{}' } }],
            },
          },
        ],
      },
    };
    const record = await play([silent], { tokens: 1_000_000 });

    expect(record.ended).toMatchObject({ outcome: 'limit', reason: 'budget_unknown' });
    expect(spendingOf(record)).toMatchObject({ unknown: 1 });
  });

  it('of a whole run lets no further episode begin, and says what was spent', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'budget-run-'));
    server = await startOpenAiServer([END, END]);
    const flags = ['--agent-model', 'm', '--agent-base-url', server.url];
    await writeSettings(join(folder, 'home'), { budgets: { per_run: { tokens: 2000 } } });
    const { out, codes } = await typeIn(folder, [
      { args: ['run', '--world', 'loomline_workflows', '--task', '0-3', '--json', ...flags] },
    ]);
    const lines = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ type }) => type !== 'progress');

    expect(lines.map(({ type }) => type)).toEqual([
      'episode',
      'episode',
      'not_started',
      'not_started',
      'spent',
    ]);
    expect(lines.at(-1)).toMatchObject({ episodes: 2, input_tokens: 2000, output_tokens: 200, cost: null });
    expect(lines[2]).toMatchObject({ reason: 'budget' });
    expect(codes).toEqual([1]);
    removeFolder(folder);
  });

  it('comes from the settings without a flag, and a flag goes before it; the last line says which', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'budget-settings-'));
    const budgets = { per_episode: { turns: 2 }, per_run: { turns: 3 } };
    await writeSettings(join(folder, 'home'), { budgets });
    const run = ['run', '--world', 'loomline_workflows', '--task', '0-1'];
    const { out, err } = await typeIn(folder, [{ args: run }, { args: [...run, '--turns', '1'] }]);

    const ends = `${out}${err}`.split('\n').filter((line) => line.startsWith('['));
    expect(ends.map((line) => /\((?:turns|budget): .*?\)|not started/.exec(line)?.[0])).toEqual([
      '(turns: 2 turns per episode, set in Setup)',
      '(budget: 3 turns per run, set in Setup)',
      '(turns: 1 turn per episode, set by --turns)',
      '(turns: 1 turn per episode, set by --turns)',
    ]);
    removeFolder(folder);
  });
});
