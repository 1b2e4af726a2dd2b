import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Served, serveWorlds } from '../support/worlds.ts';
import { connect, openTap, type OpenTap } from '../support/tap.ts';

let worlds: Served;
let tapped: OpenTap;
beforeAll(async () => {
  worlds = await serveWorlds();
});
afterAll(() => worlds.close());
beforeEach(async () => {
  tapped = await openTap(worlds.url);
});
afterEach(() => tapped.close());

describe('a client that plays through the tap', () => {
  it('is seen as an episode: its reset, each call as a turn without words, the verdict by nobody known, and the end', async () => {
    const client = await connect(tapped.url);
    await client.reset();
    await client.say({ type: 'step', data: { type: 'list_tools' } });
    await client.call('list_workspaces');
    await client.call('verify', { final_answer: 'Done.' });
    await client.call('done');
    client.socket.close(1000);
    const [id = ''] = await tapped.episodes();
    const record = await tapped.until(id, ({ ended }) => ended);

    expect(record.started).toMatchObject({
      source: 'tap',
      agent: { policy: 'foreign', protocol: null, model: null },
      condition: null,
      limits: null,
      fallback: 'proceed',
      scenario: 'workflow_automation_1',
      task_idx: 0,
    });
    expect(record.tapped).toMatchObject({ key: 'trainer', may_act: false, on_touch: 'mark' });
    expect(record.reset).toMatchObject({ reward_type: 'reset_ok', task_idx: 0 });
    expect(record.tools.length).toBeGreaterThan(10);
    expect(record.turns).toHaveLength(1);
    expect(record.turns[0]).toMatchObject({
      hasText: false,
      move: { type: 'call_tool', tool_name: 'list_workspaces' },
      call: { returned: { rewardType: 'tool_call_ok', reward: 0 } },
    });
    expect(record.verified?.final_answer).toBe('Done.');
    expect(record.timeline.find(({ type }) => type === 'verified')?.actor.type).toBe('unknown');
    expect(record.ended).toMatchObject({
      outcome: 'done',
      rewardType: 'others',
      reward: 0,
      finalAnswer: 'Done.',
    });
    expect(tapped.reported).toEqual([]);
  });
});
