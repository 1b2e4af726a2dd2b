import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Row } from './episodes.ts';
import type { LlmReply } from '../../../src/main/llm/port.ts';
import { makeRows } from '../../support/exporting.ts';
import { createFlow, serveEnvironment, spec } from '../../support/flow.ts';

let environment: Awaited<ReturnType<typeof serveEnvironment>>;
beforeEach(async () => {
  environment = await serveEnvironment();
});
afterEach(() => environment.close());

describe('preference rows', () => {
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
