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

/** The kind of record that an argument or member such as `workflow_id` points at; null where it is no id. */
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

// The short line that many tools' descriptions begin with: "Set the state of a workflow".
export type TitleCommand = { verb: string; text: string };

const TITLE_LENGTH_MAX = 60;

/** The first line of a description where it is a short heading; null where it is prose. */
export function titleOf(description: string): string | null {
  const [line = ''] = truncate(description).trim().split('\n', 1);
  const title = line.trim().replace(/\.$/, '');
  const isShort = title !== '' && title.length <= TITLE_LENGTH_MAX;
  return isShort && !/[.:;!?]\s|[{}<>`*#]/.test(title) && /\p{L}/u.test(title) ? title : null;
}

/** The title as an order, "Set the state of a workflow", where it begins with a verb. */
export function commandOf(title: string | null): TitleCommand | null {
  if (title === null) return null;
  const [first = '', ...rest] = title.split(' ');
  const verb = first.toLowerCase();
  if (isVerb(verb)) return { verb, text: [verbWord(verb), ...rest].join(' ') };
  // "Gets a workflow" is the same order; "Orders of a customer" is none.
  const plain = verb.replace(/(?:(?<=ss|x|ch|sh|zz)es|s)$/, '');
  return plain !== verb && isVerb(plain) && rest.length > 0 && rest[0] !== 'of'
    ? { verb: plain, text: [verbWord(plain), ...rest].join(' ') }
    : null;
}

/** A tool's description in one line, for a list to choose from. */
export function descriptionLine(description: string): string {
  const [first = '', second = ''] = description.split('\n').filter((line) => line.trim() !== '');
  const isHeading = titleOf(description) !== null && !second.startsWith('#');
  return (isHeading && second !== '' ? second : first).trim();
}

// Verbs that tools are named by, and what stands between such a verb and its second record.
const VERBS: ReadonlySet<string> = new Set(
  (
    'accept acknowledge activate add adjust aggregate allow alter amend analyze answer append apply approve archive ' +
    'arrange ask assign attach authorize award ban batch begin block book bookmark branch broadcast browse build bulk ' +
    'buy calculate call cancel capture cast change charge check choose claim clean clear click clone close collect ' +
    'combine comment commit compare complete compute configure confirm connect consume contact contribute convert copy ' +
    'count cover create credit cut deactivate debit decide declare decline decrease define delegate delete deliver ' +
    'deny deploy deposit describe detach detect dial disable discard disconnect dismiss dispatch display dispute ' +
    'donate download draft draw drop duplicate echo edit email emit enable end enroll enrol enter escalate estimate ' +
    'evaluate exchange execute exit export extend extract fetch fill filter finalize find finish fire flag fly follow ' +
    'forward freeze fulfill fund generate get give go grant group hand handover hide hold import increase increment ' +
    'initialize initiate insert inspect install invite invoke invoice issue join jump keep kick label launch leave let ' +
    'like link list load lock log look lookup make mark match measure merge message modify monitor mount move mute ' +
    'navigate negotiate note notify open order pause pay perform pick pin place plan play post predict prepare press ' +
    'preview print process promote propose provide publish purchase push put query quote raise rate reach react read ' +
    'reallocate rebook recall receive recommend record recover redeem redo reduce refresh refund register reject ' +
    'release reload remind remove rename renew reopen reorder repeat replace reply report request reschedule ' +
    'reserve reset resize resolve respond restart restore resume retrieve retry return reverse revert review revoke ' +
    'reward roll rotate route run save scan schedule scroll search select sell send set settle share ship show sign ' +
    'simulate skip snooze solve sort split start stop store submit subscribe suggest summarize suspend swap switch sync ' +
    'synchronize tag take tap terminate test tip toggle track trade transfer transition translate trigger turn type ' +
    'unarchive unassign unban unblock undo unflag unfollow unfreeze unhold unlabel unlike unlink unlist unlock unmatch ' +
    'unmute unpin unpublish unregister unshare unsubscribe untag unwatch update upgrade upload upsert use validate ' +
    'verify view visit void vote wait walk watch withdraw write'
  ).split(' '),
);

export const isVerb = (word: string): boolean => VERBS.has(word);

/** Verbs that say what something becomes. */
export const isSetting = (verb: string): boolean => verb === 'set' || verb === 'change';
export const isMaking = (verb: string): boolean => MAKING.has(verb);
const MAKING: ReadonlySet<string> = new Set(
  'add book create insert issue make open post record register start write'.split(' '),
);

/** Words that a reader who knows no interfaces would use. */
const PLAIN_VERBS: Readonly<Record<string, string>> = {
  get: 'Look up',
  fetch: 'Look up',
  retrieve: 'Look up',
  lookup: 'Look up',
  upsert: 'Set',
};
export const verbWord = (verb: string): string =>
  Object.hasOwn(PLAIN_VERBS, verb)
    ? (PLAIN_VERBS[verb] ?? verb)
    : `${verb.charAt(0).toUpperCase()}${verb.slice(1)}`;

const JOINING: Readonly<Record<string, string>> = {
  add: 'to',
  assign: 'to',
  attach: 'to',
  deliver: 'to',
  detach: 'from',
  enroll: 'in',
  forward: 'to',
  grant: 'to',
  invite: 'to',
  label: 'with',
  link: 'to',
  match: 'with',
  move: 'to',
  register: 'for',
  remove: 'from',
  send: 'to',
  share: 'with',
  ship: 'to',
  subscribe: 'to',
  tag: 'with',
  unassign: 'from',
  unsubscribe: 'from',
};
/** The word between the record a verb is done to and the next: a ticket is assigned to an agent. */
export const joiningWord = (verb: string): string =>
  Object.hasOwn(JOINING, verb) ? (JOINING[verb] ?? 'for') : 'for';
