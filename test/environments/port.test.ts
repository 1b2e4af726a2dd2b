// The same few requests through the port, whatever plays the environment: over real sockets.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { builtInSpec, serverSpec } from '../../src/shared/environmentKinds.ts';
import { openEnvironments } from '../../src/main/environments/environments.ts';
import type { Environment } from '../../src/main/environments/port.ts';
import { serveEnvironment } from '../support/flow.ts';
import { PACK, root, serveWorlds } from '../support/worlds.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function environments() {
  const served = await serveWorlds();
  const { environmentOf } = await openEnvironments({
    worlds: served.worlds,
    listenWorlds: () => Promise.resolve({ url: served.url, close: () => Promise.resolve() }),
    workingAddress: (shown) => shown,
    awmFolder: () => '',
    awmVerifying: () => ({ mode: 'code', judge: null }),
  });
  closers.push(() => served.close());
  return { environmentOf, url: served.url };
}

/** What an episode of one call asks of its environment. */
async function play(environment: Environment, reset: Record<string, unknown>) {
  const session = await environment.open(AbortSignal.timeout(10_000));
  try {
    const { result, refusal } = await session.reset(reset);
    await session.listTools();
    const verified = refusal === null ? await session.verifyOnce('done', undefined) : null;
    const finished = refusal === null ? await session.finishEnvironment({ keepsSession: true }) : null;
    return { result, refusal, verified, finished };
  } finally {
    session.close();
  }
}

describe('an environment', () => {
  it('is verified and finished where it labels its steps, in the same words built in as over an address', async () => {
    const { environmentOf, url } = await environments();
    const reset = { scenario: PACK, task_idx: 0, seed: 0 };

    const builtIn = await play(environmentOf(builtInSpec('http://127.0.0.1:1')), reset);
    const server = await play(environmentOf(serverSpec('s', 's', url)), reset);

    expect(builtIn.verified).toMatchObject({ verifier_mode: 'code', final_answer: 'done' });
    expect(builtIn.verified?.reward_type).toBe(server.verified?.reward_type);
    expect(builtIn.result.task).toBe(server.result.task);
    expect(builtIn.finished?.reward_type).toBe(server.finished?.reward_type);
    // Only a server that is not ours is asked to keep its folder.
    expect(builtIn.finished?.frame).not.toContain('"session_dir":"');
    expect(server.finished?.frame).toContain('"session_dir":"');
  });

  it('is neither verified nor finished where it labels nothing: its tools are all it hears of', async () => {
    const generic = await serveEnvironment({ reset: () => ({ observation: {}, reward: null }) });
    closers.push(() => generic.close());
    const { environmentOf } = await environments();

    const played = await play(environmentOf(serverSpec('g', 'g', generic.url)), {});

    expect(played).toMatchObject({ refusal: null, verified: null, finished: null });
    expect(generic.calls).toEqual([]);
  });

  it('says in its own words why it could not reset', async () => {
    const { environmentOf } = await environments();

    const { refusal } = await play(environmentOf(builtInSpec('')), {
      scenario: 'no_such_world',
      task_idx: 0,
    });

    expect(refusal).toContain('no_such_world');
  });

  it('lists the same tasks from memory as over its address', async () => {
    const { environmentOf, url } = await environments();
    const builtIn = environmentOf(builtInSpec(''));
    const server = environmentOf(serverSpec('s', 's', url));

    const tasks = (await builtIn.tasks(PACK)).map(({ task }) => task);

    expect(tasks.length).toBeGreaterThan(0);
    expect((await server.tasks(PACK)).map(({ task }) => task)).toEqual(tasks);
    // A world of actions has an address of its own.
    expect([...(await server.scenarios()).map(({ name }) => name), 'dockside_thrusters']).toEqual(
      (await builtIn.scenarios()).map(({ name }) => name),
    );
  });
});

it('the kind of an environment is asked for in one table and one list of adapters only', () => {
  /** The stored shape names the kind, and the card of an export counts what each kind’s licence covers. */
  const NAMED = [
    'src/main/dataset/export/card.ts',
    'src/main/dataset/export/collectRows.ts',
    'src/main/dataset/export/collectedRows.ts',
    'src/main/environments/environments.ts',
    'src/shared/environmentKinds.ts',
    'src/shared/events/lifecycle.ts',
  ];

  const naming = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map((file) => join('src', file))
    .filter((file) => /\.tsx?$/.test(file) && /\bbuiltin\b/.test(readFileSync(join(root, file), 'utf8')));

  expect(naming.toSorted()).toEqual(NAMED);
});
