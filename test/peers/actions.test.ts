import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { askServers, openEnvServer } from '../../src/main/environments/openenv.ts';
import { serverSpec } from '../../src/shared/environmentKinds.ts';
import { readAddress, type Address } from '../../src/main/openenv/address.ts';
import { describeServer } from '../../src/main/openenv/serverDescription.ts';
import { createFlow, spec } from '../support/flow.ts';
import { native, replies } from '../support/stepIn.ts';
import { newFolder, openTap } from '../support/tap.ts';
import { python, pythonRows, RELEASES, type Program } from './support.ts';

const describeHere = (address: Address) => describeServer(address);

/**
 * What is played in each environment: an action that breaks its schema, a way that the environment cannot go, and the way
 * to the end. `unfit` is what our agent reads of the first, which is not sent; a client is refused it by the server.
 */
const PLAYS = {
  grid: {
    tool: 'grid_action',
    actions: ['SIDEWAYS', 'UP', 'RIGHT', 'RIGHT', 'DOWN', 'DOWN'].map((direction) => ({ direction })),
    unfit: /direction must be one of "UP", "DOWN", "LEFT", "RIGHT"/,
    refused: [/there is a wall/],
    reward: 0.25,
  },
  thrusters: {
    tool: 'thruster_action',
    actions: [
      { thruster: 13, mode: 'fine' },
      { thruster: 7 },
      { thruster: 7, mode: 'fine' },
      { thruster: 7, mode: 'fine' },
    ],
    unfit: /thruster must be 12 or less/,
    refused: [],
    reward: 0.7,
  },
} as const;
const KINDS = Object.keys(PLAYS) as (keyof typeof PLAYS)[];

it('lists the tasks of the real Task API, and begins with the one that was chosen', async () => {
  const server = python('openenv-0.10.0', 'action_environments.py', ['tasks']);
  try {
    const url = `http://127.0.0.1:${await server.firstLine}`;
    const environment = openEnvServer(serverSpec('tasks', 'tasks', url), {
      workingAddress: (shown) => shown,
      ...askServers(),
      seed: () => Promise.resolve(null),
      taskSecrets: () => Promise.resolve({ secrets: null, missing: { message: '', next: null } }),
    });
    expect((await environment.scenarios()).map(({ name, tasks }) => [name, tasks])).toEqual([
      ['train', ['walk to the corner', 'walk back']],
      ['test', ['walk around']],
    ]);
    const session = await environment.open(new AbortController().signal);
    const chosen = { scenario: 'train', task_idx: 1 };
    const { result } = await session.reset({ ...chosen, ...session.resetArguments(chosen) });
    session.close();
    expect(result.task).toContain('walk back');
  } finally {
    await server.end();
  }
});

describe.each(RELEASES.flatMap((release) => KINDS.map((kind) => ({ release, kind }))))(
  'the environment $kind of actions on the real server of $release',
  ({ release, kind }) => {
    const { tool, actions, unfit, refused, reward } = PLAYS[kind];
    let server: Program;
    let url: string;
    const closing: (() => Promise<void>)[] = [];
    beforeAll(async () => {
      server = python(release, 'action_environments.py', [kind]);
      url = `http://127.0.0.1:${await server.firstLine}`;
    });
    afterEach(async () => {
      for (const close of closing.splice(0)) await close();
    });
    afterAll(() => server.end());

    it('is played by an agent to the end it declares; what breaks the schema is not sent, other refusals are in the server’s words', async () => {
      const policy = replies(...actions.map((action) => native(tool, action)));
      const flow = createFlow({ policy, briefing: null, described: describeHere });
      const one = spec(url, { scenario: null, task_idx: null, condition: 'none' });
      const record = await flow.supervisor.start(one).ended;

      expect(record.ended).toMatchObject({ outcome: 'done', reason: 'the environment ended the episode' });
      expect(record.ended?.reward).toBeCloseTo(reward);
      expect(record.turns).toHaveLength(actions.length);
      expect(record.turns[0]?.call).toMatchObject({ sent: null, refused: { reason: 'malformed' } });
      expect(record.turns[0]?.call?.refused?.text).toMatch(unfit);
      const errors = record.turns.flatMap(({ call }) => {
        const error = call?.returned?.error ?? null;
        return error === null ? [] : [flow.log.texts.loadText(error)];
      });
      expect(errors).toHaveLength(refused.length);
      for (const [at, words] of refused.entries()) expect(errors[at]).toMatch(words);
    });

    it('is seen through the tap by the real client as without it, and each of its actions is a recorded turn', async () => {
      const tapped = await openTap(url, {}, newFolder(), {
        describe: ({ url: at }) => describeServer(readAddress(at)),
      });
      closing.push(tapped.close);
      const rows = await pythonRows(release, 'drive_actions.py', [JSON.stringify(actions), url, tapped.url]);
      const direct = rows.slice(0, actions.length + 1);
      const through = rows.slice(actions.length + 1);

      expect(through).toEqual(direct);
      expect(direct).toHaveLength(actions.length + 1);
      const [id = ''] = await tapped.episodes();
      const record = await tapped.until(id, ({ ended }) => ended !== null);
      expect(record.turns.map(({ move }) => move)).toEqual(
        actions.map((action) => ({
          type: 'call_tool',
          tool_name: tool,
          arguments: expect.objectContaining(action) as object,
        })),
      );
      expect(record.ended?.reward).toBeCloseTo(reward);
      expect(record.ended?.outcome).toBe('done');
    });
  },
);
