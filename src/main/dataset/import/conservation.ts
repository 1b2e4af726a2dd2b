// Compares a record with the episode that was read from it: every text, number and flag of the record either stands
// in the episode or is reported with its path. It works on any format, so it also catches what a reader forgot.
import type { Conservation, UnreadField } from '../../../shared/events/import.ts';
import { isLabelPath } from '../../../shared/conservation.ts';
import { isRecord, parseJson } from '../../../shared/json.ts';
import type { TimedEntry } from '../../log/eventLog.ts';
import { EpisodeLeaves, type Scalar } from './episodeLeaves.ts';
import { LIMITS } from './limits.ts';
import { pathPattern } from './paths.ts';
import { timeFrom } from './values.ts';

/**
 * A value of the file that an episode was read from; `path` is where it stands in it, `omit` names what other episodes
 * hold, and `spoken` what holds messages although its name may be that of a label: it is looked for as their text.
 */
export type RecordSource = {
  value: unknown;
  path?: string;
  omit?: readonly string[];
  spoken?: readonly string[];
};

/** What of the sources stands in the entries. */
export function conservationOf(
  sources: readonly RecordSource[],
  entries: readonly TimedEntry[],
): Conservation {
  const check = new ConservationCheck(new EpisodeLeaves(entries));
  for (const source of sources) check.compare(source);
  return check.result();
}

/** The sum of two. */
export function addConservation(one: Conservation | null, other: Conservation): Conservation {
  if (one === null) return other;
  const fields = new Map(one.not_read.map((field) => [field.path, field]));
  let further = one.further + other.further;
  for (const field of other.not_read) {
    const known = fields.get(field.path);
    if (known !== undefined)
      fields.set(field.path, {
        ...known,
        count: known.count + field.count,
        characters: known.characters + field.characters,
      });
    else if (fields.size < LIMITS.pathsNamed || field.is_label) fields.set(field.path, field);
    else further += field.count;
  }
  const named = ranked([...fields.values()]);
  return {
    characters: one.characters + other.characters,
    kept: one.kept + other.kept,
    not_read: named.slice(0, LIMITS.pathsNamed),
    further: named.slice(LIMITS.pathsNamed).reduce((sum, { count }) => sum + count, further),
  };
}

const ranked = (fields: UnreadField[]): UnreadField[] =>
  fields.toSorted((a, b) => Number(b.is_label) - Number(a.is_label) || b.characters - a.characters);

/** Names under which a text is prose; of others a short text is a value, and counts only under its own name. */
const PROSE_KEYS =
  /^(content|contents|text|value|message|messages|task|input|output|prompt|completion|response|thought|action|observation|answer|final_answer|reasoning|reasoning_content|thinking|summary|description|error|result|reason|explanation|submission|instruction|system|arguments|data|query|input_text|output_text|refusal|reasoningContent)$/i;
/** A text this long is never by chance one of the episode's; one of the second length hardly ever all of one. */
const LONG = 24;
const WHOLE_DIGITS = 6;

/** Names for the same thing in other formats, and what the log calls it. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  prompt_tokens: ['input_tokens'],
  completion_tokens: ['output_tokens'],
  model_name: ['model'],
  function_name: ['name', 'tool_name'],
  function: ['name', 'tool_name'],
  tool_name: ['name', 'tool_name'],
  tool_names: ['name'],
  tools: ['name'],
  name: ['tool_name', 'name'],
  tool_call_id: ['id', 'tool_call_id'],
  tool_call_ids: ['id', 'tool_call_id'],
  toolCallId: ['id', 'tool_call_id'],
  tool_use_id: ['id', 'tool_call_id'],
  source_call_id: ['id', 'tool_call_id'],
  id: ['tool_call_id', 'task_idx', 'session'],
  task_id: ['task_idx'],
  score: ['reward'],
  exit_status: ['reason', 'outcome'],
  agent: ['model', 'name'],
  harness: ['name'],
  schema_version: ['version'],
  trajectory_format: ['version'],
  verifier_mode: ['verifier_mode'],
  mode: ['verifier_mode'],
  decision: ['kind'],
  approver: ['rule'],
  explanation: ['reason'],
  parameters: ['input_schema'],
  temperature: ['temperature'],
};
/** Durations that the log keeps in whole milliseconds. */
const SECONDS = /(^|_)(time|seconds|duration|latency)$/;

/** Words by which a format tells a reader what something is: reading it as that is keeping it. */
const STRUCTURE: ReadonlySet<string> = new Set(['role', 'from', 'source', 'type', 'event', 'action', 'kind']);
const STRUCTURE_WORDS: ReadonlySet<string> = new Set(
  'system developer user human assistant gpt model ai agent tool function ipython observation environment function_call tool_response function_response tool_use tool_result tool_call text reasoning thinking input_text output_text image image_url session message list_tools call_tool verify exit approval score sample_init sample_limit span_begin span_end step bare state store info logger error sandbox subtask object string number integer boolean array interject.events'.split(
    ' ',
  ),
);
/** What names a thing or a moment is no text of the record; unread it is named all the same. */
const IDENTIFIER =
  /(^|_)(id|ids|uuid|sha256|hash|md5|ref|refs|timestamp|time|date|at|created|started|completed|version|url|path|working_start|working_time)$|[a-z]Id$/;

/** What a name says of the values under it. */
type KeyFacts = {
  isStructure: boolean;
  isIdentifier: boolean;
  isProse: boolean;
  isSeconds: boolean;
  aliases: readonly string[];
};
const NAMES_MAX = 2000;
const names = new Map<string, KeyFacts>();

/** Worked out once a name: a file repeats few of them. */
function keyFacts(name: string): KeyFacts {
  const known = names.get(name);
  if (known !== undefined) return known;
  const facts = {
    isStructure: STRUCTURE.has(name),
    isIdentifier: IDENTIFIER.test(name),
    isProse: PROSE_KEYS.test(name),
    isSeconds: SECONDS.test(name),
    aliases: [name, ...(Object.hasOwn(ALIASES, name) ? (ALIASES[name] ?? []) : [])],
  };
  if (names.size >= NAMES_MAX) names.clear();
  names.set(name, facts);
  return facts;
}

class ConservationCheck {
  readonly #leaves: EpisodeLeaves;
  readonly #path: (string | number)[] = [];
  /** Names before this place of the path make no label of what is under them. */
  #labelsFrom = 0;
  readonly #unread = new Map<string, UnreadField>();
  #characters = 0;
  #kept = 0;
  #further = 0;

  constructor(leaves: EpisodeLeaves) {
    this.#leaves = leaves;
  }

  compare({ value, path, omit = [], spoken = [] }: RecordSource): void {
    if (path !== undefined) this.#path.push(path);
    const isPlain = omit.length === 0 && spoken.length === 0;
    if (isRecord(value) && !isPlain) {
      for (const [key, inner] of Object.entries(value))
        if (spoken.includes(key)) this.#spoken(key, inner);
        else if (!omit.includes(key)) this.#within(key, key, inner, false);
    } else this.#walk(value, '', false);
    if (path !== undefined) this.#path.pop();
  }

  result(): Conservation {
    return {
      characters: this.#characters,
      kept: this.#kept,
      not_read: ranked([...this.#unread.values()]),
      further: this.#further,
    };
  }

  /** Labels inside it are labels all the same. */
  #spoken(key: string, value: unknown): void {
    this.#labelsFrom = this.#path.length + 1;
    this.#within(key, 'content', value, false);
    this.#labelsFrom = 0;
  }

  #isLabel(): boolean {
    return isLabelPath(this.#labelsFrom === 0 ? this.#path : this.#path.slice(this.#labelsFrom));
  }

  #within(step: string | number, name: string, value: unknown, isKept: boolean): void {
    if (value === null || value === undefined) return;
    this.#path.push(step);
    this.#walk(value, name, isKept);
    this.#path.pop();
  }

  #walk(value: unknown, name: string, isKept: boolean): void {
    if (typeof value === 'string') this.#text(value, name, isKept);
    else if (typeof value === 'object' && value !== null) {
      const isWhole = isKept || this.#leaves.holds(value);
      if (Array.isArray(value)) {
        const items = value as unknown[];
        for (let index = 0; index < items.length; index += 1)
          this.#within(index, name, items[index], isWhole);
      } else
        for (const key in value) this.#within(key, key, (value as Record<string, unknown>)[key], isWhole);
    } else if (!isKept && value !== null && value !== undefined && !this.#hasScalar(value as Scalar, name))
      this.#miss(0);
  }

  #text(text: string, name: string, isKept: boolean): void {
    const facts = keyFacts(name);
    const isStructure = facts.isStructure && STRUCTURE_WORDS.has(text.toLowerCase());
    const isText = !isStructure && !facts.isIdentifier;
    if (isText) this.#characters += text.length;
    if (isKept || isStructure || text.trim() === '' || this.#hasText(text, facts)) {
      if (isText) this.#kept += text.length;
    } else if (!this.#isKeptInside(text, name, isText)) this.#miss(isText ? text.length : 0);
  }

  #hasText(text: string, facts: KeyFacts): boolean {
    const leaves = this.#leaves;
    if (this.#isNamed(leaves.namesOf(text), facts, text.length)) return true;
    const at = TIME.test(text) ? timeFrom(text) : null;
    if (at !== null && leaves.hasTime(at)) return true;
    // An identifier that was not found is only named: that is not worth opening every text for.
    if (facts.isIdentifier) return false;
    if (leaves.open() && this.#isNamed(leaves.namesOf(text), facts, text.length)) return true;
    if (text.length >= LONG) return leaves.hasWithin(text.trim(), false);
    return facts.isProse && !this.#isLabel() && leaves.hasWithin(text.trim(), true);
  }

  /** Whether a text that stands under these names is the one that stands under this name in the record. */
  #isNamed(names: string | ReadonlySet<string> | null, facts: KeyFacts, length: number): boolean {
    if (names === null) return false;
    if (length >= LONG || hasName(names, facts.aliases)) return true;
    return (facts.isProse || length >= WHOLE_DIGITS) && !this.#isLabel();
  }

  #hasScalar(value: Scalar, name: string): boolean {
    const facts = keyFacts(name);
    const leaves = this.#leaves;
    const isThere = (one: Scalar, names: readonly string[]): boolean => hasName(leaves.namesOf(one), names);
    if (isThere(value, facts.aliases)) return true;
    if (typeof value === 'number') {
      if (facts.isSeconds && isThere(Math.round(value * 1000), LATENCY)) return true;
      const at = value > YEAR_SECONDS ? timeFrom(value) : null;
      if (at !== null && leaves.hasTime(at)) return true;
    }
    return !facts.isIdentifier && leaves.open() && isThere(value, facts.aliases);
  }

  /** A text that is JSON itself may have been read, and kept in another spelling. */
  #isKeptInside(text: string, name: string, isText: boolean): boolean {
    const first = text.trimStart().charCodeAt(0);
    if (first !== 0x7b && first !== 0x5b) return false;
    let value: unknown;
    try {
      value = parseJson(text);
    } catch {
      return false;
    }
    if (isText) this.#characters -= text.length;
    this.#walk(value, name, false);
    return true;
  }

  #miss(characters: number): void {
    const path = pathPattern(this.#path);
    const known = this.#unread.get(path);
    if (known !== undefined) {
      known.count += 1;
      known.characters += characters;
    } else if (this.#unread.size < LIMITS.pathsNamed) {
      this.#unread.set(path, { path, count: 1, characters, is_label: isLabelPath(this.#path) });
    } else this.#further += 1;
  }
}

const LATENCY = ['latency_ms'];
/** What a time looks like: a date as text, or seconds since 1970 that are more than its first year. */
const TIME = /^\d{4}-\d\d-\d\d.{0,30}$/;
const YEAR_SECONDS = 31_536_000;

const hasName = (names: string | ReadonlySet<string> | null, wanted: readonly string[]): boolean =>
  names !== null &&
  (typeof names === 'string' ? wanted.includes(names) : wanted.some((name) => names.has(name)));
