// Compares a record with the episode that was read from it: every text, number and flag of the record either stands
// in the episode or is reported with its path. It works on any format, so it also catches what a reader forgot.
import type { Conservation, UnreadField } from '../../../shared/events/import.ts';
import { isLabelPath, TRAINING_MARKS } from '../../../shared/conservation.ts';
import { ExactNumber, isRecord, parseJson } from '../../../shared/json.ts';
import type { TimedEntry } from '../../log/eventLog.ts';
import { LIMITS } from './limits.ts';
import { pathPattern, ranked } from './importNotes.ts';
import { timeFrom, isMedia, jsonTextOf, markNumber, rewardFrom, wordsLength } from './values.ts';

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

/** Compares the entries with their sources; `keptMessages`: the share of the text of their messages, 0 to 1. */
export function conservationOf(
  sources: readonly RecordSource[],
  entries: readonly TimedEntry[],
): { conservation: Conservation; keptMessages: number } {
  const check = new ConservationCheck(new EpisodeLeaves(entries));
  for (const source of sources) check.compare(source);
  return { conservation: check.result(), keptMessages: check.keptMessages() };
}

/** Names under which a text is prose; of others a short text is a value, and counts only under its own name. */
const PROSE_KEYS =
  /^(content|contents|text|value|message|messages|task|input|output|prompt|completion|response|thought|action|observation|answer|final_answer|reasoning|reasoning_content|thinking|summary|description|error|result|reason|explanation|submission|instruction|question|system|arguments|data|query|input_text|output_text|refusal|reasoningContent)$/i;
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
  toolUseId: ['id', 'tool_call_id'],
  toolName: ['name', 'tool_name'],
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
const STRUCTURE: ReadonlySet<string> = new Set('role from source type format event action kind'.split(' '));
const STRUCTURE_WORDS: ReadonlySet<string> = new Set(
  'system developer user human assistant gpt model ai agent tool function ipython observation environment function_call tool_response function_response tool_use tool_result tool_call text reasoning thinking tool-call tool-result toolcall toolresult tooluse input_text output_text image image_url input_image input_audio base64 png jpeg jpg gif webp wav mp3 session message list_tools call_tool verify exit approval score sample_init sample_limit span_begin span_end step bare state store info logger error sandbox subtask object string number integer boolean array interject.events'.split(
    ' ',
  ),
);
/** The name of a thing or a moment is no text; unread it is named all the same. */
const IDENTIFIER =
  /(^|_)(id|ids|uuid|sha256|hash|md5|ref|refs|timestamp|time|date|at|created|started|completed|version|url|path|working_start|working_time)$|[a-z]Id$|^(mime|media)_?type$/i;

/** Facts about the values under a name. */
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

/** Names of lists of messages, and of what is said to the agent or by it. */
const MESSAGES =
  /^(?:messages|conversations?|prompt|instruction|question|query|completion|chosen|rejected|(?:chosen_|rejected_)?response|(?:non_)?preferred_(?:output|completion)|history|trajectory|steps|lines)$/;

/** The name of what is media, whatever the record calls it. */
const MEDIA = 'media in base64';

class ConservationCheck {
  readonly #leaves: EpisodeLeaves;
  readonly #path: (string | number)[] = [];
  /** Names before this place of the path make no label of what is under them. */
  #labelsFrom = 0;
  readonly #unread = new Map<string, UnreadField>();
  #characters = 0;
  #kept = 0;
  #further = 0;
  /** Of messages alone. */
  #said = 0;
  #saidKept = 0;

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

  /** Of a record without messages the share of all its text. */
  keptMessages(): number {
    if (this.#said > 0) return this.#saidKept / this.#said;
    return this.#characters === 0 ? 1 : this.#kept / this.#characters;
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
    if (value instanceof ExactNumber) {
      if (!isKept && !this.#hasScalar(String(value), name)) this.#miss(0);
    } else if (typeof value === 'string') this.#text(value, name, isKept);
    else if (typeof value === 'object' && value !== null) {
      const isWhole = isKept || this.#leaves.holds(value);
      if (Array.isArray(value)) {
        const items = value as unknown[];
        for (let index = 0; index < items.length; index += 1)
          this.#within(index, name, items[index], isWhole);
      } else
        for (const key in value) {
          const inner = (value as Record<string, unknown>)[key];
          this.#within(key, isMedia(value, key, inner) ? MEDIA : key, inner, isWhole);
        }
    } else if (!isKept && value !== null && value !== undefined && !this.#hasScalar(value as Scalar, name))
      this.#miss(0);
  }

  #text(text: string, name: string, isKept: boolean): void {
    const facts = keyFacts(name);
    const isStructure = facts.isStructure && STRUCTURE_WORDS.has(text.toLowerCase());
    const isText = !isStructure && !facts.isIdentifier && name !== MEDIA;
    const length = isText ? wordsLength(text) : 0;
    this.#count(length, 0);
    if (isKept || isStructure || text.trim() === '' || this.#hasText(text, name, facts)) {
      this.#count(0, length);
    } else if (!this.#isKeptInside(text, name, length)) this.#miss(length);
  }

  #count(characters: number, kept: number): void {
    this.#characters += characters;
    this.#kept += kept;
    if (!this.#path.some((step) => typeof step === 'string' && MESSAGES.test(step))) return;
    this.#said += characters;
    this.#saidKept += kept;
  }

  /** A mark of a reply stands in the log as a number, however its file spells it. */
  #hasMark(value: Scalar, name: string): boolean {
    return TRAINING_MARKS.has(name) && hasName(this.#leaves.namesOf(markNumber(name, value)), MARKED);
  }

  #hasText(text: string, name: string, facts: KeyFacts): boolean {
    const leaves = this.#leaves;
    if (this.#hasMark(text, name) || this.#isNamed(leaves.namesOf(text), facts, text.length)) return true;
    const number = facts.isIdentifier ? null : rewardFrom(text);
    // Under its own name alone: a number is too often another one's.
    if (number !== null && hasName(leaves.namesOf(number), facts.aliases)) return true;
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
    if (isThere(value, facts.aliases) || this.#hasMark(value, name)) return true;
    // A reward of false stands in the log as 0.
    const isReward = typeof value === 'boolean' && name === 'reward';
    if (isReward && isThere(Number(value), facts.aliases)) return true;
    if (typeof value === 'number') {
      if (facts.isSeconds && isThere(Math.round(value * 1000), LATENCY)) return true;
      const at = value > YEAR_SECONDS ? timeFrom(value) : null;
      if (at !== null && leaves.hasTime(at)) return true;
    }
    return !facts.isIdentifier && leaves.open() && isThere(value, facts.aliases);
  }

  /** A text that is JSON itself may have been read, and kept in another spelling. */
  #isKeptInside(text: string, name: string, length: number): boolean {
    const first = text.trimStart().charCodeAt(0);
    if (first !== 0x7b && first !== 0x5b) return false;
    let value: unknown;
    try {
      value = parseJson(text);
    } catch {
      return false;
    }
    this.#count(-length, 0);
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
/** The name in the log. */
const MARKED = ['weight'];
/** A time: a date as text, or seconds since 1970 that are more than its first year. */
const TIME = /^\d{4}-\d\d-\d\d.{0,30}$/;
const YEAR_SECONDS = 31_536_000;

const hasName = (names: string | ReadonlySet<string> | null, wanted: readonly string[]): boolean =>
  names !== null &&
  (typeof names === 'string' ? wanted.includes(names) : wanted.some((name) => names.has(name)));

type Scalar = string | number | boolean;
const isPlain = (value: unknown): value is Scalar | ExactNumber =>
  value instanceof ExactNumber || (typeof value !== 'object' && value !== undefined);

/** Fields by which the log keeps its own order: what stands there never comes from a record. */
const OWN_FIELDS: ReadonlySet<string> = new Set(
  'kind turn call alone full_length segments origin repairs ignored_calls sent privilege timing seen_seq limits source prompt_sha256 fallback deadline_ms deadline_at why not_recorded diagnostics conservation companions'.split(
    ' ',
  ),
);
/** Fields that hold values of the record as they are: most are found there by being the same object. */
const RECORD_FIELDS: ReadonlySet<string> = new Set(['extra', 'verify_result', 'input_schema', 'arguments']);

/** The values of an episode's events, each with the names it stands under. */
class EpisodeLeaves {
  readonly #names = new Map<Scalar, string | Set<string>>();
  readonly #objects = new Set<object>();
  readonly #times = new Set<number>();
  #isOpened = false;
  #haystack: string | null = null;
  #cursor = 0;
  #searched = 0;

  constructor(entries: readonly TimedEntry[]) {
    for (const { at, event } of entries) {
      if (at !== null) this.#times.add(at);
      this.#addFields(event);
    }
  }

  hasTime(at: number): boolean {
    return this.#times.has(at);
  }

  /** Whether this very object, or all of it as JSON text, stands in the episode. */
  holds(value: object): boolean {
    if (this.#objects.has(value)) return true;
    const text = jsonTextOf(value);
    return text !== undefined && this.#names.has(text);
  }

  /** The names a value stands under; null when it is no value of the episode. */
  namesOf(value: Scalar): string | ReadonlySet<string> | null {
    return this.#names.get(value) ?? null;
  }

  /**
   * Whether it stands within a text of the episode; `isLine` asks for a line of its own. What is too much to search
   * counts as not there.
   */
  hasWithin(text: string, isLine: boolean): boolean {
    this.#haystack ??= `\n${this.#texts().join('\n')}\n`;
    const haystack = this.#haystack;
    const needle = isLine ? `\n${text}\n` : text;
    if (this.#searched > LIMITS.searchedCharacters) return false;
    // Texts are found in the order in which they were read, so that a search seldom begins anew.
    const ahead = haystack.indexOf(needle, this.#cursor);
    const found = ahead === -1 ? haystack.slice(0, this.#cursor + needle.length).indexOf(needle) : ahead;
    this.#searched += found === -1 ? haystack.length : Math.abs(found - this.#cursor) + 1;
    if (found !== -1) this.#cursor = found;
    return found !== -1;
  }

  /** Adds what stands deeper: in values of the record, and in texts that are JSON. False when it was done before. */
  open(): boolean {
    if (this.#isOpened) return false;
    this.#isOpened = true;
    for (const value of this.#objects) this.#addAll(value, '');
    for (const text of this.#texts()) {
      const first = text.charCodeAt(0);
      if (first !== 0x7b && first !== 0x5b) continue;
      try {
        this.#addAll(parseJson(text), '');
      } catch {
        // It only began like JSON.
      }
    }
    return true;
  }

  #texts(): string[] {
    return [...this.#names.keys()].filter((value) => typeof value === 'string');
  }

  #addFields(fields: object): void {
    for (const key in fields) {
      const value = (fields as Record<string, unknown>)[key];
      if (value === null || OWN_FIELDS.has(key)) continue;
      if (isPlain(value)) this.#addScalar(value, key);
      else if (RECORD_FIELDS.has(key)) this.#addRecordValue(value as object);
      else if (Array.isArray(value)) for (const item of value as unknown[]) this.#addItem(item, key);
      else if (value !== undefined) this.#addFields(value as object);
    }
  }

  #addItem(item: unknown, key: string): void {
    if (isPlain(item)) this.#addScalar(item, key);
    else if (item !== null) this.#addFields(item as object);
  }

  /** A value of the record, and those directly in it; deeper ones only count where something is missed. */
  #addRecordValue(value: object): void {
    this.#objects.add(value);
    for (const key in value) {
      const inner = (value as Record<string, unknown>)[key];
      if (isPlain(inner)) this.#addScalar(inner, key);
      else if (inner !== null && inner !== undefined) this.#objects.add(inner as object);
    }
  }

  #addAll(value: unknown, name: string): void {
    if (value === null || value === undefined) return;
    if (isPlain(value)) this.#addScalar(value, name);
    else if (Array.isArray(value)) for (const item of value as unknown[]) this.#addAll(item, name);
    else for (const key in value) this.#addAll((value as Record<string, unknown>)[key], key);
  }

  #addScalar(given: Scalar | ExactNumber, name: string): void {
    const value = given instanceof ExactNumber ? String(given) : given;
    const known = this.#names.get(value);
    if (known === undefined) this.#names.set(value, name);
    else if (typeof known === 'object') known.add(name);
    else if (known !== name) this.#names.set(value, new Set([known, name]));
  }
}
