import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readAddress, type Address } from '../../src/main/openenv/address.ts';
import { describeServer } from '../../src/main/openenv/serverDescription.ts';
import type { EpisodeRecord } from '../../src/shared/episode/record.ts';
import { actionServer } from '../support/actionServer.ts';
import { createFlow, spec } from '../support/flow.ts';
import { ASK_ALL, ME, native, replies } from '../support/stepIn.ts';
import { connect, newFolder, openTap, type Client, type OpenTap } from '../support/tap.ts';

const TIMING = { first_seen_at: null, active_ms: null };
const describeHere = (address: Address) => describeServer(address);
const step = (action: string) => ({ type: 'step', data: { action } });
const WAY = ['RIGHT', 'RIGHT', 'DOWN', 'DOWN'];

let server: Awaited<ReturnType<typeof actionServer>>;
let tapped: OpenTap;
let client: Client;
beforeEach(async () => {
  server = await actionServer();
  tapped = await openTap(server.url, { may_act: true }, newFolder(), {
    describe: ({ url }) => describeServer(readAddress(url)),
  });
  client = await connect(tapped.url);
  await client.reset({});
});
afterEach(async () => {
  client.socket.close();
  await tapped.close();
  await server.close();
});

const episode = async (): Promise<string> => {
  const [id = ''] = await tapped.episodes();
  await tapped.until(id, ({ tools }) => tools.length > 0);
  return id;
};

/** What one behaviour has to look like, whichever way it was recorded. */
const facts = (
  { reset, tools, turns, ended }: EpisodeRecord,
  loadText: OpenTap['log']['texts']['loadText'],
) => ({
  task: reset?.task === null || reset === null ? null : loadText(reset.task),
  tools: tools.map(({ name, input_schema }) => [name, input_schema]),
  turns: turns
    .filter(({ move }) => move?.type === 'call_tool')
    .map(({ move, call }) => {
      const returned = call?.returned ?? null;
      const text = (of: 'text' | 'error') => {
        const found = returned?.[of] ?? null;
        return found === null ? null : loadText(found);
      };
      return [move, returned?.reward, returned?.done, text('text'), text('error')];
    }),
  reward: ended?.reward,
  outcome: ended?.outcome,
});

describe('an environment of actions behind the tap', () => {
  it('is recorded as the same turns, rewards and texts that our own loop records of the same moves', async () => {
    for (const action of WAY) await client.say(step(action));
    const id = await episode();
    client.socket.close();
    const byTap = facts(await tapped.until(id, ({ ended }) => ended !== null), (text) =>
      tapped.log.texts.loadText(text),
    );

    const policy = replies(...WAY.map((action) => native('grid_world_action', { action })));
    const flow = createFlow({ policy, briefing: null, described: describeHere });
    const one = spec(server.url, { scenario: null, task_idx: null, condition: 'none' });
    const byLoop = facts(await flow.supervisor.start(one).ended, (text) => flow.log.texts.loadText(text));

    expect(byTap).toEqual(byLoop);
    expect(byTap.turns).toHaveLength(4);
    expect(byTap.reward).toBeCloseTo(0.25);
    expect(byTap.outcome).toBe('done');
  });

  it('sends a client’s action on as it is, even one that breaks the schema, and gives it the server’s answer', async () => {
    const direct = await connect(server.url);
    await direct.reset({});
    const answer = await client.say(step('SIDEWAYS'));

    expect(answer).toEqual(await direct.say(step('SIDEWAYS')));
    direct.socket.close();
    expect(server.frames.slice(-2)).toEqual([step('SIDEWAYS'), step('SIDEWAYS')]);
    const id = await episode();
    const { turns } = await tapped.until(id, (record) => record.turns.at(-1)?.call?.returned);
    expect(turns[0]?.call).toMatchObject({ refused: null, returned: { error: expect.anything() as object } });
  });

  it('lets a person change an action before it is made: the environment gets theirs, its client the answer to it', async () => {
    const id = await episode();
    await tapped.commands['policy.set']({ episode: id, rules: ASK_ALL }, ME);
    await tapped.tap.settled();
    const answer = client.say(step('LEFT'));
    await tapped.until(id, ({ turns }) => turns.at(-1)?.call?.held);
    await tapped.commands['call.decide'](
      {
        act: 'edit',
        episode: id,
        call: 't1',
        seen_seq: 1,
        timing: TIMING,
        tool_name: 'grid_world_action',
        arguments: { action: 'DOWN' },
        reason: null,
        is_unchecked: false,
      },
      ME,
    );

    expect((await answer).data.observation['board']).toEqual([
      [0, 0, 0],
      [1, 0, 0],
      [0, 0, 0],
    ]);
    expect(server.frames.at(-1)).toEqual(step('DOWN'));
  });

  it('says a person’s rejection to its client as the environment would say an error', async () => {
    const id = await episode();
    await tapped.commands['policy.set']({ episode: id, rules: ASK_ALL }, ME);
    await tapped.tap.settled();
    const answer = client.say(step('LEFT'));
    await tapped.until(id, ({ turns }) => turns.at(-1)?.call?.held);
    await tapped.commands['call.decide'](
      { act: 'reject', episode: id, call: 't1', seen_seq: 1, timing: TIMING, reason: 'There is a wall.' },
      ME,
    );

    expect(await answer).toMatchObject({ type: 'error', data: { message: 'There is a wall.' } });
    expect(server.frames.filter(({ type }) => type === 'step')).toEqual([]);
  });

  it('lets a person who takes over make actions of their own between the client’s', async () => {
    const id = await episode();
    await tapped.commands['episode.control'](
      { episode: id, act: 'take_over', at_once: false, reason: null, note: null, is_discarded: false },
      ME,
    );
    await tapped.commands['takeover.move'](
      {
        episode: id,
        say: '',
        move: { type: 'call_tool', tool_name: 'grid_world_action', arguments: { action: 'DOWN' } },
        is_unchecked: false,
      },
      ME,
    );
    const record = await tapped.until(id, ({ turns }) => turns.at(-1)?.call?.returned);

    expect(server.frames.at(-1)).toEqual(step('DOWN'));
    expect(record.turns.at(-1)?.call?.returned?.reward).toBe(-0.25);
  });
});
