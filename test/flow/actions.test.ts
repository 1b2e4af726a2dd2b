import { afterEach, describe, expect, it } from 'vitest';
import { writeMove } from '../../src/main/agent/writeMove.ts';
import type { Policy } from '../../src/main/agent/policy.ts';
import type { Address } from '../../src/main/openenv/address.ts';
import { describeServer } from '../../src/main/openenv/serverDescription.ts';
import { actionServer } from '../support/actionServer.ts';
import { createFlow, spec } from '../support/flow.ts';

const describeHere = (address: Address) => describeServer(address);

/** Makes these moves, then says that it is done. */
const going = (moves: readonly unknown[], seen: string[] = []): Policy => ({
  next: ({ messages }) => {
    seen.push(messages.at(-1)?.content ?? '');
    const at = messages.filter(({ role }) => role === 'assistant').length;
    const action = moves[at];
    return Promise.resolve(
      action === undefined
        ? writeMove('I stop.', null, 'native')
        : writeMove('', { id: `c${String(at)}`, name: 'grid_world_action', args: { action } }, 'native'),
    );
  },
});

describe('an environment that is driven by actions', () => {
  let server: Awaited<ReturnType<typeof actionServer>>;
  let flow: ReturnType<typeof createFlow>;
  const play = async (policy: Policy, faults: Parameters<typeof actionServer>[0] = {}) => {
    server = await actionServer(faults);
    flow = createFlow({ policy, briefing: null, described: describeHere });
    const one = spec(server.url, { scenario: null, task_idx: null, condition: 'none' });
    return flow.supervisor.start(one).ended;
  };
  afterEach(() => server.close());

  it('is played to the end that it declares, each action a turn with its own reward, their sum the episode’s', async () => {
    const seen: string[] = [];
    const record = await play(going(['RIGHT', 'RIGHT', 'DOWN', 'DOWN'], seen));

    expect(record.ended).toMatchObject({ outcome: 'done', reason: 'the environment ended the episode' });
    expect(record.ended?.reward).toBeCloseTo(0.25);
    expect(
      record.turns.map(({ call }) => [call?.sent?.arguments, call?.returned?.reward, call?.returned?.done]),
    ).toEqual([
      [{ action: 'RIGHT' }, -0.25, false],
      [{ action: 'RIGHT' }, -0.25, false],
      [{ action: 'DOWN' }, -0.25, false],
      [{ action: 'DOWN' }, 1, true],
    ]);
    expect(seen[0]).toBe(
      'Reach the goal in the corner.\n\nboard:\n1 0 0\n0 0 0\n0 0 0\nmessage: You are in the corner.',
    );
    expect(seen[1]).toContain('0 1 0\n0 0 0\n0 0 0\nmessage: Keep going.');
    expect(server.frames.slice(1)).toEqual(
      ['RIGHT', 'RIGHT', 'DOWN', 'DOWN'].map((action) => ({ type: 'step', data: { action } })),
    );
  });

  it('is never sent what breaks its schema: the agent reads which argument does not fit, and goes on', async () => {
    const seen: string[] = [];
    const record = await play(going(['SIDEWAYS', 'DOWN'], seen));

    expect(seen[1]).toBe(
      'Error: `grid_world_action` was not called, because its arguments do not fit: action must be one of "UP", "DOWN", "LEFT", "RIGHT". Correct them and call it again.',
    );
    expect(record.turns[0]?.call).toMatchObject({
      refused: { reason: 'malformed', text: seen[1] },
      sent: null,
      returned: null,
    });
    expect(server.frames.slice(1)).toEqual([{ type: 'step', data: { action: 'DOWN' } }]);
    expect(record.turns[1]?.call?.returned).toMatchObject({ reward: -0.25, error: null });
    expect(record.counts).toMatchObject({ turns: 3, refused: 1, formatErrors: 1 });
    expect(record.ended?.outcome).toBe('done');
  });

  it('is never sent an action that it does not have', async () => {
    const record = await play({
      next: ({ messages }) =>
        Promise.resolve(
          messages.some(({ role }) => role === 'assistant')
            ? writeMove('I stop.', null, 'native')
            : writeMove('', { id: 'c', name: 'fly', args: {} }, 'native'),
        ),
    });
    expect(record.turns[0]?.call?.refused).toMatchObject({ reason: 'unknown_tool' });
    expect(record.counts.formatErrors).toBe(1);
    expect(server.frames.filter(({ type }) => type === 'step')).toEqual([]);
  });

  it('tells its agent what it refused, in the environment’s words, where the schema had nothing against it', async () => {
    const seen: string[] = [];
    const record = await play(going(['DOWN', 'DOWN', 'DOWN'], seen), { isWalled: true });

    expect(seen[3]).toBe('Error: there is a wall');
    expect(record.turns[2]?.call?.returned?.error).not.toBeNull();
    expect(record.ended?.outcome).toBe('done');
  });
});
