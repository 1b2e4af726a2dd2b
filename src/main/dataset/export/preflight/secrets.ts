// Owns: what must never leave: keys, passwords, and fields and folders that name this machine.
import type { Format } from '../format.ts';
import type { RowCheck } from './seen.ts';

type Shapes = readonly (readonly [needle: string, shape: RegExp])[];

/** Shapes of keys as their issuers make them, each with a word that is looked for first: most rows hold none. */
const KEYS: Shapes = [
  ['sk-', /(?<![A-Za-z0-9])sk-[A-Za-z0-9_-]{20,}/],
  ['sk_live_', /sk_live_[A-Za-z0-9]{16,}/],
  ['rk_live_', /rk_live_[A-Za-z0-9]{16,}/],
  ['gsk_', /(?<![A-Za-z0-9])gsk_[A-Za-z0-9]{20,}/],
  ['xai-', /(?<![A-Za-z0-9])xai-[A-Za-z0-9]{20,}/],
  ['hf_', /(?<![A-Za-z0-9])hf_[A-Za-z0-9]{20,}/],
  ['ghp_', /ghp_[A-Za-z0-9]{30,}/],
  ['gho_', /gho_[A-Za-z0-9]{30,}/],
  ['ghs_', /ghs_[A-Za-z0-9]{30,}/],
  ['github_pat_', /github_pat_[A-Za-z0-9_]{30,}/],
  ['glpat-', /glpat-[A-Za-z0-9_-]{16,}/],
  ['xox', /xox[abeoprs]-[A-Za-z0-9-]{10,}/],
  ['AKIA', /(?<![A-Z0-9])AKIA[0-9A-Z]{16}(?![A-Z0-9])/],
  ['AIza', /(?<![A-Za-z0-9])AIza[0-9A-Za-z_-]{35}/],
  ['eyJ', /(?<![A-Za-z0-9])eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/],
  ['earer ', /[Bb]earer +[A-Za-z0-9+/._~-]{20,}/],
  ['PRIVATE KEY-----', /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/],
  ['://', /[a-z][a-z0-9+.-]*:\/\/[^\s:@/"'\\]{1,80}:[^\s@/"'\\]{3,120}@[a-zA-Z0-9.[-]/],
  ['AccountKey=', /AccountKey=[A-Za-z0-9+/=]{20,}/],
  ['aws_secret_access_key', /aws_secret_access_key["'\\ :=]{1,8}[A-Za-z0-9+/]{40}/],
  // Our own: keys of the gateway, and the console's token in an address.
  ['ij-', /(?<![A-Za-z0-9])ij-[0-9a-f]{12}-[A-Za-z0-9_-]{16,}/],
  ['#token=', /#token=[A-Za-z0-9_-]{16,}/],
];

/** One look for all the words at once takes a third of the time of one for each. */
function finder(shapes: Shapes): (text: string) => boolean {
  const words = shapes.map(([needle]) => needle.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`));
  const any = new RegExp(words.join('|'));
  return (text) =>
    any.test(text) && shapes.some(([needle, shape]) => text.includes(needle) && shape.test(text));
}

export const holdsKey = finder(KEYS);

const WHOLE_PRIVATE_KEY =
  /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----(?:[^"\\]|\\[^"])*?(?:-----END (?:[A-Z]+ )*PRIVATE KEY-----|(?=\\*"|$))/g;
const SHAPES = KEYS.map(([, shape]) => new RegExp(shape.source, 'g'));

/** A line of JSON with whatever looks like a key replaced; its strings stay strings. */
export const withoutKeys = (line: string, instead: string): string =>
  SHAPES.reduce((text, shape) => text.replace(shape, instead), line.replace(WHOLE_PRIVATE_KEY, instead));

/** Fields of the environment's host that a log may carry and a data set never does. */
const KEY_FIELDS = ['llm_api_key'] as const;
const PLACE_FIELDS = ['api_url', 'session_dir', 'trajectory_path'] as const;
export const FORBIDDEN_FIELDS = [...KEY_FIELDS, ...PLACE_FIELDS] as const;

/** Finds such a field with a value, in texts that are JSON themselves too. What stands in a value's place is none. */
function fieldFinder(fields: readonly string[]): (line: string) => boolean {
  const withValue = new RegExp(
    `\\\\*"(?:${fields.join('|')})\\\\*"\\s*:\\s*\\\\*"(?!\\[(?:redacted|left out)\\]\\\\*")[^"\\\\]`,
  );
  return (line) => fields.some((name) => line.includes(name)) && withValue.test(line);
}
const holdsForbidden = fieldFinder(FORBIDDEN_FIELDS);
const holdsKeyField = fieldFinder(KEY_FIELDS);
const holdsPlaceField = fieldFinder(PLACE_FIELDS);

const PLACES: Shapes = [
  ['/home/', /\/home\/[\w.-]+\/[\w.-]/],
  ['/Users/', /\/Users\/[\w.-]+\/[\w.-]/],
  ['/tmp/', /(?<![\w/])\/tmp\/[\w.-]+/],
  ['/root/', /(?<![\w/])\/root\/[\w.-]+/],
  ['/var/folders/', /\/var\/folders\/\w/],
  [':\\\\', /(?<![A-Za-z])[A-Za-z]:\\\\(?:Users|Documents and Settings)\\\\/],
  ['file://', /file:\/\/\/\w/],
];

export const holdsPlace = finder(PLACES);

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
