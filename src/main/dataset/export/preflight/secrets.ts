// Finds what must never leave: keys, passwords, and fields and folders that name this machine.
import { escapeRegExp } from '../../../../shared/escapeRegExp.ts';
import { isSecretName } from '../../../../shared/redact/names.ts';
import { holdsMark, holdsSecret, isRandom, redactText } from '../../../../shared/redact/redact.ts';
import type { Format } from '../format.ts';
import type { RowCheck } from './seenRow.ts';

type Shapes = readonly (readonly [needle: string, shape: RegExp])[];

/** One look for all the words at once takes a third of the time of one for each. */
function finder(shapes: Shapes): (text: string) => boolean {
  const words = shapes.map(([needle]) => escapeRegExp(needle));
  const any = new RegExp(words.join('|'));
  return (text) =>
    any.test(text) && shapes.some(([needle, shape]) => text.includes(needle) && shape.test(text));
}

export const holdsKey = holdsSecret;

/** A line of JSON with whatever looks like a key replaced; its strings stay strings. */
export const withoutKeys = (line: string, instead: string): string => redactText(line, () => instead);

const NAMED_VALUE = /"([\w.-]{3,80})(?=\\*"\s*:\s*\\*"([^"\\\s]{12,400})\\*")/g;
const SECRET_NAME = /^[\w.-]{0,60}(?:pass|pwd|secret|token|key|auth|cookie|cred|jwt|bearer)[\w.-]{0,60}$/i;

/** A field named like a password or key whose value looks made by chance, in texts that are JSON themselves too. */
export function holdsNamedSecret(line: string): boolean {
  for (const [, name = '', value = ''] of line.matchAll(NAMED_VALUE)) {
    if (SECRET_NAME.test(name) && isSecretName(name) && isRandom(value) && !holdsMark(value)) return true;
  }
  return false;
}

/** Fields of the environment's host that a log may carry and a data set never does. */
const KEY_FIELDS = ['llm_api_key'] as const;
const PLACE_FIELDS = ['api_url', 'session_dir', 'trajectory_path'] as const;
export const FORBIDDEN_FIELDS = [...KEY_FIELDS, ...PLACE_FIELDS] as const;

/** Finds such a field with a value, in texts that are JSON themselves too. What stands in a value's place is none. */
function fieldFinder(fields: readonly string[]): (line: string) => boolean {
  const withValue = new RegExp(
    `"(?:${fields.join('|')})\\\\*"\\s*:\\s*\\\\*"(?!\\[(?:redacted(?::\\d+)*|left out)\\]\\\\*")[^"\\\\]`,
  );
  return (line) => fields.some((name) => line.includes(name)) && withValue.test(line);
}
const holdsForbidden = fieldFinder(FORBIDDEN_FIELDS);
const holdsKeyField = fieldFinder(KEY_FIELDS);
const holdsPlaceField = fieldFinder(PLACE_FIELDS);

const MACHINE_PATHS: Shapes = [
  ['/home/', /\/home\/[\w.-]+\/[\w.-]/],
  ['/Users/', /\/Users\/[\w.-]+\/[\w.-]/],
  ['/tmp/', /(?<![\w/])\/tmp\/[\w.-]+/],
  ['/root/', /(?<![\w/])\/root\/[\w.-]+/],
  ['/var/folders/', /\/var\/folders\/\w/],
  [':\\\\', /(?<![A-Za-z])[A-Za-z]:\\\\(?:Users|Documents and Settings)\\\\/],
  ['file://', /file:\/\/\/\w/],
];

export const holdsPlace = finder(MACHINE_PATHS);

/** What holds every frame as it came holds such fields by definition. */
const isLossless = ({ id }: Pick<Format, 'id'>): boolean => id === 'events';

export const secretChecks: readonly RowCheck[] = [
  {
    check: 'secrets',
    level: 'error',
    says: 'hold what looks like a key, a token or a password in an address; erase the text from the log first',
    finds: ({ text }) => holdsKey(text),
  },
  {
    check: 'named_secrets',
    level: 'warning',
    says: 'hold a field named like a password or a key, with a value that looks like one: see that it is the world’s own',
    finds: ({ line }) => holdsNamedSecret(line),
  },
  {
    check: 'forbidden_fields',
    level: 'error',
    says: `hold a field that names a key or a place of the environment’s host (${FORBIDDEN_FIELDS.join(', ')})`,
    applies: (format) => !isLossless(format),
    finds: ({ line }) => holdsForbidden(line),
  },
  {
    check: 'forbidden_fields',
    level: 'error',
    says: `hold a field that names a key of the environment’s host (${KEY_FIELDS.join(', ')})`,
    applies: isLossless,
    finds: ({ line }) => holdsKeyField(line),
  },
  {
    check: 'forbidden_fields',
    level: 'warning',
    says: `hold a field that names a place of the environment’s host (${PLACE_FIELDS.join(', ')}), as a lossless bundle has it: see that you may give it away`,
    applies: isLossless,
    finds: ({ line }) => holdsPlaceField(line),
  },
  {
    check: 'local_paths',
    level: 'warning',
    says: 'name a file or folder of somebody’s machine',
    finds: ({ text }) => holdsPlace(text),
  },
];
