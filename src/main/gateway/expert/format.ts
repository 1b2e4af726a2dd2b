// Owns: the form a client wants its answer in, and putting a person's words into it.
import { Ajv, type ValidateFunction } from 'ajv';
import { bad, type Refused } from './errors.ts';

/** Puts words into the form. The words of a person who wrote the form themselves are left as they are. */
export type AnswerFormat = { name: 'text' | 'json_object' | 'json_schema'; shape: (text: string) => string };

type Asked = Record<string, unknown> & { type: string };

const TEXT: AnswerFormat = { name: 'text', shape: (text) => text };

/** The form, or why words cannot be put into it. */
export function answerFormat(asked: Asked | null): AnswerFormat | Refused {
  switch (asked?.type ?? 'text') {
    case 'text':
      return TEXT;
    case 'json_object':
      return { name: 'json_object', shape: (text) => (isObject(read(text)) ? text : wrap('advice', text)) };
    case 'json_schema':
      return schemaFormat(asked?.['json_schema']);
    default:
      return bad('response_format.type', `response_format ${asked?.type ?? ''} is not known`);
  }
}

function schemaFormat(given: unknown): AnswerFormat | Refused {
  const schema = isObject(given) ? given['schema'] : undefined;
  if (!isObject(schema)) {
    return bad('response_format.json_schema', 'response_format.json_schema needs a schema', 'invalid_type');
  }
  const validate = compiled(schema);
  if (validate === null) {
    return bad('response_format.json_schema.schema', 'the schema is not valid JSON Schema');
  }
  const holder = holderOf(schema, validate);
  if (holder === null) {
    return bad(
      'response_format.json_schema.schema',
      'an expert answers in words: the schema needs a string property that alone makes a valid object',
    );
  }
  return { name: 'json_schema', shape: (text) => (validate(read(text)) ? text : wrap(holder, text)) };
}

function compiled(schema: Record<string, unknown>): ValidateFunction | null {
  try {
    return new Ajv({ strict: false, logger: false }).compile(schema);
  } catch {
    return null;
  }
}

/** A property that can hold any words and needs no other beside it. */
function holderOf(schema: Record<string, unknown>, validate: ValidateFunction): string | null {
  const properties = schema['properties'];
  if (!isObject(properties)) return null;
  const samples = ['', 'a', 'No advice: words of any length. '.repeat(200)];
  return Object.keys(properties).find((name) => samples.every((text) => validate({ [name]: text }))) ?? null;
}

const wrap = (name: string, text: string): string => JSON.stringify({ [name]: text });

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function read(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
