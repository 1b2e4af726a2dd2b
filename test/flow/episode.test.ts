import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { attachAnswers } from '../../src/main/desk/scriptedAnswers.ts';
import { foldAll } from '../../src/shared/episode/fold.ts';
import { REPLY_MAX, type LlmReply } from '../../src/main/llm/port.ts';
import { BRIEFING, createFlow, serveEnvironment, spec, type Tool } from '../support/flow.ts';
import { HUMAN } from '../support/log.ts';

const TIMING = { first_seen_at: null, active_ms: null };
const GOOD = 'rename_workflow({"id": 2})';

let environment: Awaited<ReturnType<typeof serveEnvironment>>;
beforeEach(async () => {
  environment = await serveEnvironment();
});
afterEach(() => environment.close());

const withTools = async (tools: Record<string, Tool>) => {
  environment.close();
  environment = await serveEnvironment(tools);
};

const reply = (over: Partial<LlmReply>): LlmReply => ({
  content: '',
  reasoning: null,
  toolCalls: [],
  model: 'scripted-model',
  stopReason: 'stop',
  usage: null,
  ...over,
});
const native = (name: string, args: object, id = 'n1') =>
  reply({ toolCalls: [{ id, name, arguments: JSON.stringify(args) }] });
/** A policy that gives these replies and then says it is done. */
const replies = (...list: LlmReply[]) => ({
  next: () => Promise.resolve(list.shift() ?? reply({ content: 'I am done.' })),
});

describe.each(['native', 'xml'] as const)('one ask_expert, straight through (%s)', (protocol) => {
  it('errs, asks, follows the person’s words, and the verifier says complete', async () => {
    const { log, desk, supervisor, waiting } = createFlow();
    const agent = { policy: 'rehearsal' as const, protocol, model: null };
    const { id, ended } = supervisor.start(spec(environment.url, { agent }));
    const item = await waiting(({ draft }) => draft !== null);

    desk.answer(
      {
        episode: id,
        consultation: item.consultation,
        text: GOOD,
        draft: item.draft?.id ?? null,
        seen_seq: item.seq,
        timing: TIMING,
      },
      HUMAN,
    );
    const record = await ended;

    expect(record.ended).toMatchObject({ outcome: 'done', reward_type: 'complete', reward: 1 });
    expect(environment.calls.at(-3)).toEqual({ tool: 'rename_workflow', args: { id: 2 } });
    expect(record.consultations[0]).toMatchObject({
      draft: { privilege: ['reference'] },
      decision: { type: 'approved', act: 'edit', privilege: ['reference'] },
      delivered: { as: 'advice', text: GOOD },
    });
    expect(foldAll(id, log.read(id))).toEqual(record);
  });

  it('does not complete when the wrong draft is accepted as it is', async () => {
    const { log, desk, supervisor, waiting } = createFlow();
    const agent = { policy: 'rehearsal' as const, protocol, model: null };
    const { id, ended } = supervisor.start(spec(environment.url, { agent }));
    const item = await waiting(({ draft }) => draft !== null);
    const text = log.texts.loadText(item.draft?.text ?? '');

    const { act } = desk.answer(
      {
        episode: id,
        consultation: item.consultation,
        text,
        draft: item.draft?.id ?? null,
        seen_seq: item.seq,
        timing: TIMING,
      },
      HUMAN,
    );

    expect(act).toBe('accept');
    expect((await ended).ended).toMatchObject({ outcome: 'done', reward_type: 'others' });
  });

  it('does not complete with no expert, and the ask never reaches the environment', async () => {
    const { supervisor } = createFlow();
    const agent = { policy: 'rehearsal' as const, protocol, model: null };

    const record = await supervisor.start(spec(environment.url, { agent, condition: 'none' })).ended;

    expect(record.ended).toMatchObject({ outcome: 'done', reward_type: 'others' });
    expect(record.consultations).toEqual([]);
    expect(environment.calls.map(({ tool }) => tool)).not.toContain('ask_expert');
  });
});

describe('an expert who does not advise', () => {
  it('a decline reaches the agent with its reason and is recorded as a decline', async () => {
    const { desk, supervisor, waiting } = createFlow();
    const { id, ended } = supervisor.start(spec(environment.url));
    const item = await waiting();

    desk.decline(
      {
        episode: id,
        consultation: item.consultation,
        reason: 'ask your own team',
        seen_seq: 1,
        timing: TIMING,
      },
      HUMAN,
    );
    const record = await ended;

    expect(record.consultations[0]?.decision?.type).toBe('declined');
    expect(record.consultations[0]?.delivered?.as).toBe('declined');
    expect(
      record.messages.find(({ origin, turn }) => turn === item.turn && origin !== 'agent')?.content,
    ).toContain('ask your own team');
  });

  it('a deadline lets the agent go on without, and is no decline', async () => {
    const { supervisor } = createFlow();

    const record = await supervisor.start(spec(environment.url, { deadline_ms: 20, fallback: 'proceed' }))
      .ended;

    expect(record.consultations[0]).toMatchObject({
      decision: { type: 'expired', fallback: 'proceed' },
      delivered: { as: 'timed_out', privilege: [] },
    });
    expect(record.ended?.reward_type).toBe('others');
  });

  it('a deadline with the draft as fallback sends the draft, marked as the draft it is', async () => {
    const { supervisor } = createFlow();

    const record = await supervisor.start(spec(environment.url, { deadline_ms: 50, fallback: 'draft' }))
      .ended;

    expect(record.consultations[0]?.delivered).toMatchObject({ as: 'draft', privilege: ['reference'] });
  });

  it('the advisor alone answers under the condition model, and is never counted as a person', async () => {
    const { supervisor } = createFlow({ briefing: { ...BRIEFING, draft: BRIEFING.reference } });

    const record = await supervisor.start(spec(environment.url, { condition: 'model' })).ended;

    expect(record.ended?.reward_type).toBe('complete');
    expect(record.consultations[0]?.decision).toMatchObject({
      type: 'approved',
      act: 'accept',
      actor: { type: 'scripted' },
    });
    expect(record.counts.humanActs).toBe(0);
  });

  it('with neither a model nor a rule the agent is told that nobody is there', async () => {
    const policy = replies(native('ask_expert', { task: 't', context: 'c' }));
    const { supervisor } = createFlow({ policy, briefing: null });

    const record = await supervisor.start(spec(environment.url, { condition: 'model' })).ended;

    expect(record.consultations[0]).toMatchObject({
      draftFailure: { code: 'model_not_configured' },
      delivered: { as: 'nobody' },
    });
  });
});

describe('answers from a file', () => {
  it('go through the same desk and are recorded as scripted', async () => {
    const { log, desk, supervisor } = createFlow();
    attachAnswers({ log, desk }, [{ ask: 1, do: 'send', text: GOOD }]);

    const record = await supervisor.start(spec(environment.url, { fallback: 'proceed' })).ended;

    expect(record.ended?.reward_type).toBe('complete');
    expect(record.consultations[0]?.decision).toMatchObject({ act: 'edit', actor: { type: 'scripted' } });
    expect(record.counts.humanActs).toBe(0);
  });

  it('that are used up fall back as it was chosen, at once', async () => {
    const { log, desk, supervisor } = createFlow();
    attachAnswers({ log, desk }, [{ ask: 1, task_idx: 7, do: 'accept' }]);

    const record = await supervisor.start(spec(environment.url, { fallback: 'proceed' })).ended;

    expect(record.consultations[0]).toMatchObject({
      decision: { type: 'expired', reason: 'nobody' },
      delivered: { as: 'nobody' },
    });
  });
});

describe('what an agent may not do', () => {
  it.each(['verify', 'done', '__list_scenarios__'])(
    'call %s: refused, recorded, counted, never sent',
    async (tool) => {
      const { supervisor } = createFlow({ policy: replies(native(tool, {})) });

      const record = await supervisor.start(spec(environment.url)).ended;

      expect(record.turns[0]?.call?.refused).toMatchObject({ reason: 'reserved' });
      expect(record.counts.refused).toBe(1);
      expect(environment.calls.map((call) => call.tool)).toEqual(['verify', 'done']);
    },
  );

  it('ask more often than its budget: refused with a text that says so', async () => {
    const ask = () => native('ask_expert', { task: 't' });
    const { log, desk, supervisor } = createFlow({ policy: replies(ask(), ask()) });
    attachAnswers({ log, desk }, [{ ask: 1, do: 'accept' }]);
    const limits = { ...spec('').limits, consultations: 1 };

    const record = await supervisor.start(spec(environment.url, { limits, fallback: 'proceed' })).ended;

    expect(record.counts.consultations).toBe(1);
    expect(record.turns[1]?.call?.refused?.reason).toBe('budget');
  });

  it('ask where there is no expert: refused, not passed on', async () => {
    const { supervisor } = createFlow({ policy: replies(native('ask_expert', { task: 't' })) });

    const record = await supervisor.start(spec(environment.url, { condition: 'none' })).ended;

    expect(record.turns[0]?.call?.refused?.reason).toBe('condition');
  });

  it('end an episode with a call nobody can read: it is a format error, and the episode goes on', async () => {
    const { supervisor } = createFlow({
      policy: replies(reply({ content: '<tool_call>{"name": oops</tool_call>' })),
    });
    const agent = { policy: 'rehearsal' as const, protocol: 'xml' as const, model: null };

    const record = await supervisor.start(spec(environment.url, { agent })).ended;

    expect(record.turns[0]?.move?.type).toBe('malformed');
    expect(record.turns[1]?.move?.type).toBe('final');
    expect(record.counts.formatErrors).toBe(1);
  });

  it('make a call longer than is read: it is kept whole and told its length, and the episode goes on', async () => {
    const query = 'a'.repeat(REPLY_MAX);
    const { supervisor, log } = createFlow({ policy: replies(native('find_workflow', { query })) });

    const record = await supervisor.start(spec(environment.url)).ended;

    const [first, second] = record.turns;
    expect(first?.toolCalls[0]?.arguments).toHaveLength(JSON.stringify({ query }).length);
    expect(first?.move).toMatchObject({ type: 'malformed', code: 'too_long' });
    expect(record.messages.map(({ content }) => log.texts.loadText(content)).join('\n')).toContain(
      'at most 1,048,576 are read. Make a shorter one.',
    );
    expect(second?.move?.type).toBe('final');
  });
});

describe('limits and reminders', () => {
  it('end an episode that never finishes, and the verifier still speaks', async () => {
    const policy = { next: () => Promise.resolve(native('find_workflow', {})) };
    const { supervisor } = createFlow({ policy });
    const limits = { ...spec('').limits, turns: 4 };

    const record = await supervisor.start(spec(environment.url, { limits })).ended;

    expect(record.ended).toMatchObject({ outcome: 'limit', reason: 'turns', reward_type: 'others' });
    expect(record.counts.turns).toBe(4);
  });

  it('remind the agent of the expert after an error and when it stalls, marked as reminders', async () => {
    const policy = replies(
      native('rename_workflow', {}),
      ...Array.from({ length: 5 }, () => native('find_workflow', {})),
    );
    const { supervisor } = createFlow({ policy });

    const record = await supervisor.start(spec(environment.url)).ended;
    const reminded = record.messages.filter(({ segments }) => segments.some(({ type }) => type === 'nudge'));

    expect(reminded.map(({ turn }) => turn)).toEqual([1, 5]);
  });

  it('never mention the expert where there is none', async () => {
    const policy = replies(
      native('rename_workflow', {}),
      ...Array.from({ length: 5 }, () => native('find_workflow', {})),
    );
    const { supervisor } = createFlow({ policy });

    const record = await supervisor.start(spec(environment.url, { condition: 'none' })).ended;

    expect(JSON.stringify(record.messages)).not.toMatch(/expert/i);
  });

  it('cut a long tool result in one place, with both lengths, and keep the whole', async () => {
    await withTools({
      find_workflow: () => ({
        observation: { reward_type: 'tool_call_ok', tool_result: 'y'.repeat(90_000) },
      }),
    });
    const { log, supervisor } = createFlow({ policy: replies(native('find_workflow', {})) });

    const record = await supervisor.start(spec(environment.url)).ended;
    const result = record.turns[0]?.call?.returned?.text ?? '';
    const read = record.messages.find(({ origin }) => origin === 'environment');

    expect(log.texts.loadText(result)).toHaveLength(90_000);
    expect(read?.full_length).toBeGreaterThanOrEqual(90_000);
    expect(read?.content.length).toBeLessThanOrEqual(24_200);
  });
});

describe('what breaks', () => {
  it('an environment that cannot be reached ends the episode with the cause and the next step', async () => {
    const { supervisor } = createFlow();

    const record = await supervisor.start(spec('http://127.0.0.1:9')).ended;

    expect(record.ended).toMatchObject({ outcome: 'error', failure: { code: 'env_unreachable' } });
    expect(record.ended?.failure?.next).toMatch(/Start the environment server/);
  });

  it('an environment that refuses the scenario or the task says which', async () => {
    await withTools({
      reset: () => ({
        observation: { reward_type: 'reset_error', error: 'task_idx 99 out of range for scenario s_1' },
        reward: null,
      }),
    });
    const { supervisor } = createFlow();

    expect((await supervisor.start(spec(environment.url)).ended).ended?.failure?.code).toBe(
      'task_out_of_range',
    );
  });

  it('an environment that goes away while a person thinks cancels the question at once', async () => {
    const { supervisor, waiting } = createFlow();
    const { ended } = supervisor.start(spec(environment.url));
    await waiting();

    environment.close();
    const record = await ended;

    expect(record.consultations[0]?.decision?.type).toBe('cancelled');
    expect(record.ended).toMatchObject({ outcome: 'error', failure: { code: 'env_closed' } });
  });

  it('a stop at any moment leaves a complete log, with who stopped it', async () => {
    const { supervisor, waiting } = createFlow();
    const { id, ended } = supervisor.start(spec(environment.url));
    await waiting();

    supervisor.stop(id, HUMAN, 'enough');
    const record = await ended;

    expect(record.ended).toMatchObject({ outcome: 'stopped', failure: null });
    expect(record.timeline.find(({ type }) => type === 'stop_requested')).toMatchObject({
      actor: HUMAN,
      reason: 'enough',
    });
    expect(record.consultations[0]?.decision?.type).toBe('cancelled');
  });

  it('leaves no trace of episodes that only waited for a place when all is closed', async () => {
    const { log, supervisor, waiting } = createFlow({ places: 1 });
    const [first, ...queued] = [1, 2, 3].map(() => supervisor.start(spec(environment.url)));
    await waiting();

    await supervisor.close();

    expect((await first?.ended)?.ended?.outcome).toBe('stopped');
    expect((await Promise.all(queued.map(({ ended }) => ended))).map(({ n }) => n)).toEqual([0, 0]);
    const list = { query: '', status: null, condition: null, offset: 0, limit: 10 };
    expect(log.projections.episodes(list).rows.map(({ id }) => id)).toEqual([first?.id]);
  });

  it('a key in the reset never enters the log', async () => {
    const { log, supervisor } = createFlow();

    const { id, ended } = supervisor.start(
      spec(environment.url, {
        condition: 'none',
        reset: { llm_api_key: 'sk-very-secret', nested: { token: 'sk-very-secret' } },
      }),
    );
    await ended;

    expect(JSON.stringify(log.read(id))).not.toContain('sk-very-secret');
    expect(log.record(id).reset?.request['llm_api_key']).toBe('[redacted:14]');
  });
});
