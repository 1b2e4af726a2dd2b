import { afterEach, describe, expect, it } from 'vitest';
import { createFlow, serveEnvironment, spec, type Tool } from '../support/flow.ts';
import { heldReset } from '../support/heldReset.ts';

const closers: (() => unknown)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

const limits = { turns: 15, consultations: 3, time_ms: 300, stall_steps: 5, delivered_chars: 24_000 };
const AT_ITS_LIMIT = {
  outcome: 'limit',
  reason: 'time',
  limit: { name: 'time_ms', of: 'episode', value: 300, from: 'start' },
  failure: null,
  reward_type: null,
};

async function serve(tools: Record<string, Tool>) {
  const server = await serveEnvironment(tools);
  closers.push(() => server.close());
  return server;
}

describe('an environment that hangs until the episode’s time is over', () => {
  it('in a step ends the episode at its limit, names the step, and closes the socket', async () => {
    const server = await serve({ find_workflow: () => 'hang' });
    const { supervisor } = createFlow();

    const record = await supervisor.start(spec(server.url, { condition: 'none', limits })).ended;
    await server.left;

    expect(record.ended).toMatchObject(AT_ITS_LIMIT);
    expect(record.timeline.findLast(({ type }) => type === 'connection')).toMatchObject({
      state: 'closed',
      failure: {
        code: 'env_timeout',
        message: expect.stringMatching(
          /^test did not answer find_workflow in the 0\.\d s that were left of the episode’s 0\.3 s$/,
        ),
        next: expect.stringContaining('Settings, Budgets'),
      },
    });
    expect(record.turns.at(-1)?.call).toMatchObject({ returned: null });
    // With the session gone there is nothing left to verify.
    expect(server.calls.map(({ tool }) => tool)).toEqual(['find_workflow']);
  });

  it('in its reset ends the episode at its limit too, without another try', async () => {
    const server = await heldReset();
    closers.push(() => server.close());
    const { supervisor } = createFlow();
    const started = supervisor.start(spec(server.url, { condition: 'none', limits, startRetries: 3 }));

    const record = await started.ended;
    await server.left;

    expect(record.ended).toMatchObject(AT_ITS_LIMIT);
    expect(record.timeline.filter(({ type }) => type === 'connection').at(-1)).toMatchObject({
      failure: {
        code: 'env_timeout',
        message: expect.stringMatching(/^test did not answer reset in the 0\.3 s/),
      },
    });
    expect(server.goodbyes).toEqual(['close']);
  });

  it('in the listing of its tools does not outlast it either', async () => {
    const server = await serve({ list_tools: () => 'hang' });
    const { supervisor } = createFlow();

    const record = await supervisor.start(spec(server.url, { condition: 'none', limits })).ended;

    expect(record.ended).toMatchObject(AT_ITS_LIMIT);
  });
});
