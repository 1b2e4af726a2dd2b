// Names of tools and arguments as words: `set_workflow_status` is "set workflow status". Pure.
import { truncate } from '../truncate.ts';

/** As much of a name as is put into words. */
const NAME_MAX = 4_096;

/** The words of a name in any usual spelling, in lower case. */
export const wordsOf = (name: string): string[] =>
  truncate(name, NAME_MAX)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

const ACRONYMS: ReadonlySet<string> = new Set(
  'ai api cpu crm csv cv erp gpu hr html http https iban ip isbn it json kpi pdf pin pnl ram sku sla sms sql ssh ssl tv ui uri url usd uuid vat vin xml zip'.split(
    ' ',
  ),
);
/** Acronyms that are words as well: they stay words. */
const PLAIN: ReadonlySet<string> = new Set(['it', 'pin', 'zip', 'ram', 'usd']);

/** Words as a phrase, with the usual acronyms in capitals. */
export const phraseOf = (words: readonly string[]): string =>
  words.map((word) => (ACRONYMS.has(word) && !PLAIN.has(word) ? word.toUpperCase() : word)).join(' ');

/** A tool's name in the middle of a sentence: `list_orders` is "list orders". */
export const toolWords = (name: string): string => {
  const words = wordsOf(name);
  return words.length === 0 ? name : phraseOf(words);
};

/** One of what a plural word names: `companies` is many a `company`. Other words stay. */
export function singularOf(word: string): string {
  if (/(?:[^aeiou])ies$/.test(word) && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|x|ch|sh|zz)es$/.test(word)) return word.slice(0, -2);
  if (word === 'people') return 'person';
  if (word === 'statuses') return 'status';
  return /[^su]s$/.test(word) && !/(?:is|news|series|analysis)$/.test(word) ? word.slice(0, -1) : word;
}

/** The words of what there may be many of, as one of it: only the last word has a plural. */
export const singularWords = (words: readonly string[]): string[] =>
  words.map((word, at) => (at === words.length - 1 ? singularOf(word) : word));

const ID_WORDS: ReadonlySet<string> = new Set(['id', 'ids', 'uuid', 'guid']);

/** What kind of record an argument or member such as `workflow_id` points at; null where it is no id. */
export function kindOfId(name: string): string[] | null {
  const words = wordsOf(name);
  return ID_WORDS.has(words.at(-1) ?? '') ? words.slice(0, -1) : null;
}

/** Words that say which of several records of a kind is meant, not of what kind it is. */
const ROLE_WORDS: ReadonlySet<string> = new Set(
  'from to into old new source target destination current previous next original other first second my'.split(
    ' ',
  ),
);

/** `from_user_id` points at a user: the kind without the words in front that only say which. */
export function withoutRole(kind: readonly string[]): string[] {
  const at = kind.findIndex((word) => !ROLE_WORDS.has(word));
  return at === -1 ? [] : kind.slice(at);
}

/** The words of a tool's name after its verb, up to what it goes by: `list_runs_by_workflow` is about runs. */
export function nounOfTool(tool: string): string[] {
  const [, ...rest] = wordsOf(tool);
  const words = rest.filter((word) => !['all', 'my', 'the', 'every'].includes(word));
  const end = words.findIndex((word) => ['by', 'for', 'of', 'in', 'from', 'to', 'with'].includes(word));
  return singularWords(end === -1 ? words : words.slice(0, end));
}
