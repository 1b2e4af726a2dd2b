import { describe, expect, it } from 'vitest';
import { actionOfCall, callOfAction, readActionSpace } from '../../src/main/openenv/actionSpace.ts';
import { observationText } from '../../src/main/openenv/observationText.ts';
import { imageOf } from '../../src/shared/observation.ts';
import { GRID_ACTION, UNION_ACTION } from '../support/actionServer.ts';

const spaceOf = (schema: unknown) => {
  const space = readActionSpace(schema);
  if (space === null) throw new Error('no actions were read');
  return space;
};

describe('the actions of an environment', () => {
  it('are one tool for one action class, named after it, without the metadata that is not the agent’s', () => {
    const [type] = spaceOf(GRID_ACTION).types;
    expect(type?.tool).toEqual({
      name: 'grid_world_action',
      description: 'Moves the agent by one field.',
      input_schema: {
        type: 'object',
        properties: { action: { $ref: '#/$defs/Direction', description: 'Where to go.' } },
        required: ['action'],
        additionalProperties: false,
        $defs: GRID_ACTION.$defs,
      },
    });
  });

  it('are a tool for each member of a union, and the field that tells them apart is filled in', () => {
    const space = spaceOf(UNION_ACTION);
    expect(
      space.types.map(({ tool }) => [tool.name, Object.keys(tool.input_schema['properties'] ?? {})]),
    ).toEqual([
      ['fire', ['thruster']],
      ['set_mode', ['mode']],
    ]);
    expect(actionOfCall(space, 'fire', { thruster: 3 })).toEqual({ kind: 'fire', thruster: 3 });
    expect(actionOfCall(space, 'land', {})).toBeNull();
  });

  it('are read back from the wire as the calls they were, also where a client leaves out what is always the same', () => {
    const space = spaceOf(UNION_ACTION);
    const call = { tool_name: 'set_mode', arguments: { mode: 'fine' } };
    expect(callOfAction(space, { kind: 'set_mode', mode: 'fine' })).toEqual(call);
    expect(callOfAction(space, { kind: 'land' })).toBeNull();
    expect(callOfAction(spaceOf(GRID_ACTION), { action: 'UP', metadata: { step: 1 } })).toEqual({
      tool_name: 'grid_world_action',
      arguments: { action: 'UP', metadata: { step: 1 } },
    });
  });

  it('are left to the tools of an environment whose action is a tool call, or the base class', () => {
    const toolCall = {
      title: 'CallToolAction',
      type: 'object',
      properties: {
        type: { const: 'call_tool' },
        tool_name: { type: 'string' },
        arguments: { type: 'object' },
      },
    };
    const listing = {
      title: 'ListToolsAction',
      type: 'object',
      properties: { type: { const: 'list_tools' } },
    };
    expect(readActionSpace(toolCall)).toBeNull();
    expect(readActionSpace({ anyOf: [listing, toolCall] })).toBeNull();
    expect(readActionSpace({ title: 'Action', type: 'object', properties: { metadata: {} } })).toBeNull();
    expect(readActionSpace('no schema')).toBeNull();
  });

  it('keep their names apart, and off the names that mean something else', () => {
    const named = (title: string) => ({ title, type: 'object', properties: { a: { type: 'string' } } });
    const names = spaceOf({
      anyOf: [named('Step'), named('STEP'), named('ask_expert'), named('…')],
    }).types.map(({ tool }) => tool.name);
    expect(names).toEqual(['step_action', 'step_action_2', 'ask_expert_action', 'act']);
  });

  it('survive a schema that refers to itself', () => {
    expect(readActionSpace({ $ref: '#/$defs/A', $defs: { A: { $ref: '#/$defs/A' } } })).toBeNull();
  });
});

describe('the text of an observation', () => {
  it('says a field a line, boards as rows, and nothing of what is empty', () => {
    const text = observationText({
      board: [
        [0, 1, 0],
        [-1, 0, 0],
      ],
      legal_actions: [0, 1],
      result: null,
      message: 'Your move.',
      metadata: {},
    });
    expect(text).toBe('board:\n 0  1  0\n-1  0  0\nlegal_actions: [0, 1]\nmessage: Your move.');
  });

  it('is the words alone where there is only one field of words, and null where there is nothing', () => {
    expect(observationText({ question: 'How many?\n', score: null })).toBe('How many?\n');
    expect(observationText({ metadata: { a: 1 }, done: true })).toBeNull();
  });

  it('says the size of an image in place of its bytes', () => {
    const png = `iVBORw0KGgo${'A'.repeat(2_037)}`;
    expect(observationText({ frame: png, x: 1 })).toBe('frame: [image/png, 2 KiB]\nx: 1');
    expect(imageOf(`data:image/jpeg;base64,${png}`)).toEqual({ type: 'image/jpeg', base64: png });
    expect(imageOf(`R0lGOD is how it begins ${'and goes on '.repeat(20)}!`)).toBeNull();
  });
});
