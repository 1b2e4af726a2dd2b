// The files of an export that rows, events and feedback are written to: one of rows per split. Rows are kept aside until all
// are seen, then written to where they are to lie.
import { hash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { ExportRules } from '../../../shared/contract/export.ts';
import { withTexts } from '../../../shared/events/text.ts';
import { isRecord, parseJson, tryExactJson } from '../../../shared/json.ts';
import { redactJson } from '../../../shared/redact/redact.ts';
import type { EventLog } from '../../log/eventLog.ts';
import type { LongTexts } from '../../log/longTexts.ts';
import { BUNDLE, BUNDLE_VERSION } from '../import/eventBundle.ts';
import {
  keptEpisodes,
  type CollectedRows,
  type RowSink,
  SPLITS,
  splitName,
  type Split,
} from './collectedRows.ts';
import { type FolderStage, sumOfFile } from './folderStage.ts';
import type { Format, MadeRow } from './format.ts';
import { humanFeedback } from './formats/humanFeedback.ts';
import { jsonLine, openLineWriter, type FileSum, type LineWriter } from './lineWriter.ts';
import { type LoadedEpisode, loadEpisode, type ReadRequest } from './loadEpisode.ts';
import { outcomeFields } from './outcomes.ts';
import type { YieldToOthers } from './pace.ts';
import { writeTable } from './parquet.ts';
import { FORBIDDEN_FIELDS, holdsKey, withoutKeys } from './preflight/privacy.ts';

/** True if the rows themselves, or the lines they are made of, do not say which episode they come from. */
export const lacksPlace = ({ columns, cardColumns }: Pick<Format, 'columns' | 'cardColumns'>): boolean =>
  !((columns ?? cardColumns)?.some(({ name }) => name === 'episode') ?? false);

/**
 * The files beside the rows, if they are not just that. Where what an expert said is taken out of the rows it does not
 * come along in whole beside them.
 */
export const hasSideFiles = (
  { id }: Pick<Format, 'id'>,
  { privilege }: Pick<ExportRules, 'privilege'>,
): { feedback: boolean; events: boolean } => ({
  feedback: id !== 'human_feedback',
  events: id !== 'events' && privilege !== 'strip',
});

/** A row's place: its split, and its number there. */
type RowAt = { isValidation: boolean; number: number };

type ExportOutput = {
  bytes: (bytes: Uint8Array, isValidation: boolean) => void;
  /** Where this row comes from, as the fields of an object. */
  place: (fields: string, at: RowAt) => void;
  /** What lies beside the rows of an episode that gave some. */
  episode: (read: LoadedEpisode) => void;
  /** Closes every file; by name, what is in each. */
  close: () => Map<string, FileSum>;
};

type OutputDependencies = {
  log: EventLog;
  stage: FolderStage;
  format: Format;
  rules: ExportRules;
  files: Files;
};

export function openOutput({ log, stage, format, rules, files }: OutputDependencies): ExportOutput {
  const open = new Map<string, LineWriter>();
  const lines = (name: string): LineWriter => {
    const known = open.get(name);
    if (known !== undefined) return known;
    const made = openLineWriter(stage.path(name));
    open.set(name, made);
    return made;
  };
  // A set without rows still has a file to be read from.
  if (files === 'jsonl') lines(dataName(format, 'train', files));
  const { feedback, events } = hasSideFiles(format, rules);
  if (feedback) lines('feedback.jsonl');
  if (events) lines('events.jsonl').add(bundleHead());
  if (lacksPlace(format)) lines('provenance.jsonl');
  const data = (isValidation: boolean): string => dataName(format, splitName(isValidation), files);
  return {
    bytes: (bytes, isValidation) => lines(data(isValidation)).addBytes(bytes),
    place: (fields, at) => {
      const file = data(at.isValidation);
      lines('provenance.jsonl').add(
        `{"file":${JSON.stringify(file)},"row":${String(at.number)},${fields.slice(1)}`,
      );
    },
    episode: (read) => {
      if (feedback)
        for (const { row } of humanFeedback.rows(read, rules).rows)
          lines('feedback.jsonl').add(jsonLine(row));
      if (events) addEvents(log.texts, read, lines('events.jsonl'));
    },
    close: () => new Map([...open].map(([name, one]) => [name, one.close()])),
  };
}

/** A row's source, for formats that have no room for it. */
const placeFields = ({ facts }: MadeRow, episode: string): string =>
  jsonLine({
    episode,
    scenario: facts.task[0],
    task_idx: facts.task[1],
    n: facts.n ?? -1,
    turn: facts.turn ?? -1,
    consultation: facts.consultation ?? '',
    actor: facts.actor,
    privilege:
      facts.privilege === 'unknown'
        ? 'unknown'
        : facts.privilege.length === 0
          ? 'none'
          : facts.privilege.join('+'),
    ...(facts.sides === undefined ? {} : outcomeFields(facts.sides)),
  });

/** The mark of something left out. */
const LEFT_OUT = '[left out]';
/** Of resets, frames and addresses: fields whose values are nobody's business elsewhere. */
const HIDDEN: ReadonlySet<string> = new Set([...FORBIDDEN_FIELDS, 'llm_base_url']);
const HIDES = new RegExp([...HIDDEN].join('|'));

/** The first line of a bundle, which an import recognises it by. */
export const bundleHead = (): string => JSON.stringify({ type: BUNDLE, v: BUNDLE_VERSION });

/** Adds the events of an episode as they lie in the log. */
function addEvents(
  texts: Pick<LongTexts, 'loadText'>,
  { rows, record }: LoadedEpisode,
  lines: Pick<LineWriter, 'add'>,
): void {
  const id = JSON.stringify(record.id);
  for (const { n, at, actor, body } of rows) {
    const said = shownBody(texts, body);
    const event = holdsKey(said) ? withoutKeys(said, LEFT_OUT) : said;
    lines.add(`{"episode":${id},"n":${String(n)},"at":${String(at)},"actor":${actor},"event":${event}}`);
  }
}

/** The JSON of an event, its long texts whole, without what names a key or a place by its field. */
export const shownBody = (texts: Pick<LongTexts, 'loadText'>, body: string): string =>
  CHANGES.test(body)
    ? JSON.stringify(publishableEvent(texts, parseJson(body) as Record<string, unknown>))
    : body;

/** Fields kept elsewhere, or perhaps left out: a body without any of them goes as it is. */
const CHANGES = new RegExp(
  ['"\\$blob"', '"kind":"episode\\.started"', '"kind":"environment\\.reset"', ...HIDDEN].join('|'),
);

function publishableEvent(texts: Pick<LongTexts, 'loadText'>, event: Record<string, unknown>): unknown {
  const fullEvent = withTexts(event, (text) => texts.loadText(text)) as Record<string, unknown>;
  if (fullEvent['kind'] === 'environment.reset') {
    return withoutHidden({ ...fullEvent, request: redactJson(fullEvent['request']) });
  }
  const environment = fullEvent['environment'];
  if (fullEvent['kind'] === 'episode.started' && typeof environment === 'object' && environment !== null) {
    return withoutHidden({ ...fullEvent, environment: withoutUrl(environment) });
  }
  return withoutHidden(fullEvent);
}

/** An import has no address to hide. */
const withoutUrl = (environment: object): object =>
  'url' in environment && environment.url === '' ? environment : { ...environment, url: LEFT_OUT };

/** Walks into texts that are JSON themselves, as frames are. */
function withoutHidden(value: unknown): unknown {
  if (typeof value === 'string') return HIDES.test(value) ? frameWithout(value) : value;
  if (Array.isArray(value)) return value.map(withoutHidden);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      HIDDEN.has(key) && inner !== null ? LEFT_OUT : withoutHidden(inner),
    ]),
  );
}

function frameWithout(text: string): string {
  const parsed = tryExactJson(text);
  return typeof parsed === 'object' && parsed !== null ? JSON.stringify(withoutHidden(parsed)) : text;
}

type RowSpool = {
  sink: RowSink;
  rows: string;
  /** Where each row comes from, for formats that have no room for it; null where the rows say so themselves. */
  places: { path: string; bytes: readonly number[] } | null;
  close: () => void;
};

export function openSpool(stage: FolderStage, format: Format): RowSpool {
  const rows = stage.scratch('rows');
  const out = openLineWriter(rows);
  const places = lacksPlace(format) ? { path: stage.scratch('places'), bytes: [] as number[] } : null;
  const placesOut = places === null ? null : openLineWriter(places.path);
  return {
    rows,
    places,
    sink: (line, made, episode) => {
      if (placesOut !== null) places?.bytes.push(placesOut.add(placeFields(made, episode)));
      return out.add(line);
    },
    close: () => {
      out.close();
      placesOut?.close();
    },
  };
}

type SpoolReplay = ReadRequest & {
  stage: FolderStage;
  spool: RowSpool;
  collected: CollectedRows;
  format: Format;
  files: 'jsonl' | 'parquet';
  pace: YieldToOthers;
};

/** Sends what is kept on to where it is to lie. */
export async function replay(replaying: SpoolReplay, output: ExportOutput): Promise<void> {
  const { spool, collected, pace, files } = replaying;
  for (const split of SPLITS) {
    if (files === 'parquet') await tabulate(replaying, split);
    else {
      for (const piece of readRanges(spool.rows, keptLines(collected, split))) {
        output.bytes(piece, split === 'validation');
        await pace();
      }
    }
  }
  await replayPlaces(replaying, output);
  for (const episode of keptEpisodes(collected)) {
    output.episode(loadEpisode(replaying, collected.episodes[episode] ?? ''));
    await pace();
  }
}

async function tabulate({ stage, spool, collected, format, pace }: SpoolReplay, split: Split): Promise<void> {
  if (split === 'validation' && collected.totals.validation === 0) return;
  const { columns } = format;
  if (columns === null) throw new Error(`${format.id} has no columns`);
  const path = stage.path(dataName(format, split, 'parquet'));
  await writeTable(path, columns, rowsIn(spool.rows, keptLines(collected, split), pace));
}

async function* rowsIn(
  path: string,
  wanted: Iterable<ByteRange>,
  pace: YieldToOthers,
): AsyncGenerator<Record<string, unknown>> {
  for await (const line of linesIn(path, wanted)) {
    await pace();
    yield parseJson(line) as Record<string, unknown>;
  }
}

/** Made where it is read at once: what comes before somebody listens is lost. */
const linesIn = (path: string, wanted: Iterable<ByteRange>): AsyncIterable<string> =>
  createInterface({ input: Readable.from(readRanges(path, wanted)), crlfDelay: Infinity });

async function replayPlaces({ spool, collected, pace }: SpoolReplay, output: ExportOutput): Promise<void> {
  const { places } = spool;
  if (places === null) return;
  const numbers = { train: 0, validation: 0 };
  let row = 0;
  for await (const line of linesIn(places.path, [all(places.bytes)])) {
    const { isValidation } = collected.index.at(row);
    const split = splitName(isValidation);
    if (collected.index.fate(row) === 'kept') {
      output.place(line, { isValidation, number: numbers[split] });
      numbers[split] += 1;
    }
    row += 1;
    await pace();
  }
}

const all = (bytes: readonly number[]): ByteRange => ({
  from: 0,
  bytes: bytes.reduce((sum, one) => sum + one, 0),
});

/** Byte ranges of a split's lines. */
function* keptLines({ index }: CollectedRows, split: Split): Generator<ByteRange> {
  let from = 0;
  for (let row = 0; row < index.size(); row += 1) {
    const { bytes, isValidation } = index.at(row);
    if (splitName(isValidation) === split && index.fate(row) === 'kept') yield { from, bytes };
    from += bytes;
  }
}

type ByteRange = { from: number; bytes: number };
const READ_CHUNK_BYTES = 1 << 20;

/** Stretches of a file, those side by side read together, a piece at a time. */
function* readRanges(path: string, wanted: Iterable<ByteRange>): Generator<Buffer> {
  const file = openSync(path, 'r');
  try {
    for (const { from, bytes } of joinRanges(wanted)) {
      for (let at = 0; at < bytes;) {
        const buffer = Buffer.allocUnsafe(Math.min(READ_CHUNK_BYTES, bytes - at));
        const read = readSync(file, buffer, 0, buffer.length, from + at);
        if (read === 0) throw new Error(`${path} ended early`);
        yield buffer.subarray(0, read);
        at += read;
      }
    }
  } finally {
    closeSync(file);
  }
}

function* joinRanges(wanted: Iterable<ByteRange>): Generator<ByteRange> {
  let open: ByteRange | null = null;
  for (const { from, bytes } of wanted) {
    if (open !== null && open.from + open.bytes === from) open.bytes += bytes;
    else {
      if (open !== null) yield open;
      open = { from, bytes };
    }
  }
  if (open !== null) yield open;
}

export type Files = 'jsonl' | 'parquet';
const dataName = ({ id }: Pick<Format, 'id'>, split: Split, files: Files): string =>
  `data/${id}-${split}.${files}`;

/** A split's rows. */
export type SplitData = { split: Split; path: string; sha256: string; rows: number };

type WrittenSplits = {
  stage: FolderStage;
  format: Format;
  files: Files;
  totals: Readonly<Record<Split, number>>;
  known: ReadonlyMap<string, FileSum>;
};

/** The data of each split. */
export function describeData({ stage, format, files, totals, known }: WrittenSplits): SplitData[] {
  return SPLITS.flatMap((split): SplitData[] => {
    const rows = totals[split];
    if (rows === 0 && split === 'validation') return [];
    const path = dataName(format, split, files);
    const { sha256 } = known.get(path) ?? sumOfFile(stage.path(''), path);
    return [{ split, rows, path, sha256 }];
  });
}

/**
 * One hash for everything under `data/`, as `grep '  data/' CHECKSUMS | sha256sum` computes it. `datasets` keys its cache
 * for a local folder by the card's `configs` and `dataset_info` alone (`load.py`, `LocalDatasetModuleFactory`): without
 * this in one of them, a folder that was exported again loads the earlier rows.
 */
export function contentHash(data: readonly SplitData[], known: ReadonlyMap<string, FileSum>): string {
  const sums = new Map([...known].map(([name, { sha256 }]) => [name, sha256]));
  for (const { path, sha256 } of data) sums.set(path, sha256);
  const lines = [...sums]
    .filter(([name]) => name.startsWith('data/'))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, sha256]) => `${sha256}  ${name}\n`);
  return hash('sha256', lines.join(''), 'hex');
}
