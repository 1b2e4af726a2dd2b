// Remembers every row in about fifty bytes of typed columns while the rows themselves lie in a file.
import type { ExportReport } from '../../../shared/contract/export.ts';
import { splitName, type Split } from './dataFiles.ts';

type NumberColumn = Uint32Array | Float64Array | Int32Array | Uint8Array;

/** Why a row is left out after all were seen; `kept` rows are written. */
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

export type Totals = {
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
