// Whole episodes of MCP environments on the real server: by our agent, and by the real client with and without the tap.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readAddress } from '../../src/main/openenv/address.ts';
import { describeServer } from '../../src/main/openenv/serverDescription.ts';
import { createFlow, spec } from '../support/flow.ts';
import { native, replies } from '../support/stepIn.ts';
import { newFolder, openTap } from '../support/tap.ts';
import { python, pythonRows, type Program } from './support.ts';

const describeHere = (address: string) => describeServer(readAddress(address));

const PLAYS = {
  shelf: [
    { tool_name: 'count_items', arguments: { name: 'apple' } },
    { tool_name: 'take_items', arguments: { name: 'apple', amount: 9 } },
    { tool_name: 'take_items', arguments: { name: 'apple', amount: 3 } },
  ],
  quiz: [
    { tool_name: 'hint', arguments: {} },
    { tool_name: 'submit_answer', arguments: { answer: 42 } },
  ],
} as const;
const KINDS = Object.keys(PLAYS) as (keyof typeof PLAYS)[];

describe.each(KINDS)('the MCP environment %s on the real server', (kind) => {
  const calls = PLAYS[kind];
  let server: Program;
  let url = '';
  const closing: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    server = python('openenv-0.10.0', 'tool_environments.py', [kind]);
    url = `http://127.0.0.1:${await server.firstLine}`;
  });
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });
  afterAll(() => server.end());

  it('is played by an agent to the end that it declares', async () => {
    const policy = replies(...calls.map(({ tool_name, arguments: args }) => native(tool_name, args)));
    const flow = createFlow({ policy, briefing: null, described: describeServer });
    const one = spec(url, { scenario: null, task_idx: null, condition: 'none' });
    const record = await flow.supervisor.start(one).ended;

    expect(record.ended).toMatchObject({
      outcome: 'done',
      reason: 'the environment ended the episode',
      reward: 1,
    });
    expect(record.tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(calls.map(({ tool_name }) => tool_name)),
    );
    expect(record.turns).toHaveLength(calls.length);
  });

  it('is seen through the tap as without it, each call a recorded turn', async () => {
    const tapped = await openTap(url, {}, newFolder(), { describe: ({ url: at }) => describeHere(at) });
    closing.push(tapped.close);
    const actions = JSON.stringify(calls.map((call) => ({ type: 'call_tool', ...call })));
    const rows = await pythonRows('openenv-0.10.0', 'drive_actions.py', [actions, url, tapped.url]);
    const half = calls.length + 1;

    expect(rows).toHaveLength(2 * half);
    expect(rows.slice(half)).toEqual(rows.slice(0, half));
    const [id = ''] = await tapped.episodes();
    const record = await tapped.until(id, ({ ended }) => ended !== null);
    expect(record.turns.map(({ move }) => move)).toEqual(
      calls.map((call) => ({ type: 'call_tool', ...call })),
    );
    expect(record.ended).toMatchObject({ outcome: 'done', reward: 1 });
  });
});
