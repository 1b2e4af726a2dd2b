import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { checkValue } from '../../../../src/shared/schema/checkValue.ts';
import {
  emptyOf,
  fieldTypeLabel,
  numberFromText,
  schemaFields,
} from '../../../../src/renderer/parts/call/schemaForm.ts';
import { ValueInput } from '../../../../src/renderer/parts/call/ArgumentForm.tsx';
import {
  asForm,
  asJson,
  forTool,
  writtenArguments,
  writtenFrom,
  writtenWrongs,
} from '../../../../src/renderer/parts/call/writtenCall.ts';
import { parseJson } from '../../../../src/shared/json.ts';

/** As pydantic writes it: references, optional values as a choice with null. */
const ORDER = {
  type: 'object',
  properties: {
    note: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null, description: 'For the driver' },
    lines: { type: 'array', items: { $ref: '#/$defs/Line' } },
    kind: { enum: ['fast', 'slow'] },
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    extra: { type: 'object', additionalProperties: { type: 'string' } },
    either: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
  },
  required: ['lines'],
  $defs: {
    Line: {
      type: 'object',
      properties: { sku: { type: 'string' }, count: { type: 'integer' } },
      required: ['sku'],
    },
  },
};

/** As pydantic writes a plan of steps that are told apart by a field, and as older versions wrote a reference. */
const PLAN = {
  type: 'object',
  properties: {
    step: {
      anyOf: [{ $ref: '#/$defs/Step' }, { type: 'null' }],
      default: null,
    },
    place: { allOf: [{ $ref: '#/$defs/Place' }], description: 'Where' },
  },
  required: ['place'],
  $defs: {
    Step: { oneOf: [{ $ref: '#/$defs/Fire' }, { $ref: '#/$defs/Wait' }] },
    Fire: {
      type: 'object',
      title: 'Fire',
      properties: { kind: { const: 'fire', default: 'fire' }, thruster: { type: 'integer', minimum: 1 } },
      required: ['thruster'],
    },
    Wait: {
      type: 'object',
      properties: { kind: { const: 'wait', default: 'wait' }, after: { $ref: '#/$defs/Step' } },
    },
    Place: { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] },
  },
};

describe('a form made from a schema', () => {
  it('offers each form of a union, begun with what tells it from the others, and merges allOf', () => {
    const [place, step] = schemaFields(PLAN) ?? [];
    expect(place).toMatchObject({ name: 'place', description: 'Where', shape: { type: 'group' } });
    const shape = step?.shape;
    if (shape?.type !== 'union') throw new Error('the step is no union');
    expect(step?.isNullable).toBe(true);
    expect(shape.alternatives.map(({ label }) => label)).toEqual(['Fire', 'wait']);
    const begun = shape.alternatives.map((one) => emptyOf(one.shape));
    expect(begun).toEqual([{ kind: 'fire', thruster: 1 }, { kind: 'wait' }]);
    expect(begun.map((value) => shape.alternatives.map(({ fits }) => fits(value)))).toEqual([
      [true, false],
      [false, true],
    ]);
  });

  it('stops where a schema that holds itself in many places would have no end of fields', () => {
    const names = Array.from({ length: 40 }, (_, index) => `f${String(index)}`);
    const node = {
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, { $ref: '#' }])),
    };
    const fields = schemaFields(node) ?? [];
    const count = (all: typeof fields): number =>
      all.reduce((sum, { shape }) => sum + 1 + (shape.type === 'group' ? count(shape.fields) : 0), 0);
    expect(fields).toHaveLength(40);
    expect(count(fields)).toBeLessThan(5_000);
  });

  it('puts what is required first, and follows references and null', () => {
    const fields = schemaFields(ORDER) ?? [];

    expect(
      fields.map(({ name, isRequired, isNullable, shape }) => [name, shape.type, isRequired, isNullable]),
    ).toEqual([
      ['lines', 'list', true, false],
      ['note', 'text', false, true],
      ['kind', 'choice', false, false],
      ['limit', 'number', false, false],
      ['extra', 'json', false, false],
      ['either', 'union', false, false],
    ]);
    expect(fields[0]?.shape).toMatchObject({ item: { shape: { type: 'group' } } });
    expect(fields[1]?.description).toBe('For the driver');
    expect(fields.map(fieldTypeLabel)).toEqual([
      'list of object',
      'text, or null',
      'choice',
      'whole number, 1 to 100',
      'JSON',
      'text or whole number',
    ]);
    expect(fields[3]?.hint).toBe('default 20');
    expect(fields[0] === undefined ? null : emptyOf(fields[0].shape)).toEqual([]);
  });

  it('is none where a schema names no arguments at all, and survives one that refers to itself', () => {
    expect(schemaFields({ type: 'object', additionalProperties: true })).toBeNull();
    expect(schemaFields({ anyOf: [{ type: 'object' }, { type: 'array' }] })).toBeNull();
    const loop = { properties: { next: { $ref: '#' } } };
    expect(schemaFields(loop)?.[0]?.name).toBe('next');
    expect(checkValue(loop, { next: { next: { next: {} } } })).toEqual([]);
  });
});

it('takes a text of several lines in every text field', () => {
  const [field] = schemaFields({ type: 'object', properties: { code: { type: 'string' } } }) ?? [];
  if (field === undefined) throw new Error('the form has no field');
  const html = renderToStaticMarkup(
    createElement(ValueInput, { field, value: undefined, onChange: () => undefined, isReadOnly: false }),
  );
  expect(html).toMatch(/^<textarea/);
});

describe('checking arguments by reading the schema', () => {
  it('takes an integer beyond 2^53 as the number nearest to it', () => {
    const big = parseJson('9007199254740993');
    expect(checkValue({ type: 'integer', minimum: 0 }, big)).toEqual([]);
    expect(checkValue({ type: 'integer', maximum: 10 }, big)).toEqual([
      { path: '', kind: 'unfit', message: 'must be 10 or less' },
    ]);
    expect(checkValue({ type: 'string' }, big)).toEqual([
      { path: '', kind: 'unfit', message: 'must be a text' },
    ]);
    expect(checkValue({ enum: [big] }, big)).toEqual([]);
    expect(checkValue({ enum: [parseJson('9007199254740992000')] }, big)).toHaveLength(1);
  });
});

describe('a call as it is written', () => {
  const tool = {
    name: 'get_run',
    description: '',
    input_schema: { properties: { id: { type: 'integer' } }, required: ['id'] },
  };

  it('goes from the form to JSON and back without losing anything', () => {
    const written = asJson(writtenFrom('get_run', { id: 1, other: [1] }));

    expect(asForm(written)).toEqual(writtenFrom('get_run', { id: 1, other: [1] }));
    expect(asForm({ ...written, raw: '{"id": ' }).raw).toBe('{"id": ');
    expect(writtenArguments({ ...written, raw: '[]' }).fault).toMatch(/JSON object/);
  });

  it('keeps the arguments another tool has too', () => {
    expect(forTool(writtenFrom('old', { id: 1, name: 'x' }), tool)).toEqual(
      writtenFrom('get_run', { id: 1 }),
    );
    expect(writtenWrongs(writtenFrom('get_run', {}), [tool])).toEqual([
      { path: 'id', kind: 'missing', message: 'is required' },
    ]);
    expect(writtenWrongs(writtenFrom('unknown', {}), [tool])).toEqual([]);
  });
});

describe('a number', () => {
  const whole = (text: string) => numberFromText(text, { isWhole: true });

  it('is sent as it is typed, however it is begun', () => {
    const typed = ['9007199254740993', '-12', '007', '+1.50', '.5', '1.'];
    expect(JSON.stringify(typed.map(whole))).toBe('[9007199254740993,-12,7,1.50,0.5,1]');
    expect(checkValue({ type: 'integer' }, whole('9007199254740993'))).toEqual([]);
  });

  it('is read by its digits alone: other notations are no whole number', () => {
    expect(['0x65', '1e3', '0b1', 'Infinity'].map(whole)).toEqual(['0x65', '1e3', '0b1', 'Infinity']);
    expect(numberFromText('1e-7', { isWhole: false })).toBe(1e-7);
    expect(checkValue({ type: 'integer' }, '0x65')).toEqual([
      { path: '', kind: 'unfit', message: 'must be a whole number' },
    ]);
  });

  it('is exact in JSON too, where text that looks like one is left alone', () => {
    const written = writtenFrom('get_order', {});

    const raw = '{"id":9007199254740993,"name":"9007199254740993","n":1.50}';
    const { args, fault } = writtenArguments({ ...written, raw });
    expect([JSON.stringify(args), fault]).toEqual([raw, null]);
  });
});
