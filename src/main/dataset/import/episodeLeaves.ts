// Indexes every value of a read episode so that the values of the source record can be looked up in it.
import { parseJson } from '../../../shared/json.ts';
import type { TimedEntry } from '../../log/eventLog.ts';
import { jsonTextOf } from './jsonText.ts';
import { LIMITS } from './limits.ts';

export type Scalar = string | number | bigint | boolean;

/** Fields by which the log keeps its own order: what stands there never comes from a record. */
const OWN_FIELDS: ReadonlySet<string> = new Set(
  'kind turn call alone full_length segments origin repairs ignored_calls sent privilege timing seen_seq limits source prompt_sha256 fallback deadline_ms deadline_at why not_recorded diagnostics conservation companions'.split(
    ' ',
  ),
);
/** Fields that hold values of the record as they are: most are found there by being the same object. */
const RECORD_FIELDS: ReadonlySet<string> = new Set(['extra', 'verify_result', 'input_schema', 'arguments']);

/** What an episode holds: the values of its events, each with the names it stands under. */
export class EpisodeLeaves {
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
      if (typeof value !== 'object') this.#addScalar(value as Scalar, key);
      else if (RECORD_FIELDS.has(key)) this.#addRecordValue(value);
      else if (Array.isArray(value)) for (const item of value as unknown[]) this.#addItem(item, key);
      else if (value !== undefined) this.#addFields(value);
    }
  }

  #addItem(item: unknown, key: string): void {
    if (typeof item === 'object' && item !== null) this.#addFields(item);
    else if (item !== null) this.#addScalar(item as Scalar, key);
  }

  /** A value of the record, and those directly in it; deeper ones only count where something is missed. */
  #addRecordValue(value: object): void {
    this.#objects.add(value);
    for (const key in value) {
      const inner = (value as Record<string, unknown>)[key];
      if (typeof inner === 'object' && inner !== null) this.#objects.add(inner);
      else if (inner !== null && inner !== undefined) this.#addScalar(inner as Scalar, key);
    }
  }

  #addAll(value: unknown, name: string): void {
    if (value === null || value === undefined) return;
    if (typeof value !== 'object') this.#addScalar(value as Scalar, name);
    else if (Array.isArray(value)) for (const item of value as unknown[]) this.#addAll(item, name);
    else for (const key in value) this.#addAll((value as Record<string, unknown>)[key], key);
  }

  #addScalar(value: Scalar, name: string): void {
    const known = this.#names.get(value);
    if (known === undefined) this.#names.set(value, name);
    else if (typeof known === 'object') known.add(name);
    else if (known !== name) this.#names.set(value, new Set([known, name]));
  }
}
