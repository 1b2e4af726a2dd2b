import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Row } from './episodes.ts';
import type { LlmReply } from '../../../src/main/llm/port.ts';
import { exampleLog, GOOD } from '../../support/exported.ts';
import { makeRows } from '../../support/exporting.ts';
import { createFlow, serveEnvironment, spec } from '../../support/flow.ts';

let environment: Awaited<ReturnType<typeof serveEnvironment>>;
beforeEach(async () => {
  environment = await serveEnvironment();
});
afterEach(() => environment.close());

describe('supervised rows', () => {
  it('take only what completed, cut at the intervention, and say who gave the advice and what they had seen', async () => {
    const { log, edited } = await exampleLog(environment);

    const { rows, dropped } = await makeRows(log, 'sft');
    const row = rows[0] as Row;

    expect(rows).toHaveLength(1);
    expect(dropped).toEqual({ not_completed: 3 });
    expect(row).toMatchObject({
      episode: edited,
      actor: 'scripted',
      act: 'edit',
      privilege: 'reference',
      leak_free: false,
    });
    expect(row.prompt.at(-1)?.content).toContain(GOOD);
    expect(row.completion[0]?.tool_calls?.[0]?.function).toEqual({
      name: 'rename_workflow',
      arguments: { id: 2 },
    });
    expect(row.completion.at(-1)).toMatchObject({ role: 'assistant' });
  });

  it('pair every tool result with the call it answers, and offer the tools the agent had', async () => {
    const { log } = await exampleLog(environment);
    const { prompt, completion, tools } = (await makeRows(log, 'sft')).rows[0] as Row;
    const messages = [...prompt, ...completion];
    const calls = messages.flatMap(({ tool_calls }) => tool_calls ?? []).map(({ id }) => id);

    expect(messages.filter(({ role }) => role === 'tool').map(({ tool_call_id }) => tool_call_id)).toEqual(
      calls,
    );
    expect(tools.map(({ function: { name } }) => name)).toEqual([
      'find_workflow',
      'rename_workflow',
      'list_tools',
      'ask_expert',
    ]);
    expect(messages.every(({ content }) => typeof content === 'string')).toBe(true);
  });

  it('keep XML conversations as the plain text they were', async () => {
    const { log } = await exampleLog(environment, 'xml');
    const { completion, tools } = (await makeRows(log, 'sft')).rows[0] as Row;

    expect(completion[0]?.content).toContain('<tool_call>');
    expect(completion[0]).not.toHaveProperty('tool_calls');
    expect(tools).toEqual([]);
  });
});

describe('preference rows', () => {
  it('pair the advice with the draft it was edited from, and nothing else', async () => {
    const { log, edited } = await exampleLog(environment);

    const { rows, dropped } = await makeRows(log, 'preference');
    const row = rows[0] as Row;

    expect(rows).toHaveLength(1);
    expect(dropped).toEqual({ draft_unchanged: 1, declined: 1, expired: 1 });
    expect(row).toMatchObject({ pair: 'advice', episode: edited });
    expect(row.chosen[0]?.content).toBe(GOOD);
    expect(row.rejected[0]?.content).toContain('"id": 1');
    expect(row.prompt.at(-1)?.role).toBe('user');
  });

  it('never show the answer key in the prompt', async () => {
    const { log } = await exampleLog(environment);

    expect(JSON.stringify(((await makeRows(log, 'preference')).rows[0] as Row).prompt)).not.toContain(
      'Workflow 2 is renamed',
    );
  });

  it('pair a refused call with the one that went through at the same state', async () => {
    const call = (name: string, id: string): LlmReply => ({
      content: '',
      reasoning: null,
      toolCalls: [{ id, name, arguments: '{}' }],
      model: null,
      stopReason: null,
      usage: null,
    });
    const list = [call('verify', 'a'), call('find_workflow', 'b')];
    const policy = {
      next: () => Promise.resolve(list.shift() ?? { ...call('x', 'c'), content: 'done', toolCalls: [] }),
    };
    const { log, supervisor } = createFlow({ policy });
    await supervisor.start(spec(environment.url, { condition: 'none' })).ended;

    const [row] = (await makeRows(log, 'preference', { include: ['contrary'] })).rows as Row[];

    expect(row).toMatchObject({ pair: 'refused', actor: 'agent' });
    expect(row?.rejected[0]?.tool_calls?.[0]?.function.name).toBe('verify');
    expect(row?.chosen[0]?.tool_calls?.[0]?.function.name).toBe('find_workflow');
    expect(row?.prompt.at(-1)?.role).toBe('user');
  });
});
