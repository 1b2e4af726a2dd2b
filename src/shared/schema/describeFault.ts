import { patternInWords } from '../sentences/patternInWords.ts';
import { isExact } from './exactNumber.ts';

/** An agent reads a regular expression as it is; a person is told what it asks for. */
export type Reader = 'person' | 'agent';

const NAMES: Readonly<Record<string, string>> = {
  array: 'a list',
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  null: 'nothing (null)',
};
const NUMERAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/;

/** What a value must be by a keyword of JSON Schema that it breaks, after its name: `must be 100 or less`. */
export function describeFault(keyword: string, held: unknown, value: unknown, reader: Reader): string {
  const bound = String(held);
  switch (keyword) {
    case 'type':
      return describeType((Array.isArray(held) ? held : [held]).map(String), value);
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

function describeType(types: readonly string[], value: unknown): string {
  const isTooLong = typeof value === 'string' && NUMERAL.test(value.trim()) && !isExact(value);
  const wantsNumber = types.includes('integer') || types.includes('number');
  return isTooLong && wantsNumber
    ? 'has more digits than can be sent exactly'
    : `must be ${[...new Set(types)].map((type) => NAMES[type] ?? `a ${type}`).join(' or ')}`;
}

function describeOptions(options: readonly unknown[]): string {
  const shown = options.slice(0, 8).map((option) => JSON.stringify(option) ?? '');
  return `one of ${shown.join(', ')}${options.length > 8 ? ', …' : ''}`;
}
