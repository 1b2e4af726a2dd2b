import { afterEach, describe, expect, it } from 'vitest';
import { createRepeats } from '../../src/main/commands/repeats.ts';
import { openToolServer } from '../../src/main/environments/openenv.ts';
import type { Repeat } from '../../src/shared/contract/library.ts';
import { createFlow, serveEnvironment, spec } from '../support/flow.ts';

const CALLER = { seat: 'seat-one' };
const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** An episode of two calls that has ended, and its calls' results told by how often they were asked for. */
async function played(find: (time: number) => object | 'hang' | 'drop') {
  let asked = 0;
  const environment = await serveEnvironment({
    find_workflow: () => {
      asked += 1;
      return find(asked) as ReturnType<NonNullable<Parameters<typeof serveEnvironment>[0]>[string]>;
    },
  });
  const { log, supervisor } = createFlow();
  closers.push(
    () => environment.close(),
    () => log.close(),
  );
  const { id, ended } = supervisor.start(spec(environment.url, { condition: 'none' }));
  await ended;
  let lastId = 0;
  const repeats = createRepeats({
    log,
    environment: () => ({ id: 'other', name: 'other', url: environment.url, builtin: false }),
    openSession: ({ url }, signal) => openToolServer(url, { signal, timeouts: { stepMs: 5_000 } }),
    clock: Date.now,
    newId: () => `r${String((lastId += 1))}`,
    report: (thrown) => {
      throw thrown;
    },
  });
  const { handlers } = repeats;
  const list = async (): Promise<Repeat[]> =>
    (await handlers['repeat.list']({ episode: id }, CALLER)).repeats;
  const start = () => handlers['repeat.start']({ episode: id, environment: null }, CALLER);
  const settled = async (): Promise<Repeat> => {
    await expect.poll(async () => (await list())[0]?.state ?? 'running').not.toBe('running');
    return (await list())[0] as Repeat;
  };
  return { log, id, repeats, handlers, list, start, settled };
}

const found = (text: string): object => ({
  observation: { reward_type: 'tool_call_ok', tool_name: 'find_workflow', tool_result: text },
});

describe('calls that are made again', () => {
  it('are compared one by one: times and UUIDs may differ, anything else is drift', async () => {
    const { start, settled } = await played((time) =>
      found(`{"id": 7, "seen": "2026-01-0${String(time)}T10:00:00Z"}`),
    );
    await start();
    expect(await settled()).toMatchObject({
      state: 'finished',
      calls: 2,
      steps: [
        { tool_name: 'find_workflow', is_same: true, again: null },
        { tool_name: 'rename_workflow', is_same: true },
      ],
      rules: ['timestamps', 'uuids'],
    });
  });

  it('show what came back otherwise, beside the episode and never in it', async () => {
    const { log, id, start, settled } = await played((time) => found(`{"id": ${String(time)}}`));
    const { n } = log.record(id);
    await start();
    expect((await settled()).steps[0]).toMatchObject({ turn: 1, is_same: false, again: '{"id": 2}' });
    expect(log.record(id).n).toBe(n);
    expect(log.read(`again/${id}`)).toMatchObject([
      { actor: { type: 'human', id: 'seat-one' }, event: { kind: 'episode.repeated', outcome: 'finished' } },
    ]);
  });

  it('can be stopped, and keep what was found until then', async () => {
    const { handlers, start, list } = await played((time) => (time === 1 ? found('{}') : 'hang'));
    const { repeat } = await start();
    expect((await list())[0]?.state).toBe('running');
    await handlers['repeat.stop']({ repeat }, CALLER);
    expect((await list())[0]).toMatchObject({ state: 'stopped', calls: 2, steps: [] });
  });

  it('say at which call the environment was lost', async () => {
    const { start, settled } = await played((time) => (time === 1 ? found('{}') : 'drop'));
    await start();
    const { state, failure, steps } = await settled();
    expect({ state, steps }).toEqual({ state: 'failed', steps: [] });
    expect(failure?.code).toMatch(/^env_/);
  });

  it('are refused for an episode that is not there', async () => {
    const { handlers } = await played(() => found('{}'));
    await expect(
      handlers['repeat.start']({ episode: 'nobody', environment: null }, CALLER),
    ).rejects.toMatchObject({ code: 'not_found' });
  });
});
