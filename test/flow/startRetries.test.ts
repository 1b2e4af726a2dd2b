import { afterEach, expect, it } from 'vitest';
import { startDelay } from '../../src/main/episode/startRetries.ts';
import { Failure } from '../../src/shared/failure.ts';
import { createFlow, serveEnvironment, spec, type Tool } from '../support/flow.ts';
import { serveWorlds } from '../support/worlds.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const RESET = { reward_type: 'reset_ok', scenario: 's_1', task: 'Rename it.', task_idx: 0, num_tools: 2 };
const NO_ROOM = { code: 'CAPACITY_REACHED', message: 'Server at capacity: 4/4 sessions active' };

async function play(startRetries: number, resets: Tool) {
  const environment = await serveEnvironment({ reset: resets });
  closers.push(() => environment.close());
  const { log, supervisor } = createFlow();
  const { id, ended } = supervisor.start(spec(environment.url, { condition: 'none', startRetries }));
  const record = await ended;
  const retried = log.read(id).flatMap(({ event }) => (event.kind === 'start.retried' ? [event] : []));
  return { record, retried };
}

it('starts an episode once the server has room and its world could be built, and records each failed try', async () => {
  const answers = [
    { error: NO_ROOM },
    { observation: { reward_type: 'reset_error', error: 'Sub-environment failed to start' }, reward: null },
    { observation: RESET, reward: null },
  ];

  const { record, retried } = await play(4, () => answers.shift() ?? { observation: RESET });

  expect(retried.map(({ tries, retries, failure }) => [tries, retries, failure.code])).toEqual([
    [1, 4, 'env_capacity'],
    [2, 4, 'reset_failed'],
  ]);
  expect(record.ended?.outcome).toBe('done');
  expect(record.timeline.filter(({ type }) => type === 'start_retried')).toHaveLength(2);
});

it('gives up after as many tries as were allowed, with the last failure', async () => {
  const { record, retried } = await play(2, () => ({ error: NO_ROOM }));

  expect(retried).toHaveLength(2);
  expect(record.ended).toMatchObject({ outcome: 'error', failure: { code: 'env_capacity' } });
});

it('tries nothing again that will never work, and nothing where no retry was asked for', async () => {
  const refused = () => ({ observation: { reward_type: 'reset_error', error: "Scenario 'x' not found" } });

  expect((await play(4, refused)).retried).toEqual([]);
  expect((await play(0, () => ({ error: NO_ROOM }))).retried).toEqual([]);
});

it('names a server that answers with the frame of a full one before it was asked', async () => {
  const worlds = await serveWorlds({ capacity: 1 });
  closers.push(() => worlds.close());
  const holder = await worlds.talk();
  await holder.reset({ scenario: 'loomline_workflows', task_idx: 0 });
  const { supervisor } = createFlow();

  const { ended } = supervisor.start(spec(worlds.url, { condition: 'none', startRetries: 1 }));

  const record = await ended;
  expect(record.timeline.filter(({ type }) => type === 'start_retried')).toHaveLength(1);
  expect(record.ended?.failure?.code).toBe('env_capacity');
});

it('waits twice as long before each try, up to half a minute', () => {
  const full = new Failure('env_capacity', 'full');
  const waits = [1, 2, 3, 9].map((tries) => startDelay(full, { tries, retries: 20, random: 1 }));

  expect(waits).toEqual([1_000, 2_000, 4_000, 30_000]);
  expect(startDelay(full, { tries: 3, retries: 2, random: 1 })).toBeNull();
});
