import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { HOLD_DEFAULTS } from '../../src/shared/contract/gateway.ts';
import type { ApprovalRule } from '../../src/shared/events/stepIns.ts';
import { type Served, serveWorlds } from '../support/worlds.ts';
import { connect, openTap, TOKEN, type Client, type OpenTap, type Over } from '../support/tap.ts';
import { ME } from '../support/stepIn.ts';
import { factsOf } from '../../src/main/reward/facts.ts';
import { untrainable } from '../../src/main/dataset/export/transcriptLine.ts';
import { firstHelp } from '../../src/shared/episode/help.ts';
import type { Turn } from '../../src/shared/episode/record.ts';
import { phaseLabel } from '../../src/renderer/views/episode/phaseLabel.ts';
import { holdItems } from '../../src/shared/episode/holds.ts';

const TIMING = { first_seen_at: null, active_ms: null };
const ALL: ApprovalRule[] = [{ glob: '*', argument: null, does: 'ask', count: null }];

let worlds: Served;
const opened: OpenTap[] = [];
beforeAll(async () => {
  worlds = await serveWorlds();
});
afterEach(async () => {
  for (const tapped of opened.splice(0)) await tapped.close();
});
afterAll(() => worlds.close());

type Playing = OpenTap & { client: Client; id: string };

/** A client that has reset, and listed unless told otherwise, in front of a tap where people may act. */
async function play(over: Over = {}, lists = true): Promise<Playing> {
  const tapped = await openTap(worlds.url, { may_act: true, ...over });
  opened.push(tapped);
  const client = await connect(tapped.url);
  await client.reset();
  if (lists) await client.say({ type: 'step', data: { type: 'list_tools' } });
  const [id = ''] = await tapped.episodes();
  await tapped.until(id, ({ tools, reset }) => (lists ? tools.length > 0 : reset));
  return { ...tapped, client, id };
}

const control = ({ commands, id }: Playing, act: 'pause' | 'resume' | 'step' | 'take_over' | 'hand_back') =>
  commands['episode.control'](
    { episode: id, act, at_once: false, reason: null, note: null, is_discarded: false },
    ME,
  );
const isHeld = ({ id, until }: Playing) =>
  until(id, ({ turns }) => turns.at(-1)?.call?.held && turns.at(-1)?.call?.decision === null);
const about = ({ id }: Playing, call: string) => ({ episode: id, call, seen_seq: 1, timing: TIMING });
/** What was told to the tap's process has arrived there. */
const settled = (): Promise<void> => opened.at(-1)?.tap.settled() ?? Promise.resolve();

const holdAll = ({ commands, id }: Playing) => commands['policy.set']({ episode: id, rules: ALL }, ME);

/** One whose every call waits for a person. */
async function playHeld(over: Over = {}): Promise<Playing> {
  const one = await play(over);
  await holdAll(one);
  await settled();
  return one;
}

describe('a call of a client that waits for a person', () => {
  it('goes on as it came when it is approved, with nothing added to its answer', async () => {
    const one = await playHeld();
    const answer = one.client.call('list_workspaces');
    const { turns } = await isHeld(one);
    expect(turns[0]?.call).toMatchObject({ sent: null, held: { why: 'rule', fallback: 'reject' } });

    await one.commands['call.decide']({ act: 'approve', ...about(one, 't1'), similar: false }, ME);

    expect((await answer).data.observation.metadata).toEqual({});
    const record = await one.until(one.id, (r) => r.turns[0]?.call?.returned);
    expect(record.turns[0]).toMatchObject({ touched: null, call: { decision: { type: 'approved' } } });
  });

  it('reaches the environment only as it was edited; reward and end are the environment’s, and every later answer says which turn was changed', async () => {
    const one = await playHeld();
    const answer = one.client.call('get_workflow', { workflow_id: 987654 });
    await isHeld(one);
    await one.commands['call.decide'](
      {
        act: 'edit',
        ...about(one, 't1'),
        tool_name: 'list_workspaces',
        arguments: {},
        reason: null,
        is_unchecked: false,
      },
      ME,
    );

    const { data } = await answer;
    expect(data).toMatchObject({ reward: 0, done: false, observation: { tool_name: 'list_workspaces' } });
    expect(data.observation.metadata).toEqual({ interject: { touched_turns: [1] } });
    const record = await one.until(one.id, (r) => r.turns[0]?.call?.returned);
    expect(record.turns[0]).toMatchObject({
      touched: 'edited',
      move: { tool_name: 'get_workflow' },
      call: { sent: { toolName: 'list_workspaces' } },
    });
    await one.commands['policy.set']({ episode: one.id, rules: [] }, ME);
    await settled();
    const later = await one.client.raw('{"type":"step","data":{"type":"call_tool","tool_name":"verify"}}');
    expect(later).toContain('"metadata":{"interject":{"touched_turns":[1]}}');
    expect(later).toContain('"reward":0');
  });

  it('is not marked as changed by an edit that changes nothing', async () => {
    const one = await playHeld();
    const answer = one.client.call('get_workflow', { workflow_id: 7 });
    await isHeld(one);
    const same = { tool_name: 'get_workflow', arguments: { workflow_id: 7 }, reason: null };

    await expect(
      one.commands['call.decide']({ act: 'edit', ...about(one, 't1'), ...same, is_unchecked: true }, ME),
    ).rejects.toMatchObject({ code: 'bad_input', message: 'this is the call as the agent made it' });
    await one.commands['call.decide']({ act: 'approve', ...about(one, 't1'), similar: false }, ME);
    expect((await answer).data.observation.metadata).toEqual({});
  });

  it('can be edited by its own form where its client has listed no tools', async () => {
    const one = await play({}, false);
    await holdAll(one);
    await settled();
    const answer = one.client.call('get_workflow', { workflow_id: 987654 });
    expect((await isHeld(one)).tools).toEqual([]);
    const changed = { tool_name: 'get_workflow', arguments: { workflow_id: 1 }, reason: null };
    await one.commands['call.decide'](
      { act: 'edit', ...about(one, 't1'), ...changed, is_unchecked: false },
      ME,
    );

    await answer;
    const { turns } = await one.until(one.id, (r) => r.turns[0]?.call?.returned);
    expect(turns[0]?.call?.sent).toMatchObject({ arguments: { workflow_id: 1 } });
  });

  it('is set aside by a person’s own move, and not rejected, while a person acts', async () => {
    const one = await play();
    await control(one, 'take_over');
    await settled();
    const answer = one.client.call('get_workflow', { workflow_id: 7 });
    const held = await isHeld(one);
    expect(holdItems(held)).toMatchObject([{ why: 'held while a person acts', is_tapped: true }]);
    expect(phaseLabel(held, ME.seat).detail).toBe('the client’s call waits until its deadline');
    const move = { type: 'call_tool' as const, tool_name: 'list_workspaces', arguments: {} };
    await one.commands['takeover.move']({ episode: one.id, say: '', move, is_unchecked: false }, ME);

    expect((await answer).data.observation.metadata).toEqual({ interject: { touched_turns: [1] } });
    const record = await one.until(one.id, ({ turns }) => turns[0]?.touched);
    expect(record.turns[0]).toMatchObject({
      touched: 'set_aside',
      call: { decision: { type: 'cancelled' } },
    });
  });

  it('can be answered in the tool’s place: no reward, no label, no end, and the environment never sees it', async () => {
    const one = await playHeld();
    const answer = one.client.raw(
      '{"type":"step","data":{"type":"call_tool","tool_name":"list_workspaces","arguments":{}}}',
    );
    await isHeld(one);
    await one.commands['call.decide'](
      { act: 'answer', ...about(one, 't1'), text: '["mine"]', is_error: false },
      ME,
    );

    expect(await answer).toBe(
      '{"type":"observation","data":{"observation":{"metadata":{"interject":{"touched_turns":[1]}},"tool_name":"list_workspaces","tool_result":"[\\"mine\\"]"},"reward":null,"done":false}}',
    );
    const record = await one.until(one.id, (r) => r.turns[0]?.touched);
    expect(record.turns[0]).toMatchObject({ touched: 'answered', call: { sent: null, returned: null } });
    expect((await one.client.say({ type: 'state' })).data).toMatchObject({ step_count: 1 });
  });

  it('is not executed when nobody decides: the agent reads so, and it counts as expired, as no person’s rejection', async () => {
    const one = await playHeld({ hold_limit_ms: 1_000 });
    const { data } = await one.client.call('list_workspaces');

    expect(data).toMatchObject({ reward: null, done: false });
    expect(data.observation).toMatchObject({ error: 'nobody approved this in time' });
    const record = await one.until(one.id, (r) => r.turns[0]?.touched);
    expect(record.turns[0]).toMatchObject({
      touched: 'expired',
      call: { sent: null, decision: { type: 'expired', fallback: 'reject', actor: { type: 'system' } } },
    });
    expect(record.turns[0]?.call?.held?.deadline_at).toBeLessThan((record.turns[0]?.at ?? 0) + 1_000);
    expect((await one.client.say({ type: 'state' })).data).toMatchObject({ step_count: 1 });
    expect(record.counts.humanActs).toBe(0);
    expect(firstHelp(record)).toBeNull();
    expect(factsOf(record).calls).toEqual([]);
    expect(untrainable(record, record.turns[0] as Turn)).toBe('set_aside');
  });

  it('ends no episode that a person’s change would end, when nobody decides', async () => {
    const one = await playHeld({ hold_limit_ms: 1_000, on_touch: 'discard' });
    expect((await one.client.call('list_workspaces')).data).toMatchObject({
      done: false,
      observation: { error: 'nobody approved this in time' },
    });
    expect(one.log.record(one.id).ended).toBeNull();
  });

  it('is executed when nobody decides only by a key whose owner chose that', async () => {
    const one = await playHeld({ hold_limit_ms: 1_000, hold_fallback: 'approve' });
    const { data } = await one.client.call('list_workspaces');

    expect(data.observation['reward_type']).toBe('tool_call_ok');
    const { turns, tapped } = await one.until(one.id, (r) => r.turns[0]?.call?.returned);
    expect(tapped).toMatchObject({ hold_limit_ms: 1_000, hold_fallback: 'approve' });
    expect(turns[0]?.call?.decision).toMatchObject({ type: 'expired', fallback: 'approve' });
  });

  it('may wait longer than any timer runs, where its key says so', async () => {
    const one = await playHeld({ hold_limit_ms: 90 * 86_400_000 });
    const answer = one.client.call('list_workspaces');
    const { turns } = await isHeld(one);
    expect(turns[0]?.call?.held?.deadline_at).toBeGreaterThan(Date.now() + 89 * 86_400_000);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(one.log.record(one.id).turns[0]?.call?.decision).toBeNull();

    await one.commands['call.decide']({ act: 'approve', ...about(one, 't1'), similar: false }, ME);
    expect((await answer).data.observation['reward_type']).toBe('tool_call_ok');
  });

  it('is not executed when the console is gone, and a console that comes back finds how it went', async () => {
    const one = await playHeld({ hold_limit_ms: 1_000 });
    const answer = one.client.call('list_workspaces');
    await isHeld(one);
    await one.abandon();
    opened.splice(opened.indexOf(opened.at(-1) as OpenTap), 1);

    expect((await answer).data.observation).toMatchObject({ error: 'nobody approved this in time' });
    const again = await openTap(worlds.url, { may_act: true }, one.folder);
    opened.push(again);
    const record = await again.until(one.id, (r) => r.turns[0]?.touched);
    expect(record.turns).toMatchObject([
      { touched: 'expired', call: { sent: null, decision: { type: 'expired', fallback: 'reject' } } },
    ]);
    expect(record.ended).toBeNull();
  });
});

describe('a client’s episode', () => {
  it('waits at its next call while it is paused, goes on with resume, and one call further with step', async () => {
    const one = await play();
    await control(one, 'pause');
    await settled();
    const first = one.client.call('list_workspaces');
    expect((await isHeld(one)).turns[0]?.call?.held).toMatchObject({ why: 'step' });

    await control(one, 'step');
    expect((await first).data.observation['reward_type']).toBe('tool_call_ok');
    await one.until(one.id, ({ phase }) => phase === 'paused');
    const second = one.client.call('list_workspaces');
    await one.until(one.id, ({ turns }) => turns[1]?.call?.held);

    await control(one, 'resume');
    expect((await second).data.observation['reward_type']).toBe('tool_call_ok');
    expect((await one.client.call('list_workspaces')).data.observation['reward_type']).toBe('tool_call_ok');
  });

  it('can be taken over: the person’s calls go between the client’s, and are marked', async () => {
    const one = await play();
    await control(one, 'take_over');
    const { turn } = await one.commands['takeover.move'](
      {
        episode: one.id,
        say: '',
        move: { type: 'call_tool', tool_name: 'list_workspaces', arguments: {} },
        is_unchecked: false,
      },
      ME,
    );
    const record = await one.until(one.id, ({ turns }) => turns[0]?.call?.returned);
    expect(record.turns[0]).toMatchObject({
      turn,
      actor: { type: 'human' },
      touched: 'taken_over',
      call: { returned: { reward_type: 'tool_call_ok' } },
    });
    await control(one, 'hand_back');
    await settled();
    const { data } = await one.client.call('list_workspaces');
    expect(data.observation.metadata).toEqual({ interject: { touched_turns: [1] } });
    expect((await one.until(one.id, ({ turns }) => turns[1]?.call?.returned)).turns[1]?.touched).toBeNull();
  });

  it('stops at an error where a breakpoint says so', async () => {
    const one = await play();
    await one.commands['breakpoint.change']({ episode: one.id, set: { on: 'error' } }, ME);
    await settled();
    await one.client.call('get_workflow', { workflow_id: 987654 });

    expect((await one.until(one.id, ({ phase }) => phase === 'paused')).phaseCause).toBe('breakpoint');
  });

  it('ends for the client as a server error when a person stops it, until it resets', async () => {
    const one = await play();
    one.tap.stop(one.id, { type: 'human', id: 'seat-one' }, 'wrong data');
    const record = await one.until(one.id, ({ ended }) => ended);
    expect(record.ended).toMatchObject({ outcome: 'stopped', reason: 'wrong data' });

    const { data } = await one.client.call('verify');
    expect(data).toMatchObject({ reward: null, done: true, observation: { reward_type: 'server_error' } });
    expect((await one.client.reset()).data.observation['reward_type']).toBe('reset_ok');
    expect(await one.episodes(2)).toHaveLength(2);
  });
});

describe('a tool that a client calls over HTTP, in the session of its socket', () => {
  it('waits for a person as a frame does, and reads a note in its metadata', async () => {
    const one = await openSession();
    const { id, rpc } = one;
    await holdAll(one);
    await one.commands['note.send']({ episode: id, text: 'Look twice.', timing: TIMING }, ME);
    await settled();
    const answer = rpc('tools/call', 'list_workspaces');
    await isHeld(one);
    await one.commands['call.decide'](
      { act: 'answer', ...about(one, 't1'), text: 'mine', is_error: false },
      ME,
    );
    expect(await answer).toMatchObject({ tool_result: 'mine', reward: null, done: false });

    const second = rpc('tools/call', 'list_workspaces');
    await one.until(id, ({ turns }) => turns[1]?.call?.held);
    await one.commands['call.decide']({ act: 'approve', ...about(one, 't2'), similar: false }, ME);
    expect(await second).toMatchObject({
      reward_type: 'tool_call_ok',
      metadata: { interject: { notes: ['Look twice.'], touched_turns: [1] } },
    });
    const record = await one.until(id, ({ turns }) => turns[1]?.call?.returned);
    expect(record.turns.map(({ touched }) => touched)).toEqual(['answered', null]);
  });

  it('is decided each by itself after a restart, and is not made for a client that has left meanwhile', async () => {
    const one = await openSession();
    await holdAll(one);
    await settled();
    const leaving = new AbortController();
    const first = one.rpc('tools/call', 'list_workspaces', leaving.signal);
    first.catch(() => undefined);
    await one.until(one.id, ({ turns }) => turns[0]?.call?.held);
    const second = one.rpc('tools/call', 'get_profile');
    const third = one.rpc('tools/call', 'list_workspaces');
    await one.until(one.id, ({ turns }) => turns[2]?.call?.held);
    await one.abandon();
    opened.splice(opened.indexOf(opened.at(-1) as OpenTap), 1);
    const again = await openTap(worlds.url, { may_act: true }, one.folder);
    opened.push(again);
    leaving.abort();
    await again.until(one.id, ({ turns }) => turns[0]?.call?.decision);
    await expect(
      again.commands['call.decide']({ act: 'approve', ...about(one, 't1'), similar: false }, ME),
    ).rejects.toMatchObject({ code: 'already_answered' });

    await again.commands['call.decide']({ act: 'approve', ...about(one, 't3'), similar: false }, ME);
    expect(await third).toMatchObject({ reward_type: 'tool_call_ok' });
    expect(again.log.record(one.id).turns[1]?.call).toMatchObject({ decision: null, sent: null });
    await again.commands['call.decide']({ act: 'reject', ...about(one, 't2'), reason: 'not this one' }, ME);
    expect(await second).toMatchObject({ error: 'not this one' });
    const record = await again.until(one.id, ({ turns }) => turns[1]?.touched);
    expect(record.turns.map(({ call }) => [call?.decision?.type, call?.sent !== null])).toEqual([
      ['cancelled', false],
      ['rejected', false],
      ['approved', true],
    ]);
  });
});

it('a session that is played over HTTP is its key’s alone: another key’s client uses no tool in it, closes it not, and joins it with no socket', async () => {
  const sha256 = createHash('sha256').update('another-token').digest('hex');
  const token = { environment: 'env', hold: HOLD_DEFAULTS };
  const tapped = await openTap(worlds.url, {}, undefined, {
    tokens: () => [
      { ...token, id: 'k1', name: 'one', sha256: createHash('sha256').update(TOKEN).digest('hex') },
      { ...token, id: 'k2', name: 'other', sha256 },
    ],
  });
  opened.push(tapped);
  const other = `${tapped.tap.url}/t/another-token`;
  const send = async (url: string, method: string, params: object) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const response = await fetch(`${url}/mcp`, { method: 'POST', body });
    return {
      status: response.status,
      body: (await response.json()) as { result: Record<string, unknown> },
    };
  };
  const created = await send(tapped.url, 'openenv/session/create', {});
  const session = { session_id: created.body.result['session_id'] };
  const call = { ...session, name: 'list_workspaces', arguments: {} };

  for (const method of ['tools/call', 'tools/list', 'openenv/session/close'])
    expect(await send(other, method, call)).toEqual({
      status: 404,
      body: { detail: 'this key opened no such session' },
    });
  await expect(connect(other, `/ws?session_id=${String(session.session_id)}`)).rejects.toThrow(/404/);
  expect(await send(tapped.url, 'tools/call', call)).toMatchObject({ status: 200 });
  const [id = ''] = await tapped.episodes();
  expect((await tapped.until(id, ({ turns }) => turns[0]?.call?.returned)).turns).toHaveLength(1);
  expect((await send(tapped.url, 'openenv/session/close', session)).body.result['closed']).toBe(true);
});

/** A client that uses tools over HTTP, in the session of its socket. */
async function openSession() {
  const tapped = await openTap(worlds.url, { may_act: true });
  opened.push(tapped);
  const send = async (method: string, params: object, signal: AbortSignal | null = null) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const response = await fetch(`${tapped.url}/mcp`, { method: 'POST', body, signal });
    return ((await response.json()) as { result: Record<string, unknown> }).result;
  };
  const { session_id } = await send('openenv/session/create', {});
  const client = await connect(tapped.url, `/ws?session_id=${String(session_id)}`);
  await client.reset();
  const [id = ''] = await tapped.episodes();
  await tapped.until(id, ({ reset }) => reset);
  const rpc = (method: string, name: string, signal?: AbortSignal) =>
    send(method, { session_id, name, arguments: {} }, signal);
  return { ...tapped, client, id, rpc };
}
