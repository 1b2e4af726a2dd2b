import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PACK, root, type Served, serveWorlds } from '../support/worlds.ts';

// Frames recorded from the real server lie beside the project where it is made, never in it.
const RECORDED = join(root, '..', 'shared', 'fixtures', 'openenv-awm-frames.jsonl');

type Message = { type: string; data?: Record<string, unknown> };
type Line = { dir: 'send' | 'recv'; msg: Message };

/** What a frame is, and which keys it has at which depth: the shape a client parses. */
function shape({ type, data }: Message): Record<string, unknown> {
  if (type !== 'observation') return { type, data: keys(data) };
  const { observation, reward, done } = data as Record<string, unknown>;
  const seen = observation as Record<string, unknown>;
  return {
    type,
    data: keys(data),
    observation: keys(seen),
    reward_type: seen['reward_type'] ?? null,
    reward,
    done,
    verify_result: keys(seen['verify_result']),
    tool: keys((seen['tools'] as unknown[] | undefined)?.[0]),
  };
}
const keys = (value: unknown): string[] =>
  typeof value === 'object' && value !== null ? Object.keys(value) : [];

/** The same request, asked of our scenario: a call that is there, one that is not, arguments that are wrong. */
function translate({ type, data }: Message): Message {
  if (type === 'reset') return { type, data: { ...data, scenario: PACK } };
  if (data?.['type'] !== 'call_tool') return { type, ...(data === undefined ? {} : { data }) };
  const { tool_name: tool, arguments: args } = data as {
    tool_name: string;
    arguments: Record<string, unknown>;
  };
  if (tool === 'create_campaign_update') {
    const campaign = args['campaign_id'];
    const run_id = typeof campaign === 'number' ? 2001 : campaign;
    return {
      type,
      data: { type: 'call_tool', tool_name: 'get_run', arguments: campaign === undefined ? {} : { run_id } },
    };
  }
  return tool === 'verify' || tool === 'done'
    ? { type, data }
    : { type, data: { type: 'call_tool', tool_name: 'list_workspaces', arguments: {} } };
}

describe.runIf(existsSync(RECORDED))('the frames recorded from the real server', () => {
  let served: Served;
  beforeAll(async () => {
    served = await serveWorlds();
  });
  afterAll(() => served.close());

  it('have the keys, labels and rewards that the built-in world gives in the same places', async () => {
    const lines = readFileSync(RECORDED, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Line);
    const client = await served.talk();
    const differing: unknown[] = [];
    for (const [index, { dir, msg }] of lines.entries()) {
      const expected = lines[index + 1]?.msg;
      if (dir !== 'send' || expected === undefined) continue;
      const ours = shape((await client.say(translate(msg))) as unknown as Message);
      const theirs = shape(expected);
      // The one thing we do not have: a verifier that asks a model. Upstream says so the same way where it has none.
      if (theirs['reward_type'] === 'judge_error' && ours['reward_type'] === 'no_verifier') continue;
      if (JSON.stringify(ours) !== JSON.stringify(theirs)) differing.push({ sent: msg, ours, theirs });
    }

    expect(lines.length).toBeGreaterThan(30);
    expect(differing).toEqual([]);
  });
});
