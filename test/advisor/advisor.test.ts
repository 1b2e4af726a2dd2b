import { describe, expect, it } from 'vitest';
import { createAdvisor, type DraftRequest } from '../../src/main/advisor/advisor.ts';
import { createScriptedLlm, type ScriptedLlm } from '../support/scriptedLlm.ts';
import { Failure } from '../../src/shared/failure.ts';
import type { Briefing } from '../../src/shared/pack.ts';
import { parsePlan } from '../../src/shared/plan.ts';
import { knowledgeOf } from '../support/flow.ts';
import { shippedPrompts } from '../support/prompts.ts';

const BRIEFING: Briefing = {
  criteria: 'The row of user 7 is in team_members.',
  reference: [{ tool: 'add_member', args: { user: 7 }, purpose: null }],
  draft: [
    { tool: 'find_user', args: { q: 'Ada' }, purpose: 'find her id' },
    { tool: 'add_member', args: { user: 8 }, purpose: null },
  ],
  draft_note: 'There are two, and this is the wrong Ada.',
  rehearsal: { attempts: [], ask: { task: '', context: '' }, final: '' },
};
const REQUEST: DraftRequest = {
  episode: 'e-1',
  task: 'Add Ada to the team.',
  question: 'Which Ada?',
  askedTask: 'Add a member',
  tools: [{ name: 'add_member', description: 'Adds.', input_schema: { type: 'object', title: 'Noise' } }],
  attempts: [{ turn: 2, tool_name: 'add_member', arguments: '{"user":1}', error: 'no such user' }],
  hint: null,
};
const calm = new AbortController().signal;
const advisor = (llm: ScriptedLlm | null, briefing: Briefing | null = BRIEFING) =>
  createAdvisor({
    llm: () => llm,
    knowledge: (episode) => Promise.resolve(episode === 'e-1' ? knowledgeOf(briefing) : null),
    prompts: shippedPrompts(),
    retry: { sleep: () => Promise.resolve(), random: () => 0 },
  });

describe('a draft from the model', () => {
  it('is what it wrote, without its thinking, marked with what it was shown', async () => {
    const llm = createScriptedLlm([
      {
        content: '<think>Hm.</think>\n{"plan":[]}',
        model: 'big-1',
        usage: { input_tokens: 3, output_tokens: 4 },
      },
    ]);

    expect(await advisor(llm).draft(REQUEST, calm)).toEqual({
      ok: true,
      text: '{"plan":[]}',
      generator: 'model',
      model: 'big-1',
      privilege: ['criteria'],
      usage: { input_tokens: 3, output_tokens: 4 },
    });
  });

  it('rests on the task, the criteria, the tools, the last calls and the question', async () => {
    const llm = createScriptedLlm([{ content: 'x' }]);
    await advisor(llm).draft({ ...REQUEST, hint: 'Mind the second Ada.' }, calm);
    const [system, brief] = llm.requests[0]?.messages ?? [];

    expect(system?.content).toContain('"plan"');
    for (const part of [
      'Add Ada to the team.',
      BRIEFING.criteria,
      '{"name":"add_member","description":"Adds.","arguments":{"type":"object"}}',
      '- turn 2: add_member {"user":1} failed: no such user',
      'Add a member\n\nWhich Ada?',
      'Mind the second Ada.',
    ]) {
      expect(brief?.content).toContain(part);
    }
    expect(llm.requests[0]?.tools).toBeNull();
  });

  it('never rests on the reference', async () => {
    const llm = createScriptedLlm([{ content: 'x' }]);
    await advisor(llm).draft(REQUEST, calm);

    expect(JSON.stringify(llm.requests)).not.toContain('wrong Ada');
    expect(JSON.stringify(llm.requests)).not.toContain('find her id');
  });

  it('is leak-free when nothing is known about the task', async () => {
    const llm = createScriptedLlm([{ content: 'Look first.' }]);
    const result = await advisor(llm, null).draft(REQUEST, calm);

    expect(result).toMatchObject({ ok: true, privilege: [] });
    expect(llm.requests[0]?.messages[1]?.content).not.toContain('counts as done');
  });

  it('that fails is a failure with its code, never a text', async () => {
    const llm = createScriptedLlm([new Failure('model_unauthorized', 'the key was not accepted')]);

    expect(await advisor(llm).draft(REQUEST, calm)).toEqual({
      ok: false,
      code: 'model_unauthorized',
      message: 'the key was not accepted',
    });
  });

  it('does not fall back to the reference when the model fails', async () => {
    const llm = createScriptedLlm([new Failure('model_refused', 'no')]);

    expect(await advisor(llm).draft(REQUEST, calm)).toMatchObject({ ok: false, code: 'model_refused' });
  });

  it('that is nothing but thinking is a failure', async () => {
    expect(
      await advisor(createScriptedLlm([{ content: '<think>Hm.</think>' }])).draft(REQUEST, calm),
    ).toMatchObject({ ok: false, code: 'model_empty' });
  });

  it('is waited for when the server is only busy', async () => {
    const busy = new Failure('model_rate_limited', 'busy', {
      cause: { status: 429, retryAfterMs: 1, isPassing: true },
    });
    const llm = createScriptedLlm([busy, { content: 'Now.' }]);

    expect(await advisor(llm).draft(REQUEST, calm)).toMatchObject({ ok: true, text: 'Now.' });
  });

  it('is dropped when somebody answered first', async () => {
    const stop = new AbortController();
    stop.abort();

    await expect(
      advisor(createScriptedLlm([{ content: 'late' }])).draft(REQUEST, stop.signal),
    ).rejects.toMatchObject({ code: 'cancelled' });
  });
});

describe('without a model', () => {
  it('the draft is the pack’s, readable as a plan, and marked with the reference', async () => {
    const result = await advisor(null).draft(REQUEST, calm);

    expect(result).toMatchObject({
      ok: true,
      generator: 'rule',
      model: null,
      privilege: ['reference'],
      usage: null,
    });
    expect(result.ok ? parsePlan(result.text) : null).toEqual({
      calls: BRIEFING.draft,
      success_state: null,
      tips: null,
      form: 'json',
    });
  });

  it('the draft does not give away what is wrong with it', async () => {
    const result = await advisor(null).draft(REQUEST, calm);

    expect(result.ok && result.text).not.toContain(BRIEFING.draft_note);
  });

  it('and without a briefing there is no draft, and the reason is said', async () => {
    expect(await advisor(null, null).draft(REQUEST, calm)).toMatchObject({
      ok: false,
      code: 'model_not_configured',
    });
  });
});
