// Tells a file's format from its content; its name is not looked at.
import type { ImportFormat } from '../../../shared/events/import.ts';
import { tryJson } from '../../../shared/json.ts';
import { readAtif } from './atif.ts';
import { readAwm } from './awm.ts';
import { utf8Chunks, type Chunks } from './bytes.ts';
import { readChatFile } from './chat.ts';
import { readCollect } from './collect.ts';
import { readEcho } from './echo.ts';
import { BUNDLE, readOwn } from './eventBundle.ts';
import type { FormatReader } from './formatReader.ts';
import { createNotes, type Path } from './importNotes.ts';
import { readInspectJson, readInspectZip } from './inspect.ts';
import { readSessions } from './session.ts';
import { readSnowflake } from './snowflake.ts';
import { readMiniSwe, readSwe } from './swe.ts';
import { isJsonRecord, ownValue, type JsonRecord } from './values.ts';
import { createWalk, type Wish } from './walk.ts';

export type DetectedFormat = { format: ImportFormat; isArchive: boolean };

/** Bytes of a scalar that are looked at; of a longer one only its presence counts. */
const PEEK_BYTES = 1024 * 1024;
/** Documents, or lines, of which the first that is known says the format. */
const DOCUMENTS = 50;
/** Members of a document whose first item tells formats apart. */
const LISTS: ReadonlySet<string> = new Set([
  'trajectory',
  'steps',
  'messages',
  'conversations',
  'conversation',
  'attempts',
  'history',
  'samples',
]);
/** Members that tell it by what they hold; the others tell it by being there. */
const TELLING: ReadonlySet<string> = new Set([
  'schema_version',
  'trajectory_format',
  'eval',
  'type',
  'message',
]);

/** The format of a file, or null when it is none that is read here. Reads no more of it than it must. */
export async function detectFormat(raw: Chunks): Promise<DetectedFormat | null> {
  const look = createLook();
  let isFirst = true;
  for await (const chunk of utf8Chunks(raw, createNotes())) {
    if (isFirst && chunk.length > 0) {
      isFirst = false;
      if (isZip(chunk)) return { format: 'inspect', isArchive: true };
      const line = lineFormat(chunk);
      if (line !== null) return { format: line, isArchive: false };
    }
    const told = look.push(chunk);
    if (told.isOver) return detectedFormat(told.format);
  }
  return detectedFormat(look.end());
}

const detectedFormat = (format: ImportFormat | null): DetectedFormat | null =>
  format === null ? null : { format, isArchive: false };

type FormatProbe = {
  push(chunk: Buffer): { isOver: boolean; format: ImportFormat | null };
  end(): ImportFormat | null;
};

/** Looks at one document after the other, however long its values are: none is held longer than it tells something. */
function createLook(): FormatProbe {
  let seen = blank();
  let known: ImportFormat | null = null;
  const turnTo = (document: number): void => {
    if (document === seen.document) return;
    known ??= endFormat(seen);
    seen = { ...blank(), document };
  };
  const walk = createWalk({
    wish: ([document, ...path]) => {
      turnTo(Number(document));
      return wishOf(path, seen);
    },
    // Of what is entered only a text can be too long.
    onDropped: ({ path: [, ...path] }) => noteValue(seen, path, ''),
    isSequence: true,
    valueMax: PEEK_BYTES,
  });
  return {
    push: (chunk) => {
      for (const { path, bytes } of walk.push(chunk))
        if (path[0] === seen.document) noteValue(seen, path.slice(1), tryJson(bytes.toString('utf8')));
      const format = known ?? earlyFormat(seen);
      const isBroken = walk.end()?.code === 'broken_json';
      const isOver = format !== null || isBroken || seen.isPast || seen.document >= DOCUMENTS;
      return { isOver, format: format ?? (isOver ? endFormat(seen) : null) };
    },
    end: () => known ?? endFormat(seen),
  };
}

const isZip = (head: Buffer): boolean =>
  head.length >= 4 && [0x504b0304, 0x504b0506].includes(head.readUInt32BE(0));

type TopLevelKeys = {
  document: number;
  keys: Map<string, unknown>;
  first: Map<string, unknown>;
  isList: boolean;
  /** The first item of a list lies behind. */
  isPast: boolean;
};
const blank = (): TopLevelKeys => ({
  document: 0,
  keys: new Map(),
  first: new Map(),
  isList: false,
  isPast: false,
});

/** Looks at the members of a document, or of the first of a list, and into the first item of the lists that matter. */
function wishOf(path: Path, seen: TopLevelKeys): Wish {
  if (path.length === 0) return 'into';
  if (typeof path[0] === 'number') {
    seen.isList = true;
    if (path[0] === 0) return wishOfMember(path.slice(1), seen);
    seen.isPast = true;
    return 'skip';
  }
  return wishOfMember(path, seen);
}

function wishOfMember([key, item, field, inner]: Path, seen: TopLevelKeys): Wish {
  if (key === undefined) return 'into';
  if (typeof key === 'number') return 'skip';
  if (item === undefined) {
    seen.keys.set(key, undefined);
    return LISTS.has(key) || TELLING.has(key) ? 'into' : 'skip';
  }
  if (!LISTS.has(key)) {
    if (typeof item === 'string') seen.keys.set(key, {});
    return 'skip';
  }
  if (item !== 0) return 'skip';
  if (field === undefined) return 'into';
  if (typeof field === 'number') return 'skip';
  const first = seen.first.get(key);
  const fields = isJsonRecord(first) ? first : {};
  seen.first.set(key, fields);
  if (inner === undefined) fields[field] = undefined;
  else if (typeof inner === 'string') fields[field] = {};
  return inner === undefined ? 'into' : 'skip';
}

/** A value that is no object and no list. */
function noteValue(seen: TopLevelKeys, path: Path, value: unknown): void {
  const [key, item, field] = typeof path[0] === 'number' ? path.slice(1) : path;
  if (typeof key !== 'string') return;
  if (item === undefined) seen.keys.set(key, value);
  else if (field === undefined) seen.first.set(key, value);
  else {
    const first = seen.first.get(key);
    if (isJsonRecord(first)) first[String(field)] = value;
  }
}

function learnKey(seen: TopLevelKeys, key: string, item: unknown): void {
  seen.keys.set(key, item);
  if (Array.isArray(item)) seen.first.set(key, (item as unknown[])[0]);
}

/** Formats of lines: the first lines that are documents by themselves say which. */
function lineFormat(head: Buffer): ImportFormat | null {
  const text = head.subarray(0, PEEK_BYTES).toString('utf8');
  const lines = text.split('\n', 50);
  for (const line of lines) {
    const row = line.trimStart().startsWith('{') ? tryJson(line) : undefined;
    if (!isJsonRecord(row)) continue;
    const format = rowFormat(row);
    if (format !== null) return format;
  }
  return null;
}

function rowFormat(row: JsonRecord): ImportFormat | null {
  const seen = blank();
  for (const [key, item] of Object.entries(row)) learnKey(seen, key, item);
  return endFormat(seen);
}

/** The format once all of a document, or a line, was seen. */
function endFormat(seen: TopLevelKeys): ImportFormat | null {
  const type = seen.isList ? undefined : seen.keys.get('type');
  if (type === BUNDLE) return 'interject_events';
  if (type === 'session' || (type === 'message' && isJsonRecord(seen.keys.get('message'))))
    return 'hf_session';
  return formatOfKeys(seen);
}

/** The format if it is beyond doubt before the end. */
function earlyFormat({ keys, first, isList }: TopLevelKeys): ImportFormat | null {
  const version = keys.get('schema_version');
  if (typeof version === 'string' && version.startsWith('ATIF-v')) return 'atif';
  const mini = keys.get('trajectory_format');
  if (typeof mini === 'string' && mini.startsWith('mini-swe-agent')) return 'mini_swe_agent';
  if (isList) return null;
  if (isJsonRecord(keys.get('eval')) && (keys.has('plan') || keys.has('samples'))) return 'inspect';
  const step = first.get('trajectory');
  if (isJsonRecord(step) && typeof step['action'] === 'string' && 'observation' in step && 'response' in step)
    return 'swe_agent';
  if (isJsonRecord(step) && 'iteration' in step) return 'snowflake_run';
  return null;
}

function formatOfKeys(seen: TopLevelKeys): ImportFormat | null {
  const { keys, first } = seen;
  const early = earlyFormat(seen);
  if (early !== null) return early;
  const has = (...names: string[]): boolean => names.every((name) => keys.has(name));
  const item = first.get('trajectory');
  if (has('trajectory', 'history') || has('attempts', 'info') || has('history', 'info')) return 'swe_agent';
  if (
    has('trajectory') &&
    typeof ownValue(item, 'action') === 'string' &&
    'observation' in (item as JsonRecord)
  )
    return 'swe_agent';
  if (has('task_id', 'trajectory', 'messages')) return 'snowflake_run';
  if (
    has('trajectory', 'task_idx') &&
    (typeof keys.get('steps') === 'number' || typeof ownValue(item, 'action') === 'string')
  )
    return 'awm_trajectory';
  if (has('steps') && isJsonRecord(ownValue(first.get('steps'), 'action'))) return 'echo_fixture';
  if (has('episode_id', 'messages') && (has('tool_trace') || has('verify_metrics'))) return 'openenv_collect';
  if (has('version', 'eval')) return 'inspect';
  if (isTurns(first.get('history'))) return 'swe_agent';
  const isChat =
    isTurns(first.get('messages')) ||
    isTurns(first.get('conversations')) ||
    isTurns(first.get('conversation'));
  const hasPair =
    has('chosen', 'rejected') || has('rejected_response') || (has('input') && has('preferred_output'));
  return isChat || hasPair || (has('prompt') && has('completion')) ? 'chat' : null;
}

const isTurns = (message: unknown): boolean =>
  isJsonRecord(message) &&
  ('role' in message || 'from' in message || 'type' in message) &&
  ['content', 'value', 'tool_calls', 'parts'].some((key) => key in message);

const READERS: Readonly<Record<ImportFormat, FormatReader>> = {
  awm_trajectory: readAwm,
  snowflake_run: readSnowflake,
  openenv_collect: readCollect,
  echo_fixture: readEcho,
  inspect: readInspectJson,
  atif: readAtif,
  swe_agent: readSwe,
  mini_swe_agent: readMiniSwe,
  chat: readChatFile,
  hf_session: readSessions,
  interject_events: readOwn,
};

export const readerOf = ({ format, isArchive }: DetectedFormat): FormatReader =>
  isArchive ? readInspectZip : READERS[format];
