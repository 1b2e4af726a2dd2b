// The form a client wants its answer in, and putting a person's words into it.
import { checkValue } from '../../../shared/schema/checkValue.ts';
import { bad, type ExpertRefusal } from './refusal.ts';
import { isRecord, tryJson } from '../../../shared/json.ts';

/** Puts words into the form. The words of a person who wrote the form themselves are left as they are. */
export type AnswerFormat = { name: 'text' | 'json_object' | 'json_schema'; shape: (text: string) => string };

type ResponseFormat = Record<string, unknown> & { type: string };

const TEXT: AnswerFormat = { name: 'text', shape: (text) => text };

/** The form, or why words cannot be put into it. */
export function answerFormat(asked: ResponseFormat | null): AnswerFormat | ExpertRefusal {
  switch (asked?.type ?? 'text') {
    case 'text':
      return TEXT;
    case 'json_object':
      return {
        name: 'json_object',
        shape: (text) => (isRecord(tryJson(text)) ? text : wrapText('advice', text)),
      };
    case 'json_schema':
      return schemaFormat(asked?.['json_schema']);
    default:
      return bad('response_format.type', `response_format ${asked?.type ?? ''} is not known`);
  }
}

function schemaFormat(given: unknown): AnswerFormat | ExpertRefusal {
  const schema = isRecord(given) ? given['schema'] : undefined;
  if (!isRecord(schema)) {
    return bad('response_format.json_schema', 'response_format.json_schema needs a schema', 'invalid_type');
  }
  const holder = holderOf(schema);
  if (holder === null) {
    return bad(
      'response_format.json_schema.schema',
      'an expert answers in words: the schema needs a string property that alone makes a valid object',
    );
  }
  return {
    name: 'json_schema',
    shape: (text) => (fits(schema, tryJson(text)) ? text : wrapText(holder, text)),
  };
}

const fits = (schema: Record<string, unknown>, value: unknown): boolean =>
  value !== undefined && checkValue(schema, value).length === 0;

/** A property that can hold any words and needs no other beside it. */
function holderOf(schema: Record<string, unknown>): string | null {
  const properties = schema['properties'];
  if (!isRecord(properties)) return null;
  const samples = [
    '',
    'a',
    'No advice: 7 words, of any length.',
    'No advice: words of any length. '.repeat(200),
  ];
  return (
    Object.keys(properties).find((name) => samples.every((text) => fits(schema, { [name]: text }))) ?? null
  );
}

const wrapText = (name: string, text: string): string => JSON.stringify({ [name]: text });
