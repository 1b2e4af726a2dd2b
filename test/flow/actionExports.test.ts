import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ExportFormat } from '../../src/shared/contract/export.ts';
import { dropWords } from '../../src/shared/export/dropWords.ts';
import type { Address } from '../../src/main/openenv/address.ts';
import { describeServer } from '../../src/main/openenv/serverDescription.ts';
import { actionServer } from '../support/actionServer.ts';
import { makeRows } from '../support/exporting.ts';
import { createFlow, spec } from '../support/flow.ts';
import { makeMoves, playGrid } from '../support/playGrid.ts';
import { openProduct, removeFolder, type Product } from '../support/product.ts';
import { native, replies } from '../support/stepIn.ts';

const WAY = ['RIGHT', 'RIGHT', 'DOWN', 'DOWN'];

let server: Awaited<ReturnType<typeof actionServer>>;
let app: Product;
beforeEach(async () => {
  server = await actionServer();
  app = await openProduct();
});
afterEach(async () => {
  await app.close();
  await server.close();
  removeFolder(app.folder);
});

type Message = { role: string; tool_calls?: { function: { name: string; arguments: unknown } }[] };
const callsIn = (messages: unknown): unknown[] =>
  (messages as Message[]).flatMap(({ tool_calls: calls = [] }) =>
    calls.map((call) => call.function.arguments),
  );

describe('episodes of actions as data', () => {
  it('are complete rows of every format a person chooses, and the person’s moves are said to be theirs', async () => {
    const { id } = await playGrid(app, server.url, WAY);
    const rows = async (format: ExportFormat) => (await makeRows(app.log, format)).rows;

    const [sft] = await rows('sft');
    expect(sft).toMatchObject({ act: 'take_over', actor: 'human', reward: expect.closeTo(0.25) as number });
    expect(callsIn(sft?.['completion'])).toEqual(WAY.map((action) => ({ action })));
    const [record] = await rows('episode_record');
    expect(JSON.stringify(record)).toContain('"RIGHT"');
    const [atif] = await rows('atif');
    expect(JSON.stringify(atif)).toContain('grid_world_action');
    // An environment without tasks has none to be rolled out again.
    expect((await makeRows(app.log, 'grpo')).dropped).toEqual({ no_scenario: 1 });
    expect(dropWords('no_scenario').words).toMatch(/no scenario and number/);
    expect((await makeRows(app.log, 'demonstrations')).dropped).toEqual({ not_completed: 1 });
    expect(app.log.record(id).ended?.reward).toBeCloseTo(0.25);
  });

  it('give the same calls, results and rewards, whether an agent or a person made the moves', async () => {
    await playGrid(app, server.url, WAY);
    const policy = replies(...WAY.map((action) => native('grid_world_action', { action })));
    const described = (address: Address) => describeServer(address);
    const flow = createFlow({ policy, briefing: null, described });
    await flow.supervisor.start(spec(server.url, { scenario: null, task_idx: null, condition: 'none' }))
      .ended;

    const [person] = (await makeRows(app.log, 'sft')).rows;
    const [agent] = (await makeRows(flow.log, 'sft')).rows;
    expect(agent).toMatchObject({ act: 'solo', actor: 'agent' });
    const contents = (row: typeof agent) =>
      ((row?.['completion'] ?? []) as { role: string; content: string }[])
        .filter(({ role }) => role === 'tool')
        .map(({ content }) => content);
    expect(callsIn(person?.['completion'])).toEqual(callsIn(agent?.['completion']));
    expect(contents(person)).toEqual(contents(agent));
  });

  it('leave an episode that lost out of sft by a rule with a name, which a least reward changes', async () => {
    await playGrid(app, server.url, ['UP', 'UP', 'UP', 'UP', ...WAY]);
    expect(await makeRows(app.log, 'sft')).toEqual({ rows: [], dropped: { not_rewarded: 1 } });
    expect((await makeRows(app.log, 'sft', { filter: { reward_min: -5 } })).rows).toHaveLength(1);
  });

  it('can be forked without drift, and labelled as episodes of tools can', async () => {
    const { id } = await playGrid(app, server.url, WAY);
    const call = app.as('seat-1');
    const fork = await call('episode.fork', { episode: id, turn: 2 });
    await makeMoves(app, fork.episode, ['DOWN', 'LEFT', 'RIGHT']);
    const better = {
      type: 'call_tool',
      tool_name: 'grid_world_action',
      arguments: { action: 'DOWN' },
    } as const;
    const timing = { first_seen_at: null, active_ms: null };
    await call('label.give', { episode: fork.episode, turn: 4, move: better, timing });
    await makeMoves(app, fork.episode, ['DOWN']);
    const forked = await app.ended(fork.episode);
    expect(forked.forked).toMatchObject({ from: id, replayed: 2, drift: [] });
    expect(forked.turns.map(({ call: made }) => made?.sent?.arguments['action'])).toEqual([
      'RIGHT',
      'RIGHT',
      'DOWN',
      'LEFT',
      'RIGHT',
      'DOWN',
    ]);
    expect(forked.turns[3]?.label).toMatchObject({ agrees: false, move: better });
    const [pair] = (await makeRows(app.log, 'preference')).rows;
    expect([callsIn(pair?.['chosen']), callsIn(pair?.['rejected'])]).toEqual([
      [{ action: 'DOWN' }],
      [{ action: 'LEFT' }],
    ]);
  });
});
