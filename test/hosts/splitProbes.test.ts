import { describe, expect, it } from 'vitest';
import { builtInSpec } from '../../src/shared/environmentKinds.ts';
import type { App } from '../../src/main/app/types.ts';
import { playProbes } from '../../src/main/hosts/splitProbes.ts';
import { chosenTasks } from '../../src/main/hosts/runTasks.ts';

const request = {
  probe: 'no_op' as const,
  run: 'split half: untouched',
  environment: 'builtin',
  tasks: [0, 1, 2].map((task_idx) => ({ scenario: 'shop', task_idx })),
  agent: { policy: 'rehearsal', protocol: 'native', model: null } as const,
  rollouts: 1,
  seed: 0,
  turns: undefined,
  retries: 0,
};

describe('the probes of a split', () => {
  it('say nothing of episodes that Ctrl+C cut off', async () => {
    const said: string[] = [];
    const output = {
      say: (text: string) => said.push(text),
      line: () => undefined,
      gone: new AbortController().signal,
    } as unknown as Parameters<typeof playProbes>[2];
    const close = Promise.withResolvers<void>();
    const stopped = close.promise.then(() => ({ ended: { outcome: 'stopped' } }));
    const app = {
      runSpecs: (start: object) => [{ ...start, environment: builtInSpec('') }],
      log: { projections: { episodes: () => ({ rows: [] }) } },
      supervisor: {
        start: ({ task_idx }: { task_idx: number }) => ({
          ended:
            task_idx === 0
              ? Promise.resolve({ ended: { outcome: 'done', reward_type: 'incomplete' } })
              : task_idx === 1
                ? stopped
                : close.promise.then(() => ({ ended: null })),
        }),
        close: () => close.resolve(),
      },
    } as unknown as App;
    const before = new Set(process.listeners('SIGINT'));

    const played = playProbes(app, request, output);
    const [stop] = process.listeners('SIGINT').filter((one) => !before.has(one));
    await Promise.resolve();
    stop?.('SIGINT');

    await expect(played).rejects.toThrow('the split was stopped');
    expect(said.filter((text) => text.includes('no verdict'))).toEqual([]);
    expect(said.filter((text) => text.includes('incomplete'))).toHaveLength(1);
    expect(new Set(process.listeners('SIGINT'))).toEqual(before);
  });
});

describe('a built-in world that is not there', () => {
  it('is named, with those that are, where all its tasks are asked for', async () => {
    const handlers = {
      'tasks.list': () => Promise.resolve({ tasks: [] }),
      'scenarios.search': () => Promise.resolve({ scenarios: [{ name: 'shop', tasks: 3 }] }),
    };
    const app = { environments: { handlers } } as unknown as App;
    const choice = { scenario: 'nope', task: 'all', file: undefined, list: undefined };

    await expect(chosenTasks(app, 'builtin', choice)).rejects.toMatchObject({
      message: 'there is no built-in world nope',
      next: 'There are: shop. A world of your own needs --world-dir.',
    });
  });
});
