import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createMakePlan, readPlain } from '../../src/main/advisor/makePlan.ts';
import { withPlan } from '../../src/renderer/parts/advice/Drafts.tsx';
import type { ToolSpec } from '../../src/shared/events/lifecycle.ts';
import { Failure } from '../../src/shared/failure.ts';
import { parsePlan } from '../../src/shared/plan.ts';
import { createScriptedLlm } from '../support/scriptedLlm.ts';
import { shippedPrompts } from '../support/prompts.ts';

const pack = join(import.meta.dirname, '..', '..', 'resources', 'worlds', 'loomline_workflows');
const all = JSON.parse(readFileSync(join(pack, 'tools.json'), 'utf8')) as (ToolSpec & {
  inputSchema?: Record<string, unknown>;
})[];
const tools = all.map((tool) => ({ ...tool, input_schema: tool.input_schema ?? tool.inputSchema ?? {} }));
const calm = new AbortController().signal;
const read = (words: string) => readPlain(words, tools).calls.map(({ tool, args }) => ({ tool, args }));

describe('plain words, read by rule', () => {
  it('are a call where a line names a tool, with the values it names', () => {
    expect(read('Use set_workflow_status on workflow 103 and make it paused.')).toEqual([
      { tool: 'set_workflow_status', args: { workflow_id: 103, status: 'paused' } },
    ]);
  });

  it('keep their order, one call a line, tools named with spaces too', () => {
    const words = `1. search workflows for query "Weekly supplier digest" in workspace 1
2. Then set workflow status of workflow id: 103 to paused`;

    expect(read(words)).toEqual([
      { tool: 'search_workflows', args: { query: 'Weekly supplier digest', workspace_id: 1 } },
      { tool: 'set_workflow_status', args: { workflow_id: 103, status: 'paused' } },
    ]);
  });

  it('leave out a value that cannot be placed, rather than guess it', () => {
    expect(read('set_workflow_status with 103')).toEqual([{ tool: 'set_workflow_status', args: {} }]);
    expect(read('set_workflow_status of workflow 103: active or paused')).toEqual([
      { tool: 'set_workflow_status', args: { workflow_id: 103 } },
    ]);
  });

  it('say which lines named no tool', () => {
    expect(readPlain('Mind the other team. Then retry_run with run 2031.', tools)).toMatchObject({
      calls: [{ tool: 'retry_run', args: { run_id: 2031 }, purpose: 'Then retry_run with run 2031.' }],
      unread: ['Mind the other team.'],
    });
  });

  it('take a call that is written out as it is', () => {
    expect(read('First do get_run({"run_id": 7})')).toEqual([{ tool: 'get_run', args: { run_id: 7 } }]);
  });
});

describe('a plan made of plain words', () => {
  const request = { task: 'Pause it.', question: 'Which one?', words: 'the second one, 103', tools };

  it('is the model’s where there is one, with tools that exist, and it is shown no answer key', async () => {
    const llm = createScriptedLlm([
      {
        content:
          '{"plan":[{"tool":"set_workflow_status","args":{"workflow_id":103}},{"tool":"pause_it","args":{}}]}',
      },
    ]);
    const makePlan = createMakePlan({ llm: () => llm, prompts: shippedPrompts() });

    expect(await makePlan(request, calm)).toMatchObject({
      by: 'model',
      calls: [{ tool: 'set_workflow_status', args: { workflow_id: 103 } }],
    });
    const sent = JSON.stringify(llm.requests[0]?.messages);
    expect(sent).toContain('the second one, 103');
    expect(sent).not.toMatch(/criteria|verifier/i);
    llm.end();
  });

  it('fails by name when the model’s answer is none', async () => {
    const llm = createScriptedLlm([{ content: 'I would not know.' }]);
    const makePlan = createMakePlan({ llm: () => llm, prompts: shippedPrompts() });

    await expect(makePlan(request, calm)).rejects.toBeInstanceOf(Failure);
  });

  it('is read by rule without a model', async () => {
    const makePlan = createMakePlan({ llm: () => null, prompts: shippedPrompts() });

    expect(await makePlan(request, calm)).toEqual({ by: 'rule', calls: [], unread: ['the second one, 103'] });
  });

  it('stands under the words as they were written, and is read back', () => {
    const words = 'Take the one of the purchasing team.\nIt is 103.';
    const sent = withPlan(words, [
      { tool: 'set_workflow_status', args: { workflow_id: 103 }, purpose: words },
    ]);

    expect(sent.startsWith(words)).toBe(true);
    expect(parsePlan(sent)).toMatchObject({
      form: 'json',
      calls: [{ tool: 'set_workflow_status', args: { workflow_id: 103 } }],
    });
  });
});
