// Checks arguments against a tool's JSON Schema: for the desk, for the cards, for main and for rewards.
import { dereference, type OutputUnit, type SchemaDraft, validate } from '@cfworker/json-schema';
import { isRecord } from '../json.ts';
import { patternInWords } from '../sentences/patternInWords.ts';
import { inNumbers, prepareSchema } from './prepare.ts';

/** The fault at a place: `steps.0.name`; empty for the arguments as a whole. */
export type Wrong = { path: string; kind: 'missing' | 'unknown' | 'unfit'; message: string };

/** More than this many faults help nobody. */
const WRONG_MAX = 50;
/** References are resolved against it, and nothing is ever fetched. */
const BASE = new URL('https://schema.invalid/');

type Lookup = Record<string, Schema | boolean>;
type Usable = { schema: Schema; lookup: Lookup; draft: SchemaDraft };
type Check = Usable & { reader: Reader };

/** Preparing a schema takes longer than a check, and one listing serves many calls. */
const usable = new WeakMap<Schema, Usable | null>();

/**
 * Faults of these arguments by JSON Schema, in the draft that `$schema` names and 2020-12 else; empty for none certain.
 * What cannot be read in a schema is not held against a value, nor is a `format`, as in the specification.
 */
export function checkValue(schema: Schema, value: unknown, reader: Reader = 'person'): Wrong[] {
  const ready = usableFrom(schema);
  if (ready === null) return [];
  const plain = inNumbers(value);
  try {
    const { errors } = validate(plain, ready.schema, ready.draft, ready.lookup, false);
    return valueWrongs(errors, plain, { ...ready, reader }).slice(0, WRONG_MAX);
  } catch {
    // A schema that refers to itself without end, or nests deeper than the stack.
    return [];
  }
}

/** `status must be one of "open", "closed"; workflow_id is required`. */
export const wrongText = (wrongs: readonly Wrong[]): string =>
  wrongs.map(({ path, message }) => (path === '' ? message : `${path} ${message}`)).join('; ');

function usableFrom(given: Schema): Usable | null {
  const known = usable.get(given);
  if (known !== undefined) return known;
  const made = attempt(given);
  usable.set(given, made);
  return made;
}

function attempt(given: Schema): Usable | null {
  try {
    const schema = prepareSchema(inNumbers(given) as Schema);
    const lookup: Lookup = dereference(schema, Object.create(null) as Lookup, BASE);
    for (const one of Object.values(lookup)) {
      const target = isRecord(one) ? one['__absolute_ref__'] : undefined;
      // A schema that is not there asks for nothing.
      if (typeof target === 'string') lookup[target] ??= true;
    }
    return { schema, lookup, draft: draftOf(given) };
  } catch {
    return null;
  }
}

function draftOf({ $schema }: Schema): SchemaDraft {
  const named = typeof $schema === 'string' ? /draft-0([467])|2019-09/.exec($schema) : null;
  if (named === null) return '2020-12';
  return named[1] === undefined ? '2019-09' : named[1] === '4' ? '4' : '7';
}

/** Keywords whose errors are said by what stands inside them. */
const TRANSPARENT = new Set(
  (
    '$ref $recursiveRef allOf if properties patternProperties additionalProperties unevaluatedProperties dependentSchemas ' +
    'items prefixItems additionalItems unevaluatedItems'
  ).split(' '),
);

/** The validator lists an error before those inside it, whose keyword stands beneath its own. */
function valueWrongs(errors: readonly OutputUnit[], value: unknown, ready: Check): Wrong[] {
  const wrongs: Wrong[] = [];
  for (let at = 0; at < errors.length;) {
    const error = errors[at] as OutputUnit;
    const { keyword, keywordLocation } = error;
    at += 1;
    if (TRANSPARENT.has(keyword)) continue;
    if (keyword === 'dependencies' && errors[at]?.keywordLocation.startsWith(`${keywordLocation}/`)) continue;
    const first = at;
    while (errors[at]?.keywordLocation.startsWith(`${keywordLocation}/`) === true) at += 1;
    const inside = errors.slice(first, at);
    const isChoice = keyword === 'anyOf' || keyword === 'oneOf';
    const found = isChoice ? choiceWrongs(error, inside, value, ready) : leafWrongs(error, value, ready);
    wrongs.push(...found.filter(({ path, kind }) => kind !== 'missing' || !isSaid(wrongs, path)));
  }
  return wrongs;
}

const isSaid = (wrongs: readonly Wrong[], path: string): boolean =>
  wrongs.some((wrong) => wrong.kind === 'missing' && wrong.path === path);

/** The alternative that comes nearest says what is wrong. */
function choiceWrongs(
  error: OutputUnit,
  inside: readonly OutputUnit[],
  value: unknown,
  ready: Check,
): Wrong[] {
  const path = pathOf(error.instanceLocation);
  const branches = new Map<string, OutputUnit[]>();
  for (const one of inside) {
    const branch = one.keywordLocation.slice(error.keywordLocation.length + 1).split('/', 1)[0] ?? '';
    branches.set(branch, [...(branches.get(branch) ?? []), one]);
  }
  const options = keywordAt(error.keywordLocation, ready);
  if (Array.isArray(options) && branches.size < options.length)
    return [{ path, kind: 'unfit', message: 'fits more than one of the forms it may have' }];
  const tried = [...branches.values()].map((branch) => valueWrongs(branch, value, ready));
  const deeper = tried.find((wrongs) => wrongs.every((wrong) => wrong.path !== path));
  if (deeper !== undefined) return deeper;
  const messages = new Set(tried.flatMap(([first]) => (first === undefined ? [] : [first.message])));
  return [{ path, kind: 'unfit', message: [...messages].join(', or ') }];
}

function leafWrongs(error: OutputUnit, value: unknown, ready: Check): Wrong[] {
  const { keyword, keywordLocation, instanceLocation } = error;
  const path = pathOf(instanceLocation);
  const found = stepsOf(instanceLocation).reduce<unknown>(memberOf, value);
  const held = keywordAt(keywordLocation, ready);
  if (keyword === 'required') {
    const names = (Array.isArray(held) ? held : []).filter((name) => memberOf(found, name) === undefined);
    return names.map((name) => missing(path === '' ? String(name) : `${path}.${String(name)}`));
  }
  if (/(?:additional|unevaluated)Properties\/not$/.test(keywordLocation))
    return [{ path, kind: 'unknown', message: 'is not an argument of this tool' }];
  return [{ path, kind: 'unfit', message: describeFault(keyword, held, ready.reader) }];
}

const missing = (path: string): Wrong => ({ path, kind: 'missing', message: 'is required' });

const stepsOf = (location: string): string[] =>
  location
    .split('/')
    .slice(1)
    .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'));

const pathOf = (location: string): string => stepsOf(location).join('.');

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;

/** The value of a keyword: its place leads from the root, through references. */
const keywordAt = (location: string, { schema, lookup }: Usable): unknown =>
  stepsOf(location).reduce<unknown>(
    (at, step) =>
      step === '$ref' && isRecord(at) ? lookup[String(at['__absolute_ref__'])] : memberOf(at, step),
    schema,
  );

/** An agent reads a regular expression as it is; a person is told what it asks for. */
type Reader = 'person' | 'agent';

const NAMES: Readonly<Record<string, string>> = {
  array: 'a list',
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  null: 'nothing (null)',
};

/** The demand of a JSON Schema keyword that a value breaks, after its name: `must be 100 or less`. */
function describeFault(keyword: string, held: unknown, reader: Reader): string {
  const bound = String(held);
  switch (keyword) {
    case 'type': {
      const types = (Array.isArray(held) ? held : [held]).map(
        (type) => NAMES[String(type)] ?? `a ${String(type)}`,
      );
      return `must be ${[...new Set(types)].join(' or ')}`;
    }
    case 'enum':
      return `must be ${describeOptions(Array.isArray(held) ? held : [])}`;
    case 'const':
      return `must be ${describeOptions([held])}`;
    case 'minimum':
      return `must be ${bound} or more`;
    case 'maximum':
      return `must be ${bound} or less`;
    case 'exclusiveMinimum':
      return `must be more than ${bound}`;
    case 'exclusiveMaximum':
      return `must be less than ${bound}`;
    case 'multipleOf':
      return `must be a multiple of ${bound}`;
    case 'minLength':
      return `must have ${bound} characters or more`;
    case 'maxLength':
      return `must have ${bound} characters at most`;
    case 'pattern':
      return reader === 'agent' ? `must match the pattern ${bound}` : patternInWords(bound);
    default:
      return describeCount(keyword, bound);
  }
}

function describeCount(keyword: string, bound: string): string {
  switch (keyword) {
    case 'minItems':
      return `must have ${bound} entries or more`;
    case 'maxItems':
      return `must have ${bound} entries at most`;
    case 'minProperties':
      return `must have ${bound} members or more`;
    case 'maxProperties':
      return `must have ${bound} members at most`;
    case 'uniqueItems':
      return 'must not hold the same entry twice';
    case 'contains':
    case 'minContains':
    case 'maxContains':
      return 'does not hold as many entries of the right form as it must';
    case 'propertyNames':
      return 'has a member whose name does not fit';
    case 'dependentRequired':
    case 'dependencies':
      return 'lacks something that belongs to what is given';
    case 'not':
      return 'must not be this';
    default:
      return 'does not fit';
  }
}

function describeOptions(options: readonly unknown[]): string {
  const shown = options.slice(0, 8).map((option) => JSON.stringify(option) ?? '');
  return `one of ${shown.join(', ')}${options.length > 8 ? ', …' : ''}`;
}

export type Schema = Readonly<Record<string, unknown>>;

/** The schema a local reference means, `#/$defs/Step`; the schema itself when it is none. */
export function resolved(schema: Schema, root: Schema): Schema {
  const seen = new Set<string>();
  let at = schema;
  for (let ref = at['$ref']; typeof ref === 'string' && !seen.has(ref); ref = at['$ref']) {
    seen.add(ref);
    const found = ref.startsWith('#/') ? lookUp(root, ref.slice(2).split('/')) : undefined;
    if (!isRecord(found)) return at;
    const { $ref: _ref, ...beside } = at;
    at = { ...found, ...beside };
  }
  return at;
}

const lookUp = (root: Schema, path: readonly string[]): unknown =>
  path.reduce<unknown>((at, part) => {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    return isRecord(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  }, root);
