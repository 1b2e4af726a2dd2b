// An episode whose reset or call was given a secret, which no log holds: nothing that resets by the log alone begins without it.
import { drawPoints } from '../../src/main/commands/lifts.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AGENT, ENVIRONMENT } from '../../src/shared/events/actor.ts';
import type { EventOf } from '../../src/shared/events/vocabulary.ts';
import { ended, HUMAN, reset, started, SYSTEM } from '../support/log.ts';
import { liftRequest } from '../support/plantedLift.ts';
import { ME, TIMING } from '../support/killed.ts';
import { openProduct, removeFolder, type Product } from '../support/product.ts';

let product: Product;
beforeEach(async () => {
  product = await openProduct(undefined, {}, 'leave');
});
afterEach(async () => {
  await product.close();
  removeFolder(product.folder);
});

const CALL = { tool_name: 'list_workspaces', arguments: {} };
const REFUSAL = {
  code: 'bad_input',
  message:
    'its reset was given api_key, which no log holds: without it a session would begin in another state',
  next: 'Start its task again with the secret.',
};

/** An episode that was interrupted after its reset. */
function play(id: string, given: Record<string, string>): void {
  const request = { scenario: 'loomline_workflows', task_idx: 0, ...given };
  product.log.appendAll(
    id,
    [started({ reset: given }), reset({ request }), ended({ outcome: 'interrupted' })].map((event) => ({
      actor: SYSTEM,
      event,
    })),
  );
}

it.each([
  ['a fork', 'episode.fork', { episode: 'e', turn: 0 }],
  ['a resume', 'episode.resume', { episode: 'e' }],
] as const)(
  '%s says that the secret is lost, and what to do, and begins nothing',
  async (_what, method, input) => {
    play('e', { api_key: '[redacted]', region: 'north' });

    await expect(product.as(ME)(method, input)).rejects.toMatchObject(REFUSAL);

    expect(product.supervisor.running()).toBe(0);
    expect(product.log.projections.open()).toEqual([]);
  },
);

it.each([
  [
    'a try of calls',
    'preview.run',
    { episode: 'e', turn: 0, call: null, calls: [CALL], with_verdict: false },
  ],
  ['the state of its world', 'state.tables', { episode: 'e', turn: 0 }],
] as const)('%s is refused rather than made in another state', async (_what, method, input) => {
  play('e', { api_key: '[redacted]', region: 'north' });

  await expect(product.as(ME)(method, input)).rejects.toMatchObject(REFUSAL);
});

it('without a secret among its arguments it is forked as ever', async () => {
  play('e', { region: 'north' });

  const { episode } = await product.as(ME)('episode.fork', { episode: 'e', turn: 0 });

  expect((await product.until(episode, ({ reset: opened }) => opened)).reset?.request).toMatchObject({
    region: 'north',
  });
});

describe('an episode with a call that was given one', () => {
  /** What the log holds of it: the password under its mark. */
  const playCall = (): void => {
    const args = { user: 'ada', password: 'tulip' };
    const move = { type: 'call_tool' as const, tool_name: 'list_workspaces', arguments: args };
    const request = { scenario: 'loomline_workflows', task_idx: 0 };
    product.log.appendAll('e', [
      { actor: SYSTEM, event: started({}) },
      { actor: SYSTEM, event: reset({ request }) },
      {
        actor: AGENT,
        event: { kind: 'move.proposed', turn: 1, call: 'c1', move, repairs: [], ignored_calls: 0 },
      },
      {
        actor: AGENT,
        event: { kind: 'call.sent', call: 'c1', tool_name: 'list_workspaces', arguments: args },
      },
      {
        actor: ENVIRONMENT,
        event: {
          kind: 'call.returned',
          call: 'c1',
          frame: '{}',
          reward_type: 'tool_call_ok',
          reward: 0,
          done: false,
          text: 'ok',
          error: null,
          latency_ms: 1,
          read: { role: 'user', tool_call_id: null, name: null },
        },
      },
      { actor: SYSTEM, event: ended({ outcome: 'interrupted' }) },
    ]);
  };
  const ofCall = {
    ...REFUSAL,
    message:
      'the call of turn 1 was given password, which no log holds: without it a session would come to another state',
  };

  it.each([
    ['a fork after it', 'episode.fork', { episode: 'e', turn: 1 }],
    ['a resume', 'episode.resume', { episode: 'e' }],
  ] as const)('is not brought to where it was: %s', async (_what, method, input) => {
    playCall();
    expect(product.log.record('e').turns[0]?.call?.sent?.arguments).toEqual({
      user: 'ada',
      password: '[redacted:5]',
    });

    await expect(product.as(ME)(method, input)).rejects.toMatchObject(ofCall);
  });

  it('is forked before it as ever', async () => {
    playCall();

    const { episode } = await product.as(ME)('episode.fork', { episode: 'e', turn: 0 });

    expect(episode).not.toBe('e');
  });
});

it('a lift does not measure it, and counts why', () => {
  play('e', { api_key: '[redacted]' });
  const hint = {
    kind: 'note.interjected' as const,
    note: 'n1',
    text: 'A hint.',
    privilege: [],
  } satisfies Partial<EventOf<'note.interjected'>>;
  product.log.append('e', HUMAN, { ...hint, timing: TIMING });

  expect(() => drawPoints(product.log, liftRequest({ run: null, episodes: ['e'] }))).toThrow(
    'there is no answered question to go on from (lost_secret 1)',
  );
});
