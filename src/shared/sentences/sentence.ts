// A tool call as one sentence, made from the tool's name, its description and its schema. What these do not say is not
// said either: a name that is no verb reads "Call `name`", and every argument is there. Pure.
import type { ToolSpec } from '../events/lifecycle.ts';
import { isRecord } from '../json.ts';
import { clauseOf } from './clause.ts';
import { NO_NAMES, nameOf as readNames, type NameOf, type RecordName } from './names.ts';
import { centsLabel, listed, valueLabel } from './valueLabel.ts';
import { kindOfId } from './words.ts';

export type SentenceText = { type: 'text'; text: string };
export type SentenceChip = {
  type: 'chip';
  argument: string;
  /** Undefined where the argument is missing. */
  value: unknown;
  /** The value in words: the record's name where it is known, without its detail. */
  label: string;
  name: RecordName | null;
  isMissing: boolean;
};
/** A name of a tool, shown as code. */
export type SentenceCode = { type: 'code'; text: string };
export type SentencePart = SentenceText | SentenceChip | SentenceCode;
export type Sentence = {
  parts: readonly SentencePart[];
  /** The same as plain text: "Set the state of workflow Weekly supplier digest (Finance) to paused". */
  text: string;
};
/** A tool as far as it is known: without description and schema its name alone is read. */
export type SentenceTool = Pick<ToolSpec, 'name'> & Partial<Pick<ToolSpec, 'description' | 'input_schema'>>;

const noNames = readNames(NO_NAMES);

/** Says what a call does. Arguments that the schema asks for and that are not given are chips of their own. */
export function callSentence(
  tool: SentenceTool,
  args: Readonly<Record<string, unknown>>,
  nameOf: NameOf = noNames,
): Sentence {
  const given = Object.keys(args).filter((name) => args[name] !== undefined);
  const missing = requiredOf(tool).filter((name) => !given.includes(name));
  const clause = clauseOf(tool, inSchemaOrder(tool, [...given, ...missing]), args);
  const chip = (argument: string): SentenceChip => chipOf(argument, args[argument], given, tool, nameOf);
  const parts = merged(
    clause.map((part): SentencePart => (part.type === 'argument' ? chip(part.name) : part)),
  );
  return { parts, text: sentenceText(parts) };
}

export const chipText = ({ label, name }: Pick<SentenceChip, 'label' | 'name'>): string =>
  name?.detail === undefined || name.detail === null ? label : `${label} (${name.detail})`;

export const sentenceText = (parts: readonly SentencePart[]): string =>
  parts.map((part) => (part.type === 'chip' ? chipText(part) : part.text)).join('');

function chipOf(
  argument: string,
  value: unknown,
  given: readonly string[],
  { name: tool, input_schema: schema }: SentenceTool,
  nameOf: NameOf,
): SentenceChip {
  const isMissing = !given.includes(argument);
  const property = propertiesOf(schema)[argument];
  const description =
    isRecord(property) && typeof property['description'] === 'string' ? property['description'] : '';
  const lookUp = (one: unknown): RecordName | null => nameOf(argument, one, { tool, description });
  const name = isMissing ? null : lookUp(value);
  const label =
    Array.isArray(value) && value.length > 0 && kindOfId(argument) !== null
      ? listed(value.map((one) => lookUp(one)?.name ?? valueLabel(one)))
      : (name?.name ?? centsLabel(argument, value) ?? valueLabel(value));
  return { type: 'chip', argument, value, label, name, isMissing };
}

const propertiesOf = (schema: ToolSpec['input_schema'] | undefined): Record<string, unknown> =>
  isRecord(schema?.['properties']) ? schema['properties'] : {};

const requiredOf = ({ input_schema: schema }: SentenceTool): string[] => {
  const required = schema?.['required'];
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
};

/** In the order of the schema, whatever the order in the call; what the schema does not list comes last. */
function inSchemaOrder({ input_schema: schema }: SentenceTool, names: readonly string[]): string[] {
  const listedNames = Object.keys(propertiesOf(schema));
  const place = (name: string): number => {
    const at = listedNames.indexOf(name);
    return at === -1 ? listedNames.length : at;
  };
  return names.toSorted((a, b) => place(a) - place(b));
}

function merged(parts: readonly SentencePart[]): SentencePart[] {
  const all: SentencePart[] = [];
  for (const part of parts) {
    const last = all.at(-1);
    if (part.type === 'text' && last?.type === 'text')
      all[all.length - 1] = { ...last, text: last.text + part.text };
    else if (part.type !== 'text' || part.text !== '') all.push(part);
  }
  return all;
}
