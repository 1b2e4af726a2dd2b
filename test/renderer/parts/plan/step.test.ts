import { describe, expect, it } from 'vitest';
import { stepProblems } from '../../../../src/renderer/parts/plan/stepProblems.ts';

const TOOLS = [
  {
    name: 'set_workflow_status',
    description: 'Set the state of a workflow\n\nActivates, pauses or archives a workflow.\n\n### Responses:',
    input_schema: {
      type: 'object',
      properties: {
        workflow_id: { type: 'integer' },
        status: { type: 'string', enum: ['active', 'paused'] },
      },
      required: ['workflow_id', 'status'],
    },
  },
  {
    name: 'get_run',
    description: 'Get a run\n\nOne run of a workflow with its log lines.',
    input_schema: {},
  },
];
const problems = (tool: string, args: Record<string, unknown>) =>
  stepProblems({ tool, args, purpose: null }, TOOLS);

describe('what is wrong with a step', () => {
  it('is said in words, with the nearest name as a fix', () => {
    const [unknown] = problems('set_status_workflow', {});
    expect(unknown).toMatchObject({
      message: 'There is no tool named “set_status_workflow”.',
      fix: { label: 'Use set_workflow_status' },
    });
    expect(unknown?.fix?.apply('{"plan":[{"tool":"set_status_workflow","args":{}}]}', 0)).toBe(
      '{"plan":[{"tool":"set_workflow_status","args":{}}]}',
    );

    const [misspelt] = problems('set_workflow_status', { workflowid: 1, status: 'paused' });
    expect(misspelt).toMatchObject({
      argument: 'workflowid',
      message: 'This tool takes no “workflowid”.',
      fix: { label: 'Use workflow_id' },
    });
    expect(misspelt?.fix?.apply('set_workflow_status({"workflowid":1})', 0)).toBe(
      'set_workflow_status({"workflow_id":1})',
    );

    expect(
      problems('set_workflow_status', { workflow_id: 'x', status: 'off' }).map(({ argument, message }) => [
        argument,
        message,
      ]),
    ).toEqual([
      ['workflow_id', 'Workflow must be a whole number.'],
      ['status', 'Status must be one of "active", "paused".'],
    ]);
  });

  it('is nothing for what it lacks, which is an empty place in its sentence, nor where no tools are known', () => {
    expect(problems('set_workflow_status', {})).toEqual([]);
    expect(stepProblems({ tool: 'anything', args: {}, purpose: null }, [])).toEqual([]);
  });

  it('is that a tool of the host would be refused', () => {
    expect(problems('verify', {})[0]?.message).toContain('reserved for the host');
  });
});
