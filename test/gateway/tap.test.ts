import { createHash } from 'node:crypto';
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

describe('asking whether what clients did is recorded', () => {
  it('has every answered call in the log once it says so', async () => {
    const client = await connect(tapped.url);
    await client.reset();
    for (let made = 1; made <= 20; made += 1) {
      await client.call('list_workspaces');

      expect(await tapped.tap.recorded()).toBe(true);
      const [id = ''] = await tapped.episodes();
      expect(tapped.log.record(id).turns.filter(({ call }) => call?.returned)).toHaveLength(made);
    }
    client.socket.close(1000);
  });

  it('says no where the tap’s process is gone', async () => {
    await tapped.tap.close({ keepServing: false });

    expect(await tapped.tap.recorded()).toBe(false);
  });
});

/** What the clients' key may do in a minute, from now on. */
async function limitKeyTo(perMinute: number): Promise<void> {
  const tokens = tapped.parts.tokens();
  tapped.parts.tokens = () => tokens.map((key) => ({ ...key, perMinute }));
  tapped.tap.tokensChanged();
  await tapped.tap.settled();
}

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
      scenario: 'loomline_workflows',
      task_idx: 0,
    });
    expect(record.tapped).toMatchObject({ key: 'trainer', may_act: false, on_touch: 'mark' });
    expect(record.reset).toMatchObject({ reward_type: 'reset_ok', task_idx: 0 });
    expect(record.tools.length).toBeGreaterThan(10);
    expect(record.turns).toHaveLength(1);
    expect(record.turns[0]).toMatchObject({
      hasText: false,
      move: { type: 'call_tool', tool_name: 'list_workspaces' },
      call: { returned: { reward_type: 'tool_call_ok', reward: 0 } },
    });
    expect(record.verified?.final_answer).toBe('Done.');
    expect(record.timeline.find(({ type }) => type === 'verified')?.actor.type).toBe('unknown');
    expect(record.ended).toMatchObject({
      outcome: 'done',
      reward_type: 'others',
      reward: 0,
      final_answer: 'Done.',
    });
    expect(tapped.reported).toEqual([]);
  });

  it('costs the log two events a step when nobody steps in', async () => {
    const client = await connect(tapped.url);
    await client.reset();
    await client.call('list_workspaces');
    await client.call('list_workspaces');
    const [id = ''] = await tapped.episodes();
    await tapped.until(id, ({ turns }) => turns[1]?.call?.returned);

    const kinds = tapped.log.read(id).map(({ event }) => event.kind);
    expect(kinds.slice(kinds.indexOf('move.proposed'))).toEqual([
      'move.proposed',
      'call.returned',
      'move.proposed',
      'call.returned',
    ]);
    expect(tapped.log.record(id).turns[0]?.call?.sent).toMatchObject({ toolName: 'list_workspaces' });
  });

  it('is cut off when its key is revoked, and its episode says so', async () => {
    const client = await connect(tapped.url);
    await client.reset();
    const [id = ''] = await tapped.episodes();
    tapped.parts.tokens = () => [];
    tapped.tap.tokensChanged();

    expect(await client.closed).toEqual({ code: 1008, reason: 'the key was revoked' });
    const { ended } = await tapped.until(id, (record) => record.ended);
    expect(ended).toMatchObject({ outcome: 'stopped', reason: 'the key was revoked' });
    await expect(connect(tapped.url)).rejects.toThrow('401');
  });

  it('may have as many connections as its key allows', async () => {
    const [key] = tapped.parts.tokens();
    if (key === undefined) throw new Error('no key');
    tapped.parts.tokens = () => [{ ...key, atOnce: 1 }];
    tapped.tap.tokensChanged();
    await tapped.tap.settled();
    const first = await connect(tapped.url);
    await expect(connect(tapped.url)).rejects.toThrow('429');
    first.socket.close();
    await first.closed;

    await expect
      .poll(() =>
        connect(tapped.url).then(
          () => 'open',
          () => 'refused',
        ),
      )
      .toBe('open');
  });

  it('is told which scope is needed when its key opens another door, and by name that a key is unknown', async () => {
    tapped.parts.strangers = () => [
      { sha256: createHash('sha256').update('ij-other').digest('hex'), name: 'cluster' },
    ];
    tapped.tap.tokensChanged();
    await tapped.tap.settled();
    const said = async (token: string, path: string) => {
      const response = await fetch(`${tapped.tap.url}/t/${token}${path}`);
      return [response.status, await response.text()];
    };

    expect(await said('ij-other', '/health')).toEqual([
      403,
      '{"detail":"the key “cluster” does not open this door: it needs tap"}',
    ]);
    expect(await said('ij-wrong', '/health')).toEqual([
      401,
      '{"detail":"this key is not known, or it was revoked"}',
    ]);
    await expect(connect(tapped.tap.url, '/t/ij-other/ws')).rejects.toThrow('403');
  });

  it('is said to have come up against its limits', async () => {
    const [key] = tapped.parts.tokens();
    if (key === undefined) throw new Error('no key');
    const limited: string[] = [];
    tapped.parts.limited = (name) => limited.push(name);
    tapped.parts.tokens = () => [{ ...key, atOnce: 1 }];
    tapped.tap.tokensChanged();
    await tapped.tap.settled();
    await connect(tapped.url);
    await expect(connect(tapped.url)).rejects.toThrow('429');

    await expect.poll(() => limited).toEqual(['trainer']);
  });

  it('is answered all the same when it steps faster than its key allows', async () => {
    await limitKeyTo(300);
    const client = await connect(tapped.url);
    await client.reset();
    for (let i = 0; i < 310; i += 1) client.socket.send('{"type":"state"}');
    for (let i = 0; i < 310; i += 1) expect(await client.next()).toContain('"type":"state"');
    client.socket.close();
    await client.closed;
  });

  it('is refused another connection once its key has used up a minute’s worth', async () => {
    await limitKeyTo(1);
    await connect(tapped.url);

    await expect(connect(tapped.url)).rejects.toThrow('429');
  });

  it('begins another episode with each reset', async () => {
    const client = await connect(tapped.url);
    await client.reset();
    await client.call('list_workspaces');
    await client.reset({ scenario: 'loomline_workflows', task_idx: 1 });
    const [first = '', second = ''] = await tapped.episodes(2);

    expect((await tapped.until(first, ({ ended }) => ended)).ended).toMatchObject({
      outcome: 'stopped',
      reason: 'the client began another episode',
    });
    expect((await tapped.until(second, ({ reset }) => reset)).reset?.task_idx).toBe(1);
  });
});
