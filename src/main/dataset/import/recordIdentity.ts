// Tells records of files again: who a record is and what it says, as keyed hashes. Whoever has an export of the log cannot
// find out from them what was erased here.
import { createHmac, hash, randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import type { ImportFormat, RecordIdentity } from '../../../shared/events/import.ts';
import { isNumber } from '../../../shared/json.ts';
import { withTexts } from '../../../shared/events/text.ts';
import type { EventLog, TimedEntry } from '../../log/eventLog.ts';
import { originsOf } from '../origins.ts';
import type { ImportedEpisode } from './formatReader.ts';
import { firstValue } from './values.ts';

/** `stepHashes`: the hash of the record up to each of its steps, `STEP_HASH` characters each. */
export type ArrivingRecord = RecordIdentity & { stepHashes: string };

const STEP_HASH = 16;
const SECRET = 'record-secret/';

/** A secret of this log alone: it goes into its backups, and into no export. */
export function recordSecret(log: Pick<EventLog, 'marks' | 'keepMarks'>): string {
  const [known] = log.marks(SECRET);
  if (known !== undefined) return known.slice(SECRET.length);
  const made = randomBytes(32).toString('hex');
  log.keepMarks([{ name: SECRET + made, value: 1 }]);
  return made;
}

const OWN_IDS = [
  'uuid',
  'trajectory_id',
  'session_id',
  'conversation_id',
  'rollout_id',
  'episode_id',
  'episode',
];

/** By its own id where it has one, else by its file and its place in it; what is short is the id of one file only. */
function identityOf({ index, sources }: ImportedEpisode, format: ImportFormat, file: FilePlace): unknown[] {
  // Samples of Inspect are named like their tasks, in every run alike.
  const names = format === 'inspect' ? OWN_IDS : [...OWN_IDS, 'id'];
  const id = firstValue(sources[0]?.value, ...names);
  const place = file.isOurs === true ? file.name : resolve(file.path);
  if (typeof id !== 'string' && !isNumber(id)) return [format, place, index];
  const isShort = /^\d*$|^.{0,7}$/s.test(String(id));
  return isShort ? [format, place, 'id', id] : [format, id];
}

type FilePlace = { name: string; path: string; isOurs?: boolean };

/** `file`: where the record was read from. */
export function identify(
  read: ImportedEpisode,
  format: ImportFormat,
  { file, secret }: { file: FilePlace; secret: string },
): ArrivingRecord {
  const keyed = (value: unknown): string =>
    createHmac('sha256', secret).update(JSON.stringify(value)).digest('hex');
  const stepHashes = hashesOf(read.body, secret);
  const last = hashAfter(stepHashes, stepHashes.length / STEP_HASH);
  const { version, scenario, task_idx, model, protocol, condition, seed, repeat, trainer, startedAt } = read;
  const about = [version, scenario, task_idx, model, protocol, condition, seed, repeat, trainer, startedAt];
  return {
    identity: keyed(identityOf(read, format, file)),
    content: keyed([last, read.environment, about, read.tools, read.end, read.extra]),
    steps: stepHashes.length / STEP_HASH,
    last_step: last,
    stepHashes,
  };
}

function hashesOf(body: readonly TimedEntry[], secret: string): string {
  let last = '';
  let hashes = '';
  for (const step of stepsOf(body)) {
    last = hash('sha256', secret + last + JSON.stringify(step), 'hex').slice(0, STEP_HASH);
    hashes += last;
  }
  return hashes;
}

const FRAME: ReadonlySet<string> = new Set(['episode.started', 'episode.imported', 'tools.offered']);

/** The hashes of an episode that is here, made anew; other ones where its times were recorded in part. */
function hashesHere(log: RecordLog, episode: string, secret: string): string {
  const all = log.read(episode);
  const body = all.slice(
    0,
    all.findIndex(({ event }) => event.kind === 'episode.ended'),
  );
  const isTimed = !all.some(
    ({ event }) => event.kind === 'episode.imported' && event.not_recorded.includes('times'),
  );
  return hashesOf(
    body
      .filter(({ event }) => !FRAME.has(event.kind))
      .map(({ at, actor, event }) => ({ at: isTimed ? at : null, actor, event: asRead(event, log) })),
    secret,
  );
}

/** An event with its texts, its fields in the order in which an import writes them. */
function asRead(event: TimedEntry['event'], { texts }: RecordLog): TimedEntry['event'] {
  const whole = withTexts(event, (text) => texts.loadText(text)) as TimedEntry['event'];
  if (whole.kind !== 'turn.generated') return whole;
  const { stop_reason, latency_ms, marks, ...begun } = whole;
  return { ...begun, stop_reason, latency_ms, ...(marks === undefined ? {} : { marks }) };
}

/** The steps of a log that grows. What follows from a reply's own calls is there as soon as the reply is. */
function* stepsOf(body: readonly TimedEntry[]): Generator<unknown> {
  const replies = new Set<number>();
  for (const { at, event } of body) {
    if (event.kind === 'turn.generated') replies.add(event.turn);
    const isFurtherCall = event.kind === 'turn.generated' && event.reply_of !== undefined;
    if (isFurtherCall || (event.kind === 'move.proposed' && replies.has(event.turn))) continue;
    yield [at, event.kind === 'move.proposed' ? { ...event, sent: undefined } : event];
  }
}

/** The log's knowledge of a record that comes in, and its fate. */
export type RecordVerdict =
  | { is: 'new' | 'changed' | 'erased' }
  /** The episode is of the same record or of what became of it, or of its beginning. */
  | { is: 'known' | 'grown'; episode: string };

type RecordLog = Pick<EventLog, 'projections' | 'read' | 'texts'>;
type KnownRecord = { episode: string; record: RecordIdentity };

/** `isOther` tells the episodes that no other record of the same file is; `arriving` is one on its way in. */
export function judgeRecord(
  log: RecordLog,
  { identity, content, steps, last_step: last, stepHashes }: ArrivingRecord,
  isOther: (episode: string) => boolean,
  { arriving, secret }: { arriving: KnownRecord | undefined; secret: string },
): RecordVerdict {
  const { importedFrom, newestImports } = log.projections;
  const erased = new Set([identity, content].flatMap((key) => [...importedFrom(`erased/${key}`).values()]));
  const coming = arriving !== undefined && isOther(arriving.episode) ? [arriving] : [];
  const same =
    coming.find(({ record }) => record.content === content)?.episode ??
    [...importedFrom(identity + content).values()].find((one) => isOther(one) && !erased.has(one));
  if (same !== undefined) return { is: 'known', episode: same };
  if (erased.size > 0) return { is: 'erased' };
  const others = newestImports(identity)
    .filter(isOther)
    .flatMap((episode) =>
      originsOf(log, episode).flatMap(({ record }) => (record ? [{ episode, record }] : [])),
    );
  const versions = [...coming, ...others];
  const begun = versions
    .filter(({ record }) => record.steps < steps && hashAfter(stepHashes, record.steps) === record.last_step)
    .toSorted((a, b) => b.record.steps - a.record.steps)[0];
  if (begun !== undefined) return { is: 'grown', episode: begun.episode };
  const newer = others.find(
    ({ episode, record }) =>
      record.steps > steps && hashAfter(hashesHere(log, episode, secret), steps) === last,
  );
  if (newer !== undefined) return { is: 'known', episode: newer.episode };
  return { is: versions.length === 0 ? 'new' : 'changed' };
}

const hashAfter = (hashes: string, steps: number): string =>
  steps === 0 ? '' : hashes.slice((steps - 1) * STEP_HASH, steps * STEP_HASH);
