// The built-in worlds against OpenEnv's own `validate`, and the world of actions driven by the real clients. What
// `validate` asks of a package on disk (its manifest, image, lock files) has no counterpart in a server that is part of
// this product.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAddress } from '../../src/main/openenv/address.ts';
import { askEndpoints } from '../../src/main/openenv/endpoints.ts';
import { flightBriefing, NAME } from '../../src/main/worlds/thrusters/tasks.ts';
import { actionServer } from '../support/actionServer.ts';
import { interject, pythonRows, RELEASES, type Program } from './support.ts';

const never = new AbortController().signal;
let world: Program;
let url = '';
beforeAll(async () => {
  world = interject(['world', '--port', '0', '--json']);
  ({ url } = JSON.parse(await world.firstLine) as { url: string });
});
afterAll(() => world.end());

describe('openenv validate', () => {
  it('passes the built-in worlds of tools and the world of actions, in every check of a running server', async () => {
    const found = await pythonRows('openenv-0.10.0', 'validate_worlds.py', [url, `${url}/worlds/${NAME}`]);

    const all = {
      openapi_version_available: true,
      health_endpoint: true,
      metadata_endpoint: true,
      schema_endpoint: true,
      mcp_endpoint: true,
      mode_endpoint_consistency: true,
    };
    expect(found).toEqual([
      { passed: true, mode: 'simulation', criteria: all },
      { passed: true, mode: 'simulation', criteria: all },
    ]);
  });
});

describe('the endpoints that `doctor --env` asks for', () => {
  it('are there and missing for the same servers as for openenv validate', async () => {
    const bare = await actionServer({ breaks: 'health' });
    try {
      const servers = [url, `${url}/worlds/${NAME}`, bare.url];
      const asked = await Promise.all(servers.map(async (one) => askEndpoints(readAddress(one), never)));
      const ours = asked.map((found) => Object.fromEntries(found.map(({ id, isThere }) => [id, isThere])));
      const theirs = await pythonRows('openenv-0.10.0', 'validate_worlds.py', servers);

      expect(ours).toEqual(theirs.map(({ criteria }) => criteria));
      expect(Object.values(ours[2] ?? {}).filter((isThere) => !isThere)).toHaveLength(1);
    } finally {
      await bare.close();
    }
  });
});

describe.each(RELEASES)('the real client of %s in the world of actions', (release) => {
  it('resets, is refused what is no action, and docks by the reference plan', async () => {
    const plan = (flightBriefing(0)?.reference ?? []).map(({ args }) => args);
    const actions = JSON.stringify([{ thruster: 13 }, ...plan]);
    const rows = await pythonRows(release, 'drive_actions.py', [actions, `${url}/worlds/${NAME}`]);

    expect(rows[0]).toMatchObject({ reward: null, done: false, observation: { message: 'Flying.' } });
    expect(String(rows[1]?.['error'])).toContain('VALIDATION_ERROR');
    expect(rows.at(-1)).toMatchObject({ done: true, observation: { message: 'Docked.' } });
    const rewards = rows.slice(2).map(({ reward }) => Number(reward));
    expect(rewards.reduce((sum, one) => sum + one, 0)).toBeGreaterThan(0.9);
  });
});
