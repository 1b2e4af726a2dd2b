import { describe, expect, it } from 'vitest';
import { firstFault } from '../../../src/renderer/parts/advice/AdviceCard.tsx';
import { parsePlan } from '../../../src/shared/plan.ts';

const tools = [
  {
    name: 'update_ticket',
    input_schema: {
      type: 'object',
      properties: { ticket_id: { type: 'integer' }, note: { type: 'string' } },
      required: ['ticket_id'],
    },
  },
  { name: 'list_tickets', input_schema: { type: 'object', properties: {} } },
];
const of = (...calls: { tool: string; args: object }[]): string | null =>
  firstFault({ plan: parsePlan(JSON.stringify({ plan: calls })) }, tools);

describe('what would surely fail of an advice', () => {
  it('is a value of another kind, in the words of the form', () => {
    expect(of({ tool: 'update_ticket', args: { ticket_id: 'abc' } })).toMatch(
      /^Ticket must be .*whole number/,
    );
  });

  it('is a value that is missing, and a tool that is not there, with the number of its step', () => {
    expect(of({ tool: 'list_tickets', args: {} }, { tool: 'update_ticket', args: { note: 'x' } })).toBe(
      'Step 2: Ticket is missing.',
    );
    expect(of({ tool: 'list_tickets', args: {} }, { tool: 'update_tickets', args: {} })).toMatch(
      /^Step 2: There is no tool named/,
    );
  });

  it('is not an argument that is merely not listed, free words, or a plan for tools nobody knows', () => {
    expect(of({ tool: 'update_ticket', args: { ticket_id: 1, noted: 'x' } })).toBeNull();
    expect(firstFault({ plan: parsePlan('Ask the customer first.') }, tools)).toBeNull();
    expect(firstFault({ plan: parsePlan('{"plan":[{"tool":"x","args":{}}]}') }, [])).toBeNull();
  });
});
