// The rows of an export: every row in about fifty bytes of typed columns, while the rows themselves lie in a file, and
// what was counted on the way.
import type { ExportReport, ExportRules } from '../../../shared/contract/export.ts';
import { kindOf } from '../../../shared/environmentKinds.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import type { EventLog } from '../../log/eventLog.ts';
import type { Format, MadeRow } from './format.ts';
import type { ReadRequest, Reviews } from './loadEpisode.ts';
import type { YieldToOthers } from './pace.ts';
import type { EventMarks } from './preflight/privacy.ts';
import type { Signature } from './preflight/nearTasks.ts';

export const SPLITS = ['train', 'validation'] as const;
export type Split = (typeof SPLITS)[number];
export const splitName = (isValidation: boolean): Split => (isValidation ? 'validation' : 'train');

type NumberColumn = Uint32Array | Float64Array | Int32Array | Uint8Array;

/** A row's fate after all were seen; `kept` rows are written. */
const ROW_FATES = ['kept', 'cap_per_task', 'duplicate', 'contradicted'] as const;
type RowFate = (typeof ROW_FATES)[number];

type RowLine = {
  /** Places in the lists of episodes, tasks and labels. */
  episode: number;
  task: number;
  label: number;
  /** Which of the rows its episode made. */
  nth: number;
  /** The event to jump to; -1 for none. */
  n: number;
  isValidation: boolean;
  /** Whose author had seen something of the answer, or nobody knows: a rule may leave it out. */
  isPrivileged: boolean;
  tokens: number;
  /** A bit for each check that found something. */
  found: number;
  /** A bit for each column that has no value. */
  nulls: number;
  /** Orders rows without regard to when they came. */
  lot: number;
  bytes: number;
};

export type RowIndex = {
  add: (line: RowLine) => void;
  size: () => number;
  at: (row: number) => RowLine;
  fate: (row: number) => RowFate;
  leaveOut: (row: number, fate: Exclude<RowFate, 'kept'>) => void;
  /** Rows that are kept, in order. */
  kept: () => Generator<number>;
};

const INITIAL_ROWS = 1024;

function column<N extends NumberColumn>(make: new (size: number) => N) {
  let values = new make(INITIAL_ROWS);
  return {
    set: (at: number, value: number): void => {
      if (at >= values.length) {
        const grown = new make(values.length * 2);
        grown.set(values);
        values = grown;
      }
      values[at] = value;
    },
    get: (at: number): number => values[at] ?? 0,
  };
}

export function createRowIndex(): RowIndex {
  const columns = {
    episode: column(Uint32Array),
    task: column(Uint32Array),
    label: column(Uint32Array),
    nth: column(Uint32Array),
    n: column(Int32Array),
    tokens: column(Uint32Array),
    found: column(Uint32Array),
    nulls: column(Uint32Array),
    lot: column(Float64Array),
    bytes: column(Uint32Array),
  } as const;
  const names = Object.keys(columns) as (keyof typeof columns)[];
  const validation = column(Uint8Array);
  const privileged = column(Uint8Array);
  const fates = column(Uint8Array);
  let size = 0;
  return {
    add: (line) => {
      for (const name of names) columns[name].set(size, line[name]);
      validation.set(size, Number(line.isValidation));
      privileged.set(size, Number(line.isPrivileged));
      fates.set(size, 0);
      size += 1;
    },
    size: () => size,
    at: (row) => ({
      episode: columns.episode.get(row),
      task: columns.task.get(row),
      label: columns.label.get(row),
      nth: columns.nth.get(row),
      n: columns.n.get(row),
      isValidation: validation.get(row) === 1,
      isPrivileged: privileged.get(row) === 1,
      tokens: columns.tokens.get(row),
      found: columns.found.get(row),
      nulls: columns.nulls.get(row),
      lot: columns.lot.get(row),
      bytes: columns.bytes.get(row),
    }),
    fate: (row) => ROW_FATES[fates.get(row)] ?? 'kept',
    leaveOut: (row, fate) => fates.set(row, ROW_FATES.indexOf(fate)),
    *kept() {
      for (let row = 0; row < size; row += 1) if (fates.get(row) === 0) yield row;
    },
  };
}

type Totals = {
  rows: number;
  train: number;
  validation: number;
  /** Rows whose author had seen something of the answer, or nobody knows. */
  privileged: number;
  /** Episodes that gave rows. */
  episodes: number;
  bytes: number;
  classes: Record<string, number>;
  /** The same on each side of the split. */
  sides: Record<Split, Record<string, number>>;
  tokens: ExportReport['tokens'];
  duplicates: number;
};

export function totalsOf({
  index,
  labels,
  duplicates,
}: {
  index: RowIndex;
  labels: readonly string[];
  duplicates: number;
}): Totals {
  const sides: Totals['sides'] = { train: {}, validation: {} };
  const tokens: number[] = [];
  let [validation, privileged] = [0, 0];
  let bytes = 0;
  let episodes = 0;
  let last = -1;
  for (const row of index.kept()) {
    const at = index.at(row);
    tokens.push(at.tokens);
    bytes += at.bytes;
    if (at.isValidation) validation += 1;
    if (at.isPrivileged) privileged += 1;
    if (at.episode !== last) episodes += 1;
    last = at.episode;
    const label = labels[at.label] ?? '';
    if (label === '') continue;
    const side = sides[splitName(at.isValidation)];
    side[label] = (side[label] ?? 0) + 1;
  }
  const classes: Record<string, number> = { ...sides.train };
  for (const [label, count] of Object.entries(sides.validation))
    classes[label] = (classes[label] ?? 0) + count;
  tokens.sort((a, b) => a - b);
  const quantile = (share: number): number => tokens[Math.ceil((tokens.length - 1) * share)] ?? 0;
  return {
    rows: tokens.length,
    train: tokens.length - validation,
    validation,
    privileged,
    episodes,
    bytes,
    classes: sortedCounts(classes),
    sides: { train: sortedCounts(sides.train), validation: sortedCounts(sides.validation) },
    tokens: {
      total: tokens.reduce((sum, one) => sum + one, 0),
      median: quantile(0.5),
      p95: quantile(0.95),
      max: tokens.at(-1) ?? 0,
    },
    duplicates,
  };
}

/** The same counts in the order of their names, whatever came first. */
export const sortedCounts = (counts: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(Object.entries(counts).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** Takes a row as it is made; returns the bytes of its line, its end among them. What is left out later goes by its number. */
export type RowSink = (line: string, made: MadeRow, episode: string) => number;

export type CollectedRows = {
  index: RowIndex;
  episodes: string[];
  /** What was found in the events of each, where they are to lie beside the rows. */
  marks: EventMarks[];
  tasks: { key: string; signature: Signature | null }[];
  labels: string[];
  /** Keys of rows, as the bits of `nulls` count them. */
  keys: string[];
  dropped: Record<string, number>;
  /** Episodes that cannot be read. */
  damaged: string[];
  /** Rows that say the same as one before, whether they were left out or not. */
  duplicates: number;
  /** Rows that others contradict, whether they were left out or not. */
  contradicted: number[];
  /** Words of tasks that are held out, where an episode in the log tells them. */
  heldOut: Signature[];
  read: number;
  /** Chosen one by one, and not in the log. */
  unknown: string[];
  range: { from: number | null; to: number | null; last: { episode: string; n: number } | null };
  origins: Record<TaskOrigin, number>;
  hasPeople: boolean;
  totals: Totals;
};

export type CollectRequest = {
  log: EventLog;
  format: Format;
  rules: ExportRules;
  /** The log as it stands at this place; what comes later is not there. */
  untilSeq: number;
  pace: YieldToOthers;
  onEpisode: (done: number) => void;
  sink: RowSink | null;
  reviews: Reviews;
  completions?: ReadRequest['completions'];
};

/** Stands for no class among the labels. */
export const NO_LABEL = 0;

export const countOne = (counts: Record<string, number>, name: string): void => {
  counts[name] = (counts[name] ?? 0) + 1;
};
export const addAll = (counts: Record<string, number>, more: Readonly<Record<string, number>>): void => {
  for (const [name, number] of Object.entries(more)) counts[name] = (counts[name] ?? 0) + number;
};

/** The episodes that gave rows in the end, by their place in the list. */
export function keptEpisodes({ index }: Pick<CollectedRows, 'index'>): Set<number> {
  const kept = new Set<number>();
  for (const row of index.kept()) kept.add(index.at(row).episode);
  return kept;
}

export type TaskOrigin = 'builtin' | 'awm' | 'other';

/** Files that hold nothing but Agent World Model episodes. */
const AWM_FILES: ReadonlySet<string> = new Set(['awm_trajectory', 'snowflake_run', 'echo_fixture']);

export function taskOrigin({ started, reset, imported }: EpisodeRecord): TaskOrigin {
  if (imported !== null) return AWM_FILES.has(imported.format) ? 'awm' : 'other';
  if (started !== null && kindOf(started.environment).isPartOfProduct) return 'builtin';
  // A server that names scenario and task at reset speaks Agent World Model's dialect.
  return reset !== null && reset.scenario !== null && reset.task_idx !== null ? 'awm' : 'other';
}
