import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTap, type OpenTap } from '../support/tap.ts';
import { type Served, serveWorlds } from '../support/worlds.ts';
import { pythonRows, RELEASES, root } from './support.ts';

const SCENARIO = 'loomline_workflows';
type Task = { reference: { tool: string; args?: Record<string, unknown> }[]; rehearsal: { final: string } };
const [first] = JSON.parse(
  readFileSync(join(root, 'resources/worlds', SCENARIO, 'tasks.json'), 'utf8'),
) as Task[];
const plan = JSON.stringify({
  scenario: SCENARIO,
  task_idx: 0,
  calls: first?.reference.map(({ tool, args = {} }) => ({ tool, args })),
  final: first?.rehearsal.final,
});

let worlds: Served;
let tapped: OpenTap;
beforeAll(async () => {
  worlds = await serveWorlds();
  tapped = await openTap(worlds.url);
});
afterAll(async () => {
  await tapped.close();
  await worlds.close();
});

/** What a session is called and where it lies is its own. */
const comparable = (rows: unknown[]): string[] =>
  rows.map((row) => JSON.stringify(row).replace(/_id-\d+\//g, '_id/'));

/** The same script of the same client of the same release, once at the world and once through the tap. */
describe.each(
  RELEASES.flatMap((release) => ['generic', 'awm', 'mcp'].map((client) => ({ release, client }))),
)('the real Python client $client of $release', ({ release, client }) => {
  it('sees through the tap exactly what it sees without it, and is recorded', async () => {
    const before = tapped.log.projections.ended().length;
    const direct = await pythonRows(release, 'drive_world.py', [client, worlds.url, plan]);
    const through = await pythonRows(release, 'drive_world.py', [client, tapped.url, plan]);

    expect(comparable(through)).toEqual(comparable(direct));
    expect(through.length).toBeGreaterThan(15);
    await expect.poll(() => tapped.log.projections.open(), { timeout: 10_000 }).toEqual([]);
    const episodes = tapped.log.projections
      .ended()
      .slice(before)
      .map((id) => tapped.log.record(id));
    const solved = episodes.find(({ ended }) => ended?.reward_type === 'complete');
    expect(solved?.ended).toMatchObject({ outcome: 'done', reward: 1 });
    expect(solved?.turns.every(({ call }) => (call?.returned ?? null) !== null)).toBe(true);
    if (client === 'mcp' && release === 'openenv-0.10.0') {
      // It lists and calls over HTTP, in the session of its socket.
      expect(
        solved?.turns.some(({ move }) => move?.type === 'call_tool' && move.tool_name === 'list_workspaces'),
      ).toBe(true);
      expect(solved?.tools.length).toBeGreaterThan(10);
    }
    expect(tapped.reported).toEqual([]);
  });
});
