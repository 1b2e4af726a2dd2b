import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Breakpoint } from '../../src/shared/events/stepIns.ts';
import type { LlmReply } from '../../src/main/llm/port.ts';
import type { Policy } from '../../src/main/agent/policy.ts';
import { foldAll } from '../../src/shared/episode/fold.ts';
import { serveEnvironment } from '../support/flow.ts';
import { ASK_ALL, asking, ME, native, replies, reply, startStepIn } from '../support/stepIn.ts';

let environment: Awaited<ReturnType<typeof serveEnvironment>>;
beforeEach(async () => {
  environment = await serveEnvironment();
});
afterEach(() => environment.close());

const start = (policy: Policy, over: Parameters<typeof startStepIn>[2] = {}) =>
  startStepIn(environment.url, policy, over);
const TIMING = { first_seen_at: null, active_ms: null };
/** Keeps what the model was sent before each of its replies. */
const watching = (seen: string[], ...list: LlmReply[]): Policy => {
  const inner = replies(...list);
  return {
    next: (...given) => {
      seen.push(JSON.stringify(given[0].messages));
      return inner.next(...given);
    },
  };
};
const made = () => environment.calls.filter(({ tool }) => tool !== 'verify' && tool !== 'done');

describe('a held call', () => {
  it('never reaches the environment as it was when a person edited it, and the agent is told what ran and why', async () => {
    const { commands, held, about, ended } = start(replies(native('rename_workflow', { id: 1 })), asking());
    await held();

    await commands['call.decide'](
      {
        act: 'edit',
        ...about('t1'),
        tool_name: 'rename_workflow',
        arguments: { id: 2 },
        reason: 'the second one is meant',
        is_unchecked: false,
      },
      ME,
    );
    const record = await ended;

    expect(made()).toEqual([{ tool: 'rename_workflow', args: { id: 2 } }]);
    expect(record.turns[0]?.move).toMatchObject({ arguments: { id: 1 } });
    expect(record.turns[0]?.call).toMatchObject({
      decision: { type: 'edited' },
      sent: { arguments: { id: 2 } },
    });
    expect(record.messages.find(({ role }) => role === 'tool')?.content).toMatch(
      /rename_workflow\(\{"id":2\}\)[\s\S]*the second one is meant/,
    );
    expect(record.ended?.reward_type).toBe('complete');
  });

  it('can be swapped for another tool', async () => {
    const { commands, held, about, ended } = start(replies(native('find_workflow')), asking());
    await held();

    await commands['call.decide'](
      {
        act: 'edit',
        ...about('t1'),
        tool_name: 'rename_workflow',
        arguments: { id: 2 },
        reason: null,
        is_unchecked: false,
      },
      ME,
    );

    expect((await ended).turns[0]?.call?.sent?.toolName).toBe('rename_workflow');
  });

  it('is not sent when it is rejected; the agent reads the reason as words, not as an error', async () => {
    const { commands, held, about, ended } = start(replies(native('find_workflow')), asking());
    await held();

    await commands['call.decide']({ act: 'reject', ...about('t1'), reason: 'that would wake everyone' }, ME);
    const record = await ended;

    expect(made()).toEqual([]);
    expect(record.messages.find(({ role }) => role === 'tool')).toMatchObject({ origin: 'notice' });
    expect(record.messages.find(({ role }) => role === 'tool')?.content).toContain(
      'that would wake everyone',
    );
    expect(record.counts.toolErrors).toBe(0);
  });

  it('can be answered in the tool’s place, marked as fabricated wherever it shows', async () => {
    const { commands, held, about, ended } = start(replies(native('find_workflow')), asking());
    await held();

    await commands['call.decide']({ act: 'answer', ...about('t1'), text: '{"id": 2}', is_error: false }, ME);
    const record = await ended;

    expect(made()).toEqual([]);
    expect(record.turns[0]?.call).toMatchObject({
      decision: { type: 'answered' },
      sent: null,
      returned: null,
    });
    expect(record.messages.find(({ role }) => role === 'tool')).toMatchObject({
      origin: 'fabricated',
      content: '{"id": 2}',
    });
  });

  it('refuses an edit that does not fit the tool’s schema, and keeps waiting', async () => {
    const { commands, held, about, ended, id, supervisor } = start(
      replies(native('rename_workflow', { id: 1 })),
      asking(),
    );
    await held();
    const edit = { ...about('t1'), tool_name: 'rename_workflow', reason: null };

    await expect(
      commands['call.decide']({ act: 'edit', ...edit, arguments: { id: 'two' }, is_unchecked: false }, ME),
    ).rejects.toThrow(/id must be a whole number/);

    supervisor.stop(id, { type: 'human', id: 'seat-one' }, null);
    expect((await ended).turns[0]?.call?.decision?.type).toBe('cancelled');
  });

  it('has one outcome: the second seat is told who was first', async () => {
    const { commands, held, about, ended } = start(replies(native('find_workflow')), asking());
    await held();
    await commands['call.decide']({ act: 'reject', ...about('t1'), reason: 'no' }, ME);

    await expect(
      commands['call.decide']({ act: 'approve', ...about('t1'), similar: false }, { seat: 'seat-two' }),
    ).rejects.toThrow(/already rejected by seat-one/);
    await ended;
  });

  it('is executed when nobody decides in time only where that was chosen', async () => {
    const approval = { rules: ASK_ALL, deadline_ms: 10, fallback: 'approve' as const };
    const { ended } = start(replies(native('find_workflow')), { approval });

    expect((await ended).turns[0]?.call).toMatchObject({
      decision: { type: 'expired', fallback: 'approve' },
    });
    expect(made()).toHaveLength(1);
  });

  it('asks the person what to do after three rejections in a row', async () => {
    const { commands, until, about, control, ended } = start(
      replies(native('find_workflow'), native('find_workflow'), native('find_workflow')),
      asking(),
    );
    for (const call of ['t1', 't2', 't3']) {
      await until((record) => record.turns.at(-1)?.callId === call && record.turns.at(-1)?.call?.held);
      await commands['call.decide']({ act: 'reject', ...about(call), reason: 'no' }, ME);
    }

    expect(await until(({ phase }) => phase === 'paused')).toMatchObject({
      phaseCause: 'rejections',
      status: 'waiting',
    });
    await control('resume');
    await ended;
  });
});

describe('pausing', () => {
  it('stops between turns and goes on where it was', async () => {
    const { commands, control, until, held, about, ended } = start(
      replies(native('find_workflow'), native('find_workflow')),
      asking(),
    );
    await held();
    await control('pause');
    await commands['call.decide']({ act: 'approve', ...about('t1'), similar: true }, ME);
    await until(({ phase, turns }) => phase === 'paused' && turns[0]?.call?.returned);
    // Whatever could go on has had its turn of the event loop.
    await new Promise(setImmediate);

    expect((await until(() => true)).counts.turns).toBe(1);
    await control('resume');
    expect((await ended).counts.turns).toBe(3);
  });

  it('steps one turn at a time', async () => {
    const { commands, control, until, held, about, ended } = start(
      replies(native('find_workflow'), native('find_workflow')),
      asking(),
    );
    await held();
    await control('pause');
    await commands['call.decide']({ act: 'approve', ...about('t1'), similar: true }, ME);
    await until(({ turns }) => turns[0]?.call?.returned);

    await control('step');
    const stepped = await until(({ phase, phaseCause }) => phase === 'paused' && phaseCause === 'step');

    expect(stepped.counts.turns).toBe(2);
    await control('resume');
    await ended;
  });

  it('at once gives up the reply that is being written, and asks again after', async () => {
    const list = [reply({ content: 'second try, done' })];
    let calls = 0;
    let writing = (): void => undefined;
    const isWriting = new Promise<void>((resolve) => {
      writing = resolve;
    });
    const policy: Policy = {
      next: (_request, signal) => {
        calls += 1;
        writing();
        if (calls > 1) return Promise.resolve(list[0] as LlmReply);
        return new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(new Error('aborted'))),
        );
      },
    };
    const { control, ended } = start(policy);
    await isWriting;

    await control('pause', { at_once: true });
    await control('resume');
    const record = await ended;

    expect(record.timeline.find(({ type }) => type === 'model_failed')).toMatchObject({ code: 'cancelled' });
    expect(record.ended?.outcome).toBe('done');
  });

  it('ends with its cause when the environment goes away meanwhile, and nobody is said to have stopped it', async () => {
    const { until, control, held, commands, about, ended } = start(
      replies(native('find_workflow'), native('find_workflow', { a: 2 })),
      asking(),
    );
    await held();
    await control('pause');
    await commands['call.decide']({ act: 'approve', ...about('t1'), similar: false }, ME);
    await until(({ phase, turns }) => phase === 'paused' && turns[0]?.call?.returned);
    environment.close();

    const record = await ended;
    expect(record.ended).toMatchObject({ outcome: 'error', failure: { code: 'env_closed' } });
    expect(record.timeline.at(-2)).toMatchObject({ type: 'connection', state: 'closed' });
    expect(record.timeline.some(({ type }) => type === 'stop_requested')).toBe(false);
    await expect(control('resume')).rejects.toThrow(/has ended/);
  });

  it('refuses what makes no sense now', async () => {
    const { control, held, ended, commands, about } = start(replies(native('find_workflow')), asking());
    await held();

    await expect(control('resume')).rejects.toThrow(/autonomous cannot resume/);
    await expect(control('hand_back')).rejects.toThrow(/cannot hand back/);
    await commands['call.decide']({ act: 'approve', ...about('t1'), similar: false }, ME);
    await ended;
    await expect(control('pause')).rejects.toThrow(/has ended/);
  });
});

describe('breakpoints', () => {
  const withBreakpoint = async (at: Breakpoint, ...list: LlmReply[]) => {
    const episode = start(replies(native('find_workflow', { first: true }), ...list), asking());
    await episode.held();
    await episode.commands['breakpoint.change']({ episode: episode.id, set: at }, ME);
    await episode.commands['policy.set']({ episode: episode.id, rules: [] }, ME);
    await episode.commands['call.decide']({ act: 'approve', ...episode.about('t1'), similar: false }, ME);
    return episode;
  };

  it('on a tool hold the call for a person', async () => {
    const { held, about, commands, ended } = await withBreakpoint(
      { on: 'tool', glob: 'rename_*', argument: null },
      native('rename_workflow', { id: 2 }),
    );
    const record = await held();

    expect(record.turns.at(-1)?.call?.held).toMatchObject({ why: 'breakpoint' });
    await commands['call.decide']({ act: 'approve', ...about('t2'), similar: false }, ME);
    await ended;
  });

  it('on a repeated call hold the second one', async () => {
    const { held, about, commands, ended } = await withBreakpoint(
      { on: 'repeated_call' },
      native('find_workflow', { first: true }),
    );
    const record = await held();

    expect(record.turns.at(-1)?.callId).toBe('t2');
    await commands['call.decide']({ act: 'approve', ...about('t2'), similar: false }, ME);
    await ended;
  });

  it.each([
    ['an error', { on: 'error' as const }, native('rename_workflow', {})],
    ['tokens spent', { on: 'tokens' as const, above: 150 }, native('find_workflow')],
    ['a final answer', { on: 'final' as const }, reply({ content: 'done' })],
  ])('on %s pause the episode once', async (_name, at, next) => {
    const { until, control, ended } = await withBreakpoint(at, next);
    const record = await until(({ phase }) => phase === 'paused');

    expect(record.phaseCause).toBe('breakpoint');
    await control('resume');
    expect((await ended).ended?.outcome).toBe('done');
  });
});

describe('taking over', () => {
  it('lets a person act in the agent’s own words and hand back with a note the agent reads', async () => {
    const seen: string[] = [];
    const policy = watching(seen, native('find_workflow'), reply({ content: 'done' }));
    const { commands, control, until, held, about, ended, id, log } = start(policy, asking());
    await held();
    await control('take_over');
    await commands['call.decide']({ act: 'approve', ...about('t1'), similar: false }, ME);

    await commands['takeover.move'](
      {
        episode: id,
        say: '',
        move: { type: 'call_tool', tool_name: 'rename_workflow', arguments: { id: 2 } },
        is_unchecked: false,
      },
      ME,
    );
    await until(({ turns }) => turns[1]?.call?.returned);
    await control('hand_back', { note: 'I renamed it; just say so.' });
    const record = await ended;

    expect(record.turns[1]).toMatchObject({
      actor: { type: 'human', id: 'seat-one' },
      call: { sent: { toolName: 'rename_workflow' }, held: null },
    });
    expect(record.ended?.reward_type).toBe('complete');
    expect(seen.at(-1)).toContain('I renamed it; just say so.');
    expect(seen.at(-1)).toContain('rename_workflow');
    expect(foldAll(id, log.read(id))).toEqual(record);
  });

  it('keeps discarded moves in the log, marked', async () => {
    const { commands, control, until, held, about, ended, id } = start(
      replies(native('find_workflow')),
      asking(),
    );
    await held();
    await control('take_over');
    await commands['call.decide']({ act: 'approve', ...about('t1'), similar: false }, ME);
    await commands['takeover.move'](
      { episode: id, say: 'a try', move: { type: 'list_tools' }, is_unchecked: false },
      ME,
    );
    await until(({ messages }) => messages.at(-1)?.turn === 2 && messages.at(-1)?.role !== 'assistant');

    await control('hand_back', { is_discarded: true, reason: 'wrong idea' });

    expect((await ended).turns.map(({ isDiscarded }) => isDiscarded)).toEqual([false, true, false]);
  });

  it('lets a person give the final answer', async () => {
    const { commands, control, held, about, ended, id } = start(replies(native('find_workflow')), asking());
    await held();
    await control('take_over');
    await commands['call.decide']({ act: 'approve', ...about('t1'), similar: false }, ME);

    await commands['takeover.move'](
      { episode: id, say: '', move: { type: 'final', text: 'Nothing to do.' }, is_unchecked: false },
      ME,
    );

    expect((await ended).ended).toMatchObject({ outcome: 'done', final_answer: 'Nothing to do.' });
  });

  it('closes the held call with the first move: cancelled, not rejected, and the agent is told what happened', async () => {
    const seen: string[] = [];
    const { commands, control, held, until, ended, id } = start(
      watching(seen, native('find_workflow'), reply({ content: 'Done.' })),
      asking(),
    );
    await held();
    await control('take_over');

    const { turn } = await commands['takeover.move'](
      { episode: id, say: '', move: { type: 'list_tools' }, is_unchecked: false },
      ME,
    );
    await until(({ messages }) => messages.at(-1)?.turn === turn && messages.at(-1)?.role === 'tool');
    await control('hand_back');
    const record = await ended;

    expect(turn).toBe(2);
    expect(record.turns[0]?.call).toMatchObject({
      sent: null,
      decision: { type: 'cancelled', actor: { id: 'seat-one' } },
    });
    expect(made()).toEqual([]);
    expect(record.messages.filter(({ turn: at }) => at === 1).map(({ role }) => role)).toEqual([
      'assistant',
      'tool',
    ]);
    expect(seen.at(-1)).toContain('neither answered nor refused');
    expect(seen.at(-1)).not.toContain('decided against it');
  });

  it('closes the open question the same way, so that the person can act while it waits', async () => {
    const { commands, control, until, ended, id } = start(
      replies(native('ask_expert', { task: 'rename', context: 'which one?' }), reply({ content: 'Done.' })),
      { condition: 'human' },
    );
    await until(({ consultations }) => consultations[0]);
    await control('take_over');

    await commands['takeover.move'](
      {
        episode: id,
        say: '',
        move: { type: 'call_tool', tool_name: 'rename_workflow', arguments: { id: 2 } },
        is_unchecked: false,
      },
      ME,
    );
    await until(({ turns }) => turns[1]?.call?.returned);
    await control('hand_back');
    const record = await ended;

    expect(record.consultations[0]).toMatchObject({ decision: { type: 'cancelled' }, delivered: null });
    expect(record.turns[0]?.move?.type).toBe('ask_expert');
    expect(record.ended?.reward_type).toBe('complete');
  });

  it('is needed before a person may act', async () => {
    const { commands, held, about, ended, id } = start(replies(native('find_workflow')), asking());
    await held();

    await expect(
      commands['takeover.move'](
        { episode: id, say: '', move: { type: 'list_tools' }, is_unchecked: false },
        ME,
      ),
    ).rejects.toThrow(/take it over first/);
    await commands['call.decide']({ act: 'approve', ...about('t1'), similar: false }, ME);
    await ended;
  });
});

describe('notes and labels', () => {
  it('a note reaches the agent before its next turn, marked as a note', async () => {
    const { commands, held, about, ended, id } = start(replies(native('find_workflow')), asking());
    await held();
    await commands['note.send']({ episode: id, text: 'Mind the second one.', timing: TIMING }, ME);
    await commands['call.decide']({ act: 'approve', ...about('t1'), similar: false }, ME);
    const record = await ended;

    expect(record.notes[0]).toMatchObject({ deliveredTurn: 2, privilege: [] });
    expect(record.messages.find(({ origin }) => origin === 'note')?.content).toContain(
      'Mind the second one.',
    );
  });

  it('a label keeps what the expert would have done, without interrupting the agent', async () => {
    const { commands, held, about, ended, id } = start(replies(native('find_workflow')), asking());
    await held();
    const same = { type: 'call_tool' as const, tool_name: 'find_workflow', arguments: {} };
    await commands['label.give']({ episode: id, turn: 1, move: same, timing: TIMING }, ME);
    await commands['call.decide']({ act: 'approve', ...about('t1'), similar: false }, ME);

    expect((await ended).turns[0]?.label).toMatchObject({ agrees: true, actor: { id: 'seat-one' } });
  });
});
