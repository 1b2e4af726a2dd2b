import { describe, expect, it } from 'vitest';
import { checkValue } from '../../src/shared/schema/checkValue.ts';
import { exampleArguments } from '../../src/shared/schema/exampleValue.ts';
import { GRID_ACTION, UNION_ACTION } from '../support/actionServer.ts';

const object = (properties: Record<string, unknown>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
});

describe('example arguments', () => {
  it.each([
    ['an enumeration behind a reference', GRID_ACTION],
    ['a member of a union', UNION_ACTION.$defs.Fire],
    [
      'bounds',
      object({ a: { type: 'integer', minimum: 3 }, b: { type: 'number', exclusiveMinimum: -1, maximum: 0 } }),
    ],
    [
      'lengths',
      object({
        a: { type: 'string', minLength: 4 },
        b: { type: 'array', minItems: 2, items: { type: 'boolean' } },
      }),
    ],
    [
      'what may be null',
      object({ a: { anyOf: [{ type: 'string' }, { type: 'null' }] }, b: { type: ['integer', 'null'] } }),
    ],
    [
      'objects in objects',
      object({ at: object({ x: { type: 'integer' }, y: { default: 7, type: 'integer' } }) }),
    ],
  ])('fit their own schema: %s', (_what, schema) => {
    expect(checkValue(schema, exampleArguments(schema))).toEqual([]);
  });

  it('leave out what is optional, and end where a schema holds itself', () => {
    const node = {
      type: 'object',
      properties: { next: { $ref: '#/$defs/Node' }, name: { type: 'string' } },
      required: ['next'],
    };
    expect(exampleArguments({ ...node, required: [], $defs: { Node: node } })).toEqual({});
    expect(JSON.stringify(exampleArguments({ ...node, $defs: { Node: node } })).length).toBeLessThan(200);
  });
});
