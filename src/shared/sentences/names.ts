// Names of records, read from results of tools: `workflow_id` 102 is "Weekly supplier digest". A name is given only
// where the result says whose it is; where that is doubtful there is none. Pure.
import type { EpisodeRecord, Turn } from '../episode/record.ts';
import { isBlobRef } from '../events/text.ts';
import { isNumber, isRecord, tryShortJson } from '../json.ts';
import { kindOfId, nounOfTool, singularOf, singularWords, withoutRole, wordsOf } from './words.ts';

export type RecordName = {
  name: string;
  /** What tells it from another of the same name, such as its folder or city. */
  detail: string | null;
};
/** The result of a tool, as the text that its caller read. */
export type ToolResult = { tool: string; text: string };
/** Names by kind and id; null where two records claim the same. */
export type Names = ReadonlyMap<string, RecordName | null>;
/** The tool of the argument and its description, if known: an argument `id` alone says no kind. */
type ArgumentHint = { tool?: string; description?: string };
export type NameOf = (argument: string, value: unknown, hint?: ArgumentHint) => RecordName | null;

export const NO_NAMES: Names = new Map();

/** Reads the names in results as they come, oldest first: a later result may have renamed a record. */
export function createNameReader(): { names: Names; read: (result: ToolResult) => void } {
  const names = new Map<string, RecordName | null>();
  const joined = new Map<string, NamedRecord>();
  const read = (result: ToolResult): void => {
    const records = namedRecordsIn(result);
    const here = new Map<string, RecordName | null>();
    for (const { key, name, detail } of records) {
      const other = here.get(key);
      here.set(key, other === undefined ? { name, detail } : sameName(other, { name, detail }));
    }
    for (const [key, name] of here) names.set(key, withDetail(name, names.get(key)));
    for (const record of records)
      if (record.beside.length > 0)
        joined.set(JSON.stringify([record.key, record.name, record.beside]), record);
    // A row that joins two records shows one's name beside the other's id.
    for (const { key, name, beside } of here.size === 0 ? [] : joined.values())
      if (names.get(key)?.name === name && beside.some((other) => names.get(other)?.name === name))
        names.set(key, null);
  };
  return { names, read };
}

/** The names in results, oldest first. Names that other results gave are added with `joinNames`. */
export function collectNames(results: readonly ToolResult[]): Names {
  const { names, read } = createNameReader();
  results.forEach(read);
  return names;
}

/** The names of several collections; the first that knows a record, or knows it to be doubtful, has the word. */
export function joinNames(...collections: readonly Names[]): Names {
  const names = new Map<string, RecordName | null>();
  for (const [key, name] of collections.flatMap((one) => [...one])) if (!names.has(key)) names.set(key, name);
  return names;
}

/**
 * Looks up what the record is called that an argument's value points at; null where that is not known for sure. Where two
 * records read the same, the id tells which it is.
 */
export const nameOf =
  (names: Names): NameOf =>
  (argument, value, hint = {}) => {
    if (typeof value !== 'string' && !isNumber(value)) return null;
    const kind = kindOfId(argument);
    if (kind === null) return null;
    const own = withoutRole(kind).length === 0 ? kindFromHint(kind, hint) : singularWords(kind);
    const found = [own, singularWords(withoutRole(kind)), describedKind(hint)]
      .filter((one) => one.length > 0)
      .map((one) => keyOf(one, value))
      .find((key) => names.has(key));
    const name = found === undefined ? null : (names.get(found) ?? null);
    if (found === undefined || name === null || !hasTwin(names, found, name)) return name;
    const id = String(value);
    return { name: name.name, detail: name.detail === null ? id : `${name.detail}, ${id}` };
  };

/** True if another record of the kind has the same name and the same detail. */
function hasTwin(names: Names, own: string, { name, detail }: RecordName): boolean {
  const kindIn = (key: string): string => key.slice(0, key.lastIndexOf(' '));
  for (const [key, other] of names)
    if (key !== own && other?.name === name && other.detail === detail && kindIn(key) === kindIn(own))
      return true;
  return false;
}

const kindFromHint = (kind: readonly string[], { tool }: ArgumentHint): string[] =>
  kind.length === 0 && tool !== undefined ? nounOfTool(tool) : [];

/** `The ticket that ends` describes a ticket. */
const describedKind = ({ description = '' }: ArgumentHint): string[] => {
  const noun = /^(?:The|Only (?:of )?this) (\p{L}+)(?: (?:that|who|to|which)\b|[.,;(]|$)/u.exec(
    description,
  )?.[1];
  return noun === undefined ? [] : [singularOf(noun.toLowerCase())];
};

const keyOf = (kind: readonly string[], id: unknown): string => `${kind.join(' ')} ${String(id)}`;

const sameName = (a: RecordName | null, b: RecordName): RecordName | null =>
  a?.name === b.name ? { name: a.name, detail: a.detail ?? b.detail } : null;

/** A later result may leave out what an earlier one said beside the name. */
const withDetail = (name: RecordName | null, before: RecordName | null | undefined): RecordName | null =>
  name !== null && name.detail === null && before?.name === name.name ? before : name;

type NamedRecord = RecordName & {
  key: string;
  /** The other records that the object points at, where the name is its own and may be one of theirs. */
  beside: string[];
};
type Place = { key: string | null; noun: readonly string[]; isTop: boolean };

const DEPTH_MAX = 12;
const OBJECTS_MAX = 5000;
/** Members that hold whatever was asked for, and say no kind. */
const CONTAINERS: ReadonlySet<string> = new Set(
  'data result results items item records rows response list values content objects output'.split(' '),
);

function namedRecordsIn({ tool, text }: ToolResult): NamedRecord[] {
  const found: NamedRecord[] = [];
  let count = 0;
  const visit = (value: unknown, place: Place, depth: number): void => {
    if (depth > DEPTH_MAX || count > OBJECTS_MAX) return;
    if (Array.isArray(value)) {
      for (const item of value) visit(item, place, depth + 1);
      return;
    }
    if (!isRecord(value)) return;
    count += 1;
    found.push(...namedRecords(value, place));
    const isWrapper = place.isTop && Object.values(value).filter(isNested).length === 1 && !hasId(value);
    for (const [key, member] of Object.entries(value)) {
      const isSame = isWrapper && CONTAINERS.has(key.toLowerCase());
      visit(member, isSame ? place : { key, noun: [], isTop: false }, depth + 1);
    }
  };
  visit(tryShortJson(text), { key: null, noun: nounOfTool(tool), isTop: true }, 0);
  return found;
}

const isNested = (value: unknown): boolean => Array.isArray(value) || isRecord(value);
const isId = (value: unknown): boolean => (typeof value === 'string' && value !== '') || isNumber(value);
const hasId = (value: Record<string, unknown>): boolean =>
  Object.keys(value).some((key) => kindOfId(key) !== null);

type IdMember = { kind: string[]; id: unknown };

function namedRecords(value: Record<string, unknown>, place: Place): NamedRecord[] {
  const ids = Object.entries(value).flatMap(([key, id]): IdMember[] => {
    const kind = kindOfId(key);
    return kind === null || !isId(id) ? [] : [{ kind, id }];
  });
  const texts = new Map(
    Object.entries(value).flatMap(([key, text]): [string, string][] =>
      typeof text === 'string' && text.trim() !== '' ? [[wordsOf(key).join(' '), text.trim()]] : [],
    ),
  );
  const paired = ids.flatMap(({ kind, id }) => {
    const name = kind.length === 0 ? undefined : pairedName(kind, texts);
    return name === undefined || name === String(id) ? [] : [{ kind, id, name, detail: null }];
  });
  const own = ownRecord(ids, texts, place, paired);
  const keys = ids.map(({ kind, id }) => keyOf(kind, id));
  return [...(own === null ? [] : [own]), ...paired].map((one) => {
    const { kind, id, name, detail } = one;
    const key = keyOf(kind, id);
    return { key, name, detail, beside: one === own ? keys.filter((other) => other !== key) : [] };
  });
}

/** `owner_name` beside `owner_id`, or a text `owner`. */
const pairedName = (kind: readonly string[], texts: ReadonlyMap<string, string>): string | undefined =>
  ['name', 'title', 'full name', 'display name', 'subject', 'label', '']
    .map((suffix) => texts.get([...kind, ...(suffix === '' ? [] : [suffix])].join(' ')))
    .find((name) => name !== undefined);

const NAME_MEMBERS = ['name', 'title', 'display name', 'subject', 'label', 'number', 'memo', 'code'];
const PERSON_MEMBERS = ['full name'];
const DETAIL_MEMBERS =
  'folder,finish,variant,city,department,job title,email,app,category,kind,type,location,country'.split(',');
const DETAIL_LENGTH_MAX = 60;

/** Records that rarely have a name of their own: one beside other ids is one of those records. */
const NAMELESS: ReadonlySet<string> = new Set(
  'absence assignment attendance booking comment enrollment enrolment entry escalation event item like line log membership message note order participant payment permission rating record refund registration reply reservation return review run shipment subscription transaction transfer vote'.split(
    ' ',
  ),
);
/** Names that only such a record itself has. */
const NUMBER_MEMBERS: ReadonlySet<string> = new Set(['number', 'memo', 'code']);
const PEOPLE: ReadonlySet<string> = new Set(
  'admin agent applicant assignee attendee author candidate contact customer doctor driver employee guest instructor manager member owner passenger patient person player professor staff student teacher user'.split(
    ' ',
  ),
);

type Own = IdMember & RecordName;

/** The record that an object is about: by `id`, or by the id named as the member it stands in, or as its tool. */
function ownRecord(
  ids: readonly IdMember[],
  texts: ReadonlyMap<string, string>,
  { key, noun, isTop }: Place,
  paired: readonly Own[],
): Own | null {
  const [first] = ids;
  if (first === undefined) return null;
  const place = key === null ? [...noun] : singularWords(wordsOf(key));
  const kind = first.kind.length === 0 ? place : first.kind;
  if (kind.length === 0) return null;
  const isOwn =
    first.kind.length === 0 ||
    endsWith(place, kind) ||
    endsWith(kind, place) ||
    (isTop && startsWith(place, kind));
  if (!isOwn) return null;
  const last = kind.at(-1) ?? '';
  const others = ids.slice(1).filter((one) => !paired.some((pair) => pair.kind === one.kind));
  const members = [...NAME_MEMBERS, ...(PEOPLE.has(last) || ids.length === 1 ? PERSON_MEMBERS : [])];
  const member = members.find((name) => texts.has(name));
  if (member === undefined) return null;
  if (NAMELESS.has(last) && others.length > 0 && !NUMBER_MEMBERS.has(member)) return null;
  const name = texts.get(member) ?? '';
  const detail = DETAIL_MEMBERS.map((one) => texts.get(one)).find(
    (text) => text !== undefined && text !== name && text.length <= DETAIL_LENGTH_MAX,
  );
  return {
    kind,
    id: first.id,
    name,
    detail: detail ?? paired.find((one) => one.kind !== kind)?.name ?? null,
  };
}

const endsWith = (words: readonly string[], end: readonly string[]): boolean =>
  end.length > 0 && end.length <= words.length && end.every((word, at) => words.at(at - end.length) === word);
const startsWith = (words: readonly string[], start: readonly string[]): boolean =>
  start.every((word, at) => words[at] === word);

/**
 * The result of a turn that the agent itself was shown. What a person wrote in place of a result is none, and one that
 * lies beside the log is too long to be read here.
 */
export function shownResult({ call }: Turn): ToolResult | null {
  const returned = call?.returned ?? null;
  if (call === null || returned === null) return null;
  const { text, error } = returned;
  if (text === null || isBlobRef(text) || error !== null) return null;
  return { tool: call.sent?.toolName ?? call.toolName, text };
}

export const namesOfRecord = ({ turns }: Pick<EpisodeRecord, 'turns'>, before = Infinity): Names =>
  collectNames(turns.flatMap((turn) => (turn.turn < before ? (shownResult(turn) ?? []) : [])));
