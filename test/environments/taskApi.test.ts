import { afterEach, describe, expect, it } from 'vitest';
import { askServers, openEnvServer } from '../../src/main/environments/openenv.ts';
import { serverSpec } from '../../src/shared/environmentKinds.ts';
import { actionServer } from '../support/actionServer.ts';
import { playGrid } from '../support/playGrid.ts';
import { openProduct, removeFolder } from '../support/product.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const environmentAt = (url: string) =>
  openEnvServer(serverSpec('tasks', 'tasks', url), {
    workingAddress: (shown) => shown,
    ...askServers(),
    seed: () => Promise.resolve(null),
    taskSecrets: () => Promise.resolve({ secrets: null, missing: { message: '', next: null } }),
  });

const SPLITS = {
  train: [{ id: 'a', question: 'Walk to the corner.' }, { name: 'b' }],
  test: [{ size: 3 }],
};

describe('tasks that a server lists by splits (OpenEnv’s Task API)', () => {
  it('are listed as scenarios, each task by its question, its name or its JSON', async () => {
    const server = await actionServer({ splits: SPLITS });
    closing.push(server.close);
    const environment = environmentAt(server.url);
    expect(await environment.scenarios()).toEqual([
      { name: 'train', description: 'split', tasks: ['Walk to the corner.', 'b'] },
      { name: 'test', description: 'split (train)', tasks: ['{"size":3}'] },
    ]);
    expect((await environment.tasks('train')).map(({ task_idx, task }) => [task_idx, task])).toEqual([
      [0, 'Walk to the corner.'],
      [1, 'b'],
    ]);
  });

  it('are chosen at reset by split and index, and the episode knows its task', async () => {
    const server = await actionServer({ splits: SPLITS });
    const app = await openProduct();
    closing.push(
      () => app.close(),
      () => server.close(),
      () => removeFolder(app.folder),
    );
    const record = await playGrid(app, server.url, ['RIGHT', 'RIGHT', 'DOWN', 'DOWN'], {
      scenario: 'train',
      task_idx: 1,
    });
    expect(server.frames[0]?.data).toMatchObject({ split: 'train', index: 1 });
    expect(record.reset).toMatchObject({ scenario: 'train', task_idx: 1 });
  });

  it('are not asked of a server that has none: its scenarios are none, its resets name no split', async () => {
    const server = await actionServer();
    closing.push(server.close);
    const environment = environmentAt(server.url);
    expect(await environment.scenarios()).toEqual([]);
    const session = await environment.open(new AbortController().signal);
    closing.push(() => session.close());
    expect(session.resetArguments({ scenario: 'train', task_idx: 1 })).toEqual({});
  });
});
