import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Served, serveWorlds } from '../../support/worlds.ts';
import { connect, openTap, TOKEN, type OpenTap, type Over } from '../../support/tap.ts';
import { ME } from '../../support/stepIn.ts';
import { LogEvent } from '../../../src/shared/events/vocabulary.ts';

// What a foreign client and its trainer are promised of the tap, one pin each. A pin that fails breaks somebody's run.
const TIMING = { first_seen_at: null, active_ms: null };
const RESET = '{"type":"reset","data":{"scenario":"loomline_workflows","task_idx":0,"episode_id":"mine"}}';
const LIST = '{"type":"step","data":{"type":"list_tools"}}';
const call = (tool: string, args = '{}'): string =>
  `{"type":"step","data":{"type":"call_tool","tool_name":"${tool}","arguments":${args}}}`;
const ASK_ALL = [{ glob: '*', argument: null, does: 'ask' as const, count: null }];

let worlds: Served;
const opened: OpenTap[] = [];
beforeAll(async () => {
  worlds = await serveWorlds();
});
afterEach(async () => {
  for (const tapped of opened.splice(0)) await tapped.close();
});
afterAll(() => worlds.close());

async function open(over: Over = {}): Promise<OpenTap> {
  const tapped = await openTap(worlds.url, over);
  opened.push(tapped);
  return tapped;
}
describe('frames through the tap, when nobody steps in', () => {
  it('are the environment’s, byte for byte, whatever the client sends', async () => {
    const frames = [
      '{"type":"state"}',
      LIST,
      call('__list_scenarios__'),
      RESET,
      LIST,
      call('list_workspaces'),
      call('no_such_tool'),
      call('get_workflow', '{"workflow_id": "seven",  "x":1.0}'),
      '{"type":"step","data":{"type":"jump"}}',
      'not json at all {',
      '{"type":"nope"}',
      '{"type":"mcp","data":{"jsonrpc":"2.0","method":"tools/list","id":1}}',
      call('ask_expert', '{"task":"x"}'),
      call('verify', '{"final_answer":"ünï \\u2028 \\ud83d\\ude00"}'),
      call('done'),
      call('list_workspaces'),
      '{"type":"state"}',
    ];
    const { url } = await open();
    const answers = async (client: Awaited<ReturnType<typeof connect>>): Promise<string[]> => {
      const all: string[] = [];
      for (const frame of frames) all.push(await client.raw(frame));
      // Each session has a folder of its own, whoever asks.
      return all.map((answer) => answer.replace(/_id-\d+\//, '_id/'));
    };

    expect(await answers(await connect(url))).toEqual(await answers(await connect(worlds.url)));
  });

  it('keep their order when they are sent without waiting', async () => {
    const { url } = await open();
    const client = await connect(url);
    for (const frame of [RESET, call('list_workspaces'), '{"type":"state"}', LIST]) client.socket.send(frame);
    const types: string[] = [];
    for (let i = 0; i < 4; i += 1) types.push((JSON.parse(await client.next()) as { type: string }).type);

    expect(types).toEqual(['observation', 'observation', 'state', 'observation']);
  });

  it('close as the environment closes: its code is the client’s', async () => {
    const { url } = await open();
    const [direct, tapped] = [await connect(worlds.url), await connect(url)];
    direct.socket.send('{"type":"close"}');
    tapped.socket.send('{"type":"close"}');
    expect(await tapped.closed).toEqual(await direct.closed);

    const binary = await connect(url);
    expect(await binary.raw(Buffer.from('x'))).toContain('SESSION_ERROR');
    expect((await binary.closed).code).toBe(1000);
  });

  it('end as the client’s when it said that it leaves, however long it waits for the answer', async () => {
    const { url, episodes, until } = await open();
    const client = await connect(url);
    await client.reset();
    client.socket.send('{"type":"close"}');
    await client.closed;
    const [id = ''] = await episodes();
    const { ended } = await until(id, (record) => record.ended);
    expect(ended).toMatchObject({ outcome: 'stopped', failure: null });
    expect(ended?.reason).toContain('the client closed it');
  });

  it.each(['/health', '/schema', '/metadata'])('say what the environment says at %s', async (path) => {
    const { url } = await open();
    const [direct, tapped] = [await fetch(`${worlds.url}${path}`), await fetch(`${url}${path}`)];

    expect(tapped.status).toBe(direct.status);
    expect(await tapped.text()).toBe(await direct.text());
  });
});

describe('what a trainer tells of its run', () => {
  it('is read from the reset and never reaches the environment; nothing else of the frame changes', async () => {
    const { url, episodes, until } = await open();
    const client = await connect(url);
    const told =
      '{"type":"reset","data":{"scenario":"loomline_workflows","interject_group":"p7","task_idx":0,"interject_run":"r1","interject_step":12,"interject_checkpoint":"c3","interject_episode":"e9"}}';
    expect(await client.raw(told)).toBe(
      await (
        await connect(worlds.url)
      ).raw('{"type":"reset","data":{"scenario":"loomline_workflows", "task_idx":0}}'),
    );
    const [id = ''] = await episodes();
    const record = await until(id, ({ reset }) => reset);

    expect(record.started).toMatchObject({
      group: 'r1 · step 12 · p7',
      trainer: { run: 'r1', step: 12, checkpoint: 'c3', episode: 'e9' },
    });
    expect(record.reset?.request).toEqual({ scenario: 'loomline_workflows', task_idx: 0 });
  });

  it('keeps rollouts of the same name apart by run and step: they are of another policy', async () => {
    const { url, episodes, until } = await open();
    const groups: (string | null | undefined)[] = [];
    for (const [run, step] of [
      ['r1', 1],
      ['r1', 2],
      ['r2', 2],
    ]) {
      const client = await connect(url);
      await client.reset({ interject_run: run, interject_step: step, interject_group: 'p7' });
      const [id = ''] = (await episodes(groups.length + 1)).slice(-1);
      groups.push((await until(id, ({ started }) => started)).started?.group);
    }
    expect(groups).toEqual(['r1 · step 1 · p7', 'r1 · step 2 · p7', 'r2 · step 2 · p7']);
  });

  it('takes out the five it reads and no other', async () => {
    const { url, episodes, until } = await open();
    const client = await connect(url);
    await client.reset({
      scenario: 'loomline_workflows',
      task_idx: 0,
      interject_else: 1,
      interject_run: 'r',
    });
    const [id = ''] = await episodes();
    const { reset } = await until(id, (record) => record.reset);
    expect(reset?.request).toEqual({ scenario: 'loomline_workflows', task_idx: 0, interject_else: 1 });
  });

  it('is recorded whatever numbers it holds, and so is everybody after it', async () => {
    const { url, episodes, until, reported, log } = await open();
    const odd = [
      '{"scenario":"loomline_workflows","task_idx":18446744073709551615}',
      '{"scenario":"loomline_workflows","task_idx":1e300,"interject_step":9007199254740992}',
      '{"scenario":"loomline_workflows","task_idx":0,"interject_step":1e308,"seed":1e999}',
      '{"scenario":"loomline_workflows","task_idx":0}',
    ];
    for (const [index, data] of odd.entries()) {
      const client = await connect(url);
      await client.raw(`{"type":"reset","data":${data}}`);
      await client.raw(call('get_workflow', '{"workflow_id":1e999}'));
      const id = (await episodes(index + 1)).at(-1) ?? '';
      const record = await until(id, ({ turns }) => turns[0]?.call?.returned);
      expect(record.started?.trainer?.step ?? null).toBeNull();
      // What is read of it from the log is what was kept of it in memory.
      expect(log.read(id).map(({ event }) => LogEvent.parse(event))).toHaveLength(log.read(id).length);
      expect(JSON.stringify(record.turns[0]?.move)).toContain('"workflow_id":1e999');
      expect(log.projections.episode(id)?.turns).toBe(1);
    }
    expect(reported).toEqual([]);
  });

  it('never holds a key: `llm_api_key` is in no event and in no file', async () => {
    const { url, episodes, until, log } = await open();
    const client = await connect(url);
    await client.reset({ scenario: 'loomline_workflows', task_idx: 0, llm_api_key: 'sk-very-secret' });
    await client.raw('{"type":"nope","echo":"sk-very-secret"}');
    const [id = ''] = await episodes();
    const record = await until(
      id,
      ({ timeline }) => timeline.filter(({ type }) => type === 'frame').length === 2,
    );

    expect(record.reset?.request['llm_api_key']).toBe('[redacted:14]');
    expect(JSON.stringify(log.read(id))).not.toContain('sk-very-secret');
  });
});

describe('a tap where people may not act', () => {
  it('gives notes in `observation.metadata.interject` and nowhere else', async () => {
    const { url, commands, episodes, until } = await open();
    const client = await connect(url);
    await client.raw(RESET);
    const [id = ''] = await episodes();
    await until(id, ({ reset }) => reset);
    await commands['note.send']({ episode: id, text: 'Look twice.', timing: TIMING }, ME);
    await opened.at(-1)?.tap.settled();
    const direct = await connect(worlds.url);
    await direct.raw(RESET);
    const plain = await direct.raw(call('list_workspaces'));

    expect(await client.raw(call('list_workspaces'))).toBe(
      plain.replace('"metadata":{}', '"metadata":{"interject":{"notes":["Look twice."]}}'),
    );
    expect(await client.raw(call('list_workspaces'))).toBe(plain);
    const record = await until(id, ({ notes, turns }) => notes[0]?.deliveredTurn && turns.length === 2);
    expect(record.turns.map(({ touched }) => touched)).toEqual([null, null]);
  });

  it('holds nothing and says how to change that', async () => {
    const { url, commands, episodes, until, tap } = await open();
    await (await connect(url)).raw(RESET);
    const [id = ''] = await episodes();
    await until(id, ({ reset }) => reset);
    const refused = /this tap gives advice and notes only/;

    await expect(commands['policy.set']({ episode: id, rules: ASK_ALL }, ME)).rejects.toThrow(refused);
    await expect(
      commands['episode.control'](
        { episode: id, act: 'pause', at_once: false, reason: null, note: null, is_discarded: false },
        ME,
      ),
    ).rejects.toThrow(refused);
    expect(() => tap.stop(id, { type: 'human', id: 'seat-one' }, null)).toThrow(refused);
  });

  it('adds a note to the result’s text only where that was switched on, and marks the turn', async () => {
    const { url, commands, episodes, until } = await open({ note_in_result: true });
    const client = await connect(url);
    await client.raw(RESET);
    const [id = ''] = await episodes();
    await until(id, ({ reset }) => reset);
    await commands['note.send']({ episode: id, text: 'Look "twice".', timing: TIMING }, ME);
    await opened.at(-1)?.tap.settled();
    const { data } = await client.call('list_workspaces');

    expect(data.observation['tool_result']).toMatch(/\n\n\[A person notes\] Look "twice"\.$/);
    expect((await until(id, ({ turns }) => turns[0]?.touched)).turns[0]?.touched).toBe('note_in_result');
  });
});

describe('a tap where people may act', () => {
  it('leaves the list of tools the environment’s while calls are held', async () => {
    const { url, commands, episodes, until } = await open({ may_act: true });
    const client = await connect(url);
    await client.raw(RESET);
    const [id = ''] = await episodes();
    await until(id, ({ reset }) => reset);
    await commands['policy.set']({ episode: id, rules: ASK_ALL }, ME);
    await opened.at(-1)?.tap.settled();
    const direct = await connect(worlds.url);
    await direct.raw(RESET);

    expect(await client.raw(LIST)).toBe(await direct.raw(LIST));
  });

  it('ends a changed episode as the server error that rollouts leave out, where that was chosen', async () => {
    const { url, commands, episodes, until } = await open({ may_act: true, on_touch: 'discard' });
    const client = await connect(url);
    await client.raw(RESET);
    const [id = ''] = await episodes();
    await until(id, ({ reset }) => reset);
    await commands['policy.set']({ episode: id, rules: ASK_ALL }, ME);
    await opened.at(-1)?.tap.settled();
    const answer = client.raw(call('list_workspaces'));
    await until(id, ({ turns }) => turns[0]?.call?.held);
    await commands['call.decide'](
      { act: 'reject', episode: id, call: 't1', seen_seq: 1, timing: TIMING, reason: 'no' },
      ME,
    );
    const error =
      '{"type":"observation","data":{"observation":{"metadata":{"interject":{"touched_turns":[1]}},"reward_type":"server_error","error":"A person stepped in; this episode is not to be learnt from."},"reward":null,"done":true}}';

    expect(await answer).toBe(error);
    expect(await client.raw(call('verify'))).toBe(error);
    const record = await until(id, ({ ended }) => ended);
    expect(record.ended).toMatchObject({ outcome: 'stopped' });
    expect(record.turns[0]?.touched).toBe('rejected');
  });

  it('counts format errors by what the client proposed, not by what a person made of it', async () => {
    const { url, commands, episodes, until } = await open({ may_act: true });
    const client = await connect(url);
    await client.raw(RESET);
    await client.raw(LIST);
    const [id = ''] = await episodes();
    await until(id, ({ tools }) => tools.length > 0);
    await commands['policy.set']({ episode: id, rules: ASK_ALL }, ME);
    await opened.at(-1)?.tap.settled();
    const play = async (proposed: string, tool: string, turn: number): Promise<void> => {
      const answer = client.raw(call(proposed));
      await until(id, ({ turns }) => turns[turn - 1]?.call?.held);
      const about = { episode: id, call: `t${String(turn)}`, seen_seq: 1, timing: TIMING };
      await commands['call.decide'](
        { act: 'edit', ...about, tool_name: tool, arguments: {}, reason: null, is_unchecked: true },
        ME,
      );
      await answer;
      await until(id, ({ turns }) => turns[turn - 1]?.call?.returned);
    };
    await play('no_such_tool', 'list_workspaces', 1);
    const record = await until(id, ({ counts }) => counts.formatErrors === 1);
    expect(record.turns[0]?.call?.returned?.reward_type).toBe('tool_call_ok');
    await play('list_workspaces', 'no_such_tool', 2);

    expect((await until(id, ({ turns }) => turns[1]?.call?.returned)).counts.formatErrors).toBe(1);
  });
});

describe('the tools that belong to the host', () => {
  it('are passed on by default', async () => {
    const { url } = await open();
    const client = await connect(url);
    await client.raw(RESET);

    expect((await client.call('verify')).data.observation['reward_type']).toBe('others');
  });

  it('are refused with a tool error where that was chosen, and the attempt is recorded', async () => {
    const { url, episodes, until } = await open({ reserved_tools: 'refuse' });
    const client = await connect(url);
    await client.raw(RESET);
    const { data } = await client.call('verify');

    expect(data).toMatchObject({ reward: null, done: false, observation: { tool_name: 'verify' } });
    expect(data.observation['error']).toMatch(/verify is not for clients of this tap/);
    const [id = ''] = await episodes();
    const record = await until(id, ({ counts }) => counts.refused === 1);
    expect(record.turns[0]?.call?.refused?.reason).toBe('reserved');
    expect((await client.say({ type: 'state' })).data).toMatchObject({ step_count: 0 });
  });
});

it('an ask for an expert on the wire is passed on, counted and shown', async () => {
  const { url, episodes, until } = await open();
  const client = await connect(url);
  await client.raw(RESET);
  const { data } = await client.call('ask_expert', { task: 'x' });
  const [id = ''] = await episodes();
  const record = await until(id, ({ turns }) => turns[0]?.call?.returned);

  expect(data.observation['reward_type']).toBe('tool_not_found');
  expect(record.counts.leaks).toBe(1);
  expect(record.turns[0]?.call?.sent).toMatchObject({ toolName: 'ask_expert' });
});

describe('who may knock', () => {
  const status = async (path: string, headers: Record<string, string> = {}): Promise<string> => {
    const { tap } = await open();
    return connect(tap.url, path, { headers }).then(
      () => 'open',
      (thrown: Error) => thrown.message,
    );
  };

  it.each([
    ['a wrong token', '/t/wrong/ws', {}, '401'],
    ['no token', '/ws', {}, '404'],
    ['a page of another site', `/t/${TOKEN}/ws`, { origin: 'https://evil.example' }, '403'],
    ['another name for this machine', `/t/${TOKEN}/ws`, { host: 'evil.example' }, '403'],
    ['main’s own door without its secret', '/main', {}, '401'],
  ])('not %s', async (_what, path, headers, code) => {
    expect(await status(path, headers)).toContain(code);
  });

  it('a page of this machine, on any port', async () => {
    expect(await status(`/t/${TOKEN}/ws`, { origin: 'http://localhost:9999' })).toBe('open');
  });
});
