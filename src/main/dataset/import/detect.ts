// Owns: telling by its content which format a file is in. Its name says nothing.
import type { ImportFormat } from '../../../shared/events/import.ts';
import { utf8Chunks, type Chunks } from './bytes.ts';
import { createNotes } from './notes.ts';
import { BUNDLE } from './ownEvents.ts';
import { isFields, own, type Fields } from './values.ts';
import { createWalk, type Path, type Wish } from './walk.ts';

export type Detected = { format: ImportFormat; isArchive: boolean };

/** How much of a single value is looked at. */
const PEEK_BYTES = 1024 * 1024;
/** Members of a document whose first item tells formats apart. */
const LISTS: ReadonlySet<string> = new Set([
  'trajectory',
  'steps',
  'messages',
  'conversations',
  'attempts',
  'history',
  'samples',
]);

/** The format of a file, or null when it is none that is read here. Reads no more of it than it must. */
export async function detect(raw: Chunks): Promise<Detected | null> {
  const seen: Seen = { keys: new Map(), first: new Map(), isList: false };
  const notes = createNotes();
  const walk = createWalk({
    wish: (path) => wishOf(path, seen),
    onDropped: () => undefined,
    valueMax: PEEK_BYTES,
  });
  let isFirst = true;
  for await (const chunk of utf8Chunks(raw, notes)) {
    if (isFirst && chunk.length > 0) {
      isFirst = false;
      if (isZip(chunk)) return { format: 'inspect', isArchive: true };
      const line = lineFormat(chunk);
      if (line !== null) return { format: line, isArchive: false };
    }
    for (const { path, bytes } of walk.push(chunk)) learn(seen, path, bytes);
    const early = earlyFormat(seen);
    if (early !== null) return { format: early, isArchive: false };
    if (walk.end()?.code === 'broken_json') break;
  }
  const format = formatOf(seen);
  return format === null ? null : { format, isArchive: false };
}

const isZip = (head: Buffer): boolean =>
  head.length >= 4 && [0x504b0304, 0x504b0506].includes(head.readUInt32BE(0));

type Seen = { keys: Map<string, unknown>; first: Map<string, unknown>; isList: boolean };

/** Looks at the members of the document, and into the first item of the lists that matter. */
function wishOf(path: Path, seen: Seen): Wish {
  if (path.length === 0) return 'into';
  if (typeof path[0] === 'number') {
    seen.isList = true;
    return path.length === 1 && path[0] === 0 ? 'take' : 'skip';
  }
  const name = String(path[0]);
  if (path.length === 1) {
    if (!seen.keys.has(name)) seen.keys.set(name, undefined);
    return LISTS.has(name) ? 'into' : 'take';
  }
  return path.length === 2 && path[1] === 0 ? 'take' : 'skip';
}

function learn(seen: Seen, path: Path, bytes: Buffer): void {
  const value = peek(bytes.toString('utf8'));
  if (typeof path[0] === 'number') {
    if (isFields(value)) for (const [key, item] of Object.entries(value)) learnKey(seen, key, item);
  } else if (path.length === 1) seen.keys.set(String(path[0]), value);
  else seen.first.set(String(path[0]), value);
}

function learnKey(seen: Seen, key: string, item: unknown): void {
  seen.keys.set(key, item);
  if (Array.isArray(item)) seen.first.set(key, (item as unknown[])[0]);
}

function peek(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Formats of lines: the first lines that are documents by themselves say which. */
function lineFormat(head: Buffer): ImportFormat | null {
  const text = head.subarray(0, PEEK_BYTES).toString('utf8');
  const lines = text.split('\n', 50);
  for (const line of lines) {
    const row = line.trimStart().startsWith('{') ? peek(line) : undefined;
    if (!isFields(row)) continue;
    const format = rowFormat(row);
    if (format !== null) return format;
  }
  return null;
}

function rowFormat(row: Fields): ImportFormat | null {
  const type = row['type'];
  if (type === BUNDLE) return 'interject_events';
  if (type === 'session' || (type === 'message' && isFields(row['message']))) return 'hf_session';
  const seen: Seen = { keys: new Map(), first: new Map(), isList: false };
  for (const [key, item] of Object.entries(row)) learnKey(seen, key, item);
  return formatOf(seen);
}

/** What is beyond doubt before the whole document was seen. */
function earlyFormat({ keys, first, isList }: Seen): ImportFormat | null {
  const version = keys.get('schema_version');
  if (typeof version === 'string' && version.startsWith('ATIF-v')) return 'atif';
  const mini = keys.get('trajectory_format');
  if (typeof mini === 'string' && mini.startsWith('mini-swe-agent')) return 'mini_swe_agent';
  if (isList) return null;
  if (isFields(keys.get('eval')) && (keys.has('plan') || keys.has('samples'))) return 'inspect';
  const step = first.get('trajectory');
  if (isFields(step) && typeof step['action'] === 'string' && 'observation' in step && 'response' in step)
    return 'swe_agent';
  if (isFields(step) && 'iteration' in step) return 'snowflake_run';
  return null;
}

function formatOf(seen: Seen): ImportFormat | null {
  const { keys, first } = seen;
  const early = earlyFormat(seen);
  if (early !== null) return early;
  const has = (...names: string[]): boolean => names.every((name) => keys.has(name));
  const item = first.get('trajectory');
  if (has('trajectory', 'history') || has('attempts', 'info') || has('history', 'info')) return 'swe_agent';
  if (has('trajectory') && typeof own(item, 'action') === 'string' && 'observation' in (item as Fields))
    return 'swe_agent';
  if (has('task_id', 'trajectory', 'messages')) return 'snowflake_run';
  if (
    has('trajectory', 'task_idx') &&
    (typeof keys.get('steps') === 'number' || typeof own(item, 'action') === 'string')
  )
    return 'awm_trajectory';
  if (has('steps') && isFields(own(first.get('steps'), 'action'))) return 'echo_fixture';
  if (has('episode_id', 'messages') && (has('tool_trace') || has('verify_metrics'))) return 'openenv_collect';
  if (has('version', 'eval')) return 'inspect';
  if (isTurns(first.get('history'))) return 'swe_agent';
  const isChat =
    isTurns(first.get('messages')) ||
    isTurns(first.get('conversations')) ||
    isTurns(first.get('conversation'));
  const hasPair = has('chosen', 'rejected') || (has('input') && has('preferred_output'));
  return isChat || hasPair || (has('prompt') && has('completion')) ? 'chat' : null;
}

const isTurns = (message: unknown): boolean =>
  isFields(message) &&
  ('role' in message || 'from' in message) &&
  ('content' in message || 'value' in message || 'tool_calls' in message);
