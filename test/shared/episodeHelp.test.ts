import { describe, expect, it } from 'vitest';
import { AGENT, ENVIRONMENT, SYSTEM } from '../../src/shared/events/actor.ts';
import { helpOf, unseenPrivilege } from '../../src/shared/episode/help.ts';
import { worldStateCommands } from '../../src/main/commands/world.ts';
import { factsOf } from '../../src/main/reward/facts.ts';
import { shapedReward } from '../../src/main/reward/shaping.ts';
import { REWARD_DEFAULTS } from '../../src/shared/rewards/settings.ts';
import { makeRows } from '../support/exporting.ts';
import { ended, openLog, reset, started } from '../support/log.ts';
import { openTapped, tappedCall } from '../support/tapped.ts';

const FOREIGN = { policy: 'foreign', protocol: null, model: null } as const;
const PLAN = JSON.stringify({ plan: [{ tool: 'rename_workflow', args: { id: 2 }, purpose: 'rename it' }] });
const tools = ['find_workflow', 'rename_workflow'].map((name) => ({
  name,
  description: name,
  input_schema: { type: 'object' },
}));

type Message = Record<string, unknown>;
const call = (id: string, name: string, args = '{}'): Message => ({
  role: 'assistant',
  content: '',
  tool_calls: [{ id, type: 'function', function: { name, arguments: args } }],
});
const result = (id: string, content: string): Message => ({ role: 'tool', tool_call_id: id, content });
const CALLS = [
  { role: 'system', content: 'Use the tools. You may ask an expert for advice with ask_expert.' },
  { role: 'user', content: 'Rename the second workflow.' },
  call('1', 'find_workflow'),
  result('1', 'ok'),
  call('2', 'rename_workflow'),
  result('2', 'ok'),
];
const DONE = { role: 'assistant', content: 'Done.' };
const PLAYED = [...CALLS, DONE];

/** A tapped episode of two calls that was completed; the last telling is what its client told. */
function tapped(...tellings: { messages: Message[]; declares?: boolean }[]) {
  const log = openLog();
  openTapped(log, { id: 'e1' });
  log.append('e1', ENVIRONMENT, { kind: 'tools.listed', call: null, tools, frame: '{}', latency_ms: 1 });
  tappedCall(log, 'e1', 1, 'find_workflow');
  tappedCall(log, 'e1', 2, 'rename_workflow');
  log.append('e1', SYSTEM, {
    kind: 'verifier.ran',
    verifier_mode: 'code',
    final_answer: null,
    frame: '{}',
    reward_type: 'complete',
    reward: 1,
    verify_result: null,
    error: null,
    latency_ms: 1,
  });
  log.append('e1', SYSTEM, ended({ reward_type: 'complete', reward: 1 }));
  for (const { messages, declares = false } of tellings) {
    log.append('e1', AGENT, {
      kind: 'conversation.told',
      messages: JSON.stringify(messages),
      tools: null,
      by: 'client',
      ...(declares ? { no_other_expert: true as const } : {}),
    });
  }
  return { log, record: log.record('e1') };
}

const shaped = (record: Parameters<typeof factsOf>[0]) =>
  shapedReward(factsOf(record), REWARD_DEFAULTS.shaping);

describe('what is known of the help an episode had', () => {
  it('is none where our own loop drove it and nobody stepped in', () => {
    const log = openLog();
    log.append('e1', SYSTEM, started());
    log.append('e1', SYSTEM, reset());

    expect(helpOf(log.record('e1'))).toEqual({ known: 'none', why: 'own_loop', isComplete: true });
  });

  it('is none of a client’s episode only when every call is told, none is an ask, and it declares so', () => {
    const { record } = tapped({ messages: PLAYED, declares: true });

    expect(helpOf(record)).toEqual({ known: 'none', why: 'declared', isComplete: true });
    expect(unseenPrivilege(record)).toEqual([]);
    expect(shaped(record)).toMatchObject({ pattern: 'solo', total: 2 });
  });

  it.each([
    ['by the tap alone', [], 'no_transcript'],
    ['without the declaration', [{ messages: PLAYED }], 'not_declared'],
    [
      'where a call of the wire is not told',
      [{ messages: PLAYED.slice(0, 4), declares: true }],
      'calls_missing',
    ],
    [
      'where it called a tool that is no tool of the environment',
      [{ messages: [...CALLS, call('3', 'web_search'), result('3', 'x'), DONE], declares: true }],
      'own_tools',
    ],
  ])('is unknown %s, and never earns what solo earns', (_, tellings, why) => {
    const { record } = tapped(...tellings);

    expect(helpOf(record)).toMatchObject({ known: 'unknown', why });
    expect(unseenPrivilege(record)).toBe('unknown');
    expect(shaped(record)).toMatchObject({ pattern: 'unknown', total: 0.8 });
  });

  it.each<[string, Message[]]>([
    ['an ask, linked or not', [...CALLS, call('3', 'ask_expert'), result('3', 'Call it.'), DONE]],
    [
      'an ask of an expert with another name',
      [...CALLS, call('3', 'consult_advisor'), result('3', 'x'), DONE],
    ],
    [
      'an ask written into the text',
      [
        ...CALLS,
        { role: 'assistant', content: '<tool_call>{"name":"ask_expert","arguments":{}}</tool_call>' },
        DONE,
      ],
    ],
    ['a plan in its first prompt', [{ role: 'system', content: `Follow this: ${PLAN}` }, ...PLAYED.slice(1)]],
    [
      'a brief under an expert’s name',
      [{ role: 'user', content: '## Expert advice:\nrename it' }, ...PLAYED],
    ],
    [
      'advice among the results',
      [...CALLS, { role: 'user', content: `Advice from an expert: ${PLAN}` }, DONE],
    ],
  ])('is advised where its transcript holds %s, whatever it declares', (_, messages) => {
    const { record } = tapped({ messages, declares: true });

    expect(helpOf(record)).toMatchObject({ known: 'advised', why: 'told' });
    expect(shaped(record)).toMatchObject({ pattern: 'unknown', total: 0.8 });
  });

  it('is not taken back by telling less', () => {
    const { record } = tapped(
      { messages: [...CALLS, call('3', 'ask_expert'), result('3', 'Call it.'), DONE] },
      { messages: PLAYED, declares: true },
    );

    expect(helpOf(record).known).toBe('advised');
  });
});

it.each(['a client’s', 'one that only asked'])(
  'an episode that somebody may have helped unseen is neither forked nor resumed into one of ours, whose help is known: %s',
  async (whose) => {
    const { log } = tapped();
    log.append('q1', SYSTEM, started({ source: 'ask', condition: 'human', agent: FOREIGN }));
    log.append('q1', SYSTEM, reset());
    log.append('q1', SYSTEM, ended({ outcome: 'interrupted' }));
    const unused = (): never => expect.unreachable('it was not refused');
    const commands = worldStateCommands({ log, supervisor: { start: unused } as never, images: unused });
    const [episode, caller] = [whose === 'a client’s' ? 'e1' : 'q1', { seat: 'seat-one' }];

    await expect(commands['episode.fork']({ episode, turn: 0 }, caller)).rejects.toThrow('not ours');
    await expect(commands['episode.resume']({ episode }, caller)).rejects.toMatchObject({
      code: 'bad_input',
    });
  },
);

describe('rows of an episode whose help is unknown', () => {
  it('say so, are no demonstrations, and are left out and counted where only leak-free ones are wanted', async () => {
    const { log } = tapped({ messages: PLAYED });

    const [row] = (await makeRows(log, 'sft_messages')).rows;
    expect(row).toMatchObject({ act: 'unknown', privilege: 'unknown', leak_free: false });
    expect((await makeRows(log, 'sft')).rows).toMatchObject([{ act: 'unknown', privilege: 'unknown' }]);
    expect(await makeRows(log, 'demonstrations')).toEqual({ rows: [], dropped: { help_unknown: 1 } });
    const unadvised = { filter: { has_advice: false } };
    expect(await makeRows(log, 'sft', unadvised)).toEqual({ rows: [], dropped: { help_unknown: 1 } });
    for (const privilege of ['leak_free', 'strip'] as const) {
      const left = await makeRows(log, 'sft', { privilege });
      expect(left).toEqual({ rows: [], dropped: { privilege_unknown: 1 } });
    }
  });

  it('are solo, leak-free and demonstrations once the client declares that it has no other expert', async () => {
    const { log } = tapped({ messages: PLAYED, declares: true });

    expect((await makeRows(log, 'demonstrations')).rows).toHaveLength(1);
    const { rows } = await makeRows(log, 'sft', { privilege: 'leak_free' });
    expect(rows).toMatchObject([{ act: 'solo', privilege: 'none', leak_free: true }]);
  });
});
