import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { argumentProblems } from '../../../src/renderer/parts/advice/planCheck.ts';
import { writtenFrom, writtenWrongs } from '../../../src/renderer/parts/call/writtenCall.ts';
import { checkCall } from '../../../src/main/commands/stepInChecks.ts';
import { isFormatError } from '../../../src/shared/episode/turns.ts';
import type { ToolSpec } from '../../../src/shared/events/lifecycle.ts';
import type { JsonObject } from '../../../src/shared/events/turns.ts';
import { checkValue, wrongText } from '../../../src/shared/schema/checkValue.ts';
import { generatedSchemas } from '../../support/schemas.ts';

const root = resolve(import.meta.dirname, '../../..');
const fits = (schema: Record<string, unknown>, value: unknown): boolean =>
  checkValue(schema, value).length === 0;
const said = (schema: Record<string, unknown>, value: unknown): string =>
  wrongText(checkValue(schema, value));

describe('the checker of arguments beside Ajv', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false });

  it('gives the same verdict on thousands of generated values', () => {
    const differing = generatedSchemas(250, 7).flatMap(({ schema, values }) => {
      const validate = ajv.compile(schema);
      return values
        .filter((value) => validate(value) !== fits(schema, value))
        .map((value) => JSON.stringify({ schema, value, ajv: validate(value) }));
    });

    expect(differing).toEqual([]);
  });

  it('gives the same verdict on calls of every tool of the built-in world', () => {
    const tools = JSON.parse(
      readFileSync(join(root, 'resources/worlds/loomline_workflows/tools.json'), 'utf8'),
    ) as ToolSpec[];
    const values = [1, 0, -1, 1.5, true, null, '', 'open', '7', [], {}, 'x'.repeat(500)];
    const verdicts = tools.flatMap(({ input_schema: schema }) => {
      const validate = ajv.compile(schema);
      const names = [...Object.keys((schema['properties'] ?? {}) as object), 'other'];
      const calls = [{}, ...names.flatMap((name) => values.map((value) => ({ [name]: value })))];
      return calls.map((args) => [validate(args), fits(schema, args)]);
    });

    expect(verdicts.filter(([theirs, ours]) => theirs !== ours)).toEqual([]);
    expect(new Set(verdicts.map(([theirs]) => theirs))).toEqual(new Set([true, false]));
  });
});

describe('desk, cards, main and rewards', () => {
  const STEP = { type: 'object', properties: { at: { type: 'integer' } }, required: ['at'] };
  const KIND = { enum: ['fast', 'slow'] };
  const tool = (property: Record<string, unknown>, more: Record<string, unknown> = {}): ToolSpec => ({
    name: 'act',
    description: '',
    input_schema: {
      type: 'object',
      properties: { it: property },
      $defs: { Step: STEP, Kind: KIND },
      ...more,
    } as ToolSpec['input_schema'],
  });

  it.each<[string, ToolSpec, JsonObject, string]>([
    ['an argument too many', tool({}, { additionalProperties: false }), { b: 1 }, 'b is not an argument'],
    ['null where it is not nullable', tool({ type: 'string' }), { it: null }, 'it must be a text'],
    ['an enum behind a reference', tool({ $ref: '#/$defs/Kind' }), { it: 'x' }, 'it must be one of "fast"'],
    ['a minimum', tool({ type: 'integer', minimum: 1 }), { it: 0 }, 'it must be 1 or more'],
    ['what is required inside', tool({ $ref: '#/$defs/Step' }), { it: {} }, 'it.at is required'],
    [
      'a pattern',
      tool({ pattern: '^[a-z]+$' }),
      { it: 'A' },
      'it is not written in the form the tool asks for',
    ],
    [
      'a pattern of many words',
      tool({ pattern: '^\\S+ \\S+ \\S+ \\S+ \\S+$' }),
      { it: 'never' },
      'it must be five parts with a space between them',
    ],
    ['each part of allOf', tool({ allOf: [{ minLength: 2 }] }), { it: 'a' }, 'it must have 2 characters'],
  ])('refuse %s alike, in words a person can act on', (_what, spec, args, words) => {
    const move = { type: 'call_tool', tool_name: 'act', arguments: args } as const;

    expect(wrongText(writtenWrongs(writtenFrom('act', args), [spec]))).toContain(words);
    expect(wrongText(argumentProblems(spec.input_schema, args))).toContain(words);
    expect(() => checkCall([spec], 'act', args)).toThrow(words);
    expect(isFormatError([spec], move, null, { error: 'no', reward_type: 'invalid_args' })).toBe(true);
  });

  it('allow null where OpenAPI or a list of types does', () => {
    for (const property of [{ type: 'string', nullable: true }, { type: ['string', 'null'] }]) {
      const spec = tool(property);
      expect(writtenWrongs(writtenFrom('act', { it: null }), [spec])).toEqual([]);
      expect(argumentProblems(spec.input_schema, { it: null })).toEqual([]);
      expect(() => checkCall([spec], 'act', { it: null })).not.toThrow();
    }
  });

  it('tell of a drafted argument that an open schema does not list, and refuse it nowhere', () => {
    const spec = tool({ type: 'string' });
    expect(argumentProblems(spec.input_schema, { itt: 'a' })).toMatchObject([
      { path: 'itt', kind: 'unknown', instead: 'it' },
    ]);
    expect(writtenWrongs(writtenFrom('act', { itt: 'a' }), [spec])).toEqual([]);
    expect(() => checkCall([spec], 'act', { itt: 'a' })).not.toThrow();
  });
});

describe('a schema from elsewhere', () => {
  it('judges nothing by what cannot be read in it, and all the rest', () => {
    const odd = {
      type: 'object',
      properties: {
        when: { type: 'date' },
        count: { type: 'integer', minimum: '3', required: true },
        far: { $ref: 'https://elsewhere.example/schema.json' },
        lost: { $ref: '#/$defs/Lost' },
        text: { pattern: '(' },
      },
      required: 'count',
      additionalProperties: false,
    };

    expect(fits(odd, { when: 'now', count: 1, far: 1, lost: 2, text: 'a' })).toBe(true);
    expect(said(odd, { count: 'one', more: 1 })).toBe(
      'count must be a whole number; more is not an argument of this tool',
    );
  });

  it('cannot stop whoever checks by a pattern that takes for ever', () => {
    const text = `${'a'.repeat(200)}!`;
    for (const pattern of [
      '^(a+)+$',
      '^(a|a)*$',
      '^((a*)*)*$',
      'a*a*a*a*a*a*a*b',
      '[^b]*-[^c]*-[^d]*-[^e]*-[^f]*-$',
      '^(a{1,}){2,}$',
      `[${'\\A'.repeat(40)}`,
    ])
      expect(fits({ pattern }, text)).toBe(true);
    expect(fits({ pattern: 'a*b' }, 'a'.repeat(100_000))).toBe(true);
    expect(fits({ pattern: '^b' }, text)).toBe(false);
  });

  it('may refer to itself, even without an end', () => {
    expect(fits({ $ref: '#' }, {})).toBe(true);
    expect(
      said({ properties: { next: { $ref: '#' } }, additionalProperties: false }, { next: { b: 1 } }),
    ).toBe('next.b is not an argument of this tool');
  });

  it('is read through references into any part of it', () => {
    const schema = { $ref: '#/components/schemas/Run', components: { schemas: { Run: { type: 'object' } } } };
    expect(said(schema, 1)).toBe('must be an object');
  });
});

it.each<[Record<string, unknown>, unknown, string]>([
  [{ const: 1 }, 2, 'must be one of 1'],
  [{ exclusiveMinimum: 0 }, 0, 'must be more than 0'],
  [{ multipleOf: 5 }, 7, 'must be a multiple of 5'],
  [{ maxLength: 2 }, 'abc', 'must have 2 characters at most'],
  [{ minItems: 2 }, [1], 'must have 2 entries or more'],
  [{ uniqueItems: true }, [1, 1], 'must not hold the same entry twice'],
  [{ items: { type: 'string' } }, ['a', 1], '1 must be a text'],
  [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 1, 'must be a text, or must be nothing (null)'],
  [{ oneOf: [{ minimum: 1 }, { minimum: 2 }] }, 3, 'fits more than one of the forms it may have'],
  [{ contains: { type: 'string' } }, [1], 'does not hold as many entries of the right form as it must'],
  [{ not: { type: 'string' } }, 'a', 'must not be this'],
  [{ required: ['a', 'b'] }, {}, 'a is required; b is required'],
  [{ properties: { 'a/b~c %': { type: 'null' } } }, { 'a/b~c %': 1 }, 'a/b~c % must be nothing (null)'],
])('words for what is wrong %j of %j: %s', (schema, value, words) => {
  expect(said(schema, value)).toBe(words);
});
