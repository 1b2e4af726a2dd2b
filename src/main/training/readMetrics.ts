// A trainer's own log, told by its content: JSON lines, CSV, the state that TRL saves.
import { RUN_STEPS_MAX } from '../../shared/events/library.ts';
import { Failure } from '../../shared/failure.ts';
import { isRecord } from '../../shared/json.ts';
import type { RunSource, RunStep } from '../../shared/training/run.ts';
import { isMetricName, stepsOfMetrics, type MetricPoint } from './metricNames.ts';

/**
 * `unread`: what was not used of rows and values, in words, and then the names that are in no field. `isDamaged`: rows or
 * values were not used that a field is there for.
 */
type ReadMetrics = { source: RunSource; steps: RunStep[]; unread: string[]; isDamaged: boolean };

/** A row with its number in the file; undefined where its line is no JSON. */
type Row = { at: number; value: unknown };
type Points = { source: RunSource; points: MetricPoint[]; faults: string[] };

const STEP_NAMES = ['step', 'global_step', 'train/global_step', 'training_step', '_step'];

/** Throws `bad_input` where the file is none of them, or tells nothing by step. */
export function readMetrics(file: string, bytes: Uint8Array): ReadMetrics {
  const { source, points, faults: rows } = pointsIn(bytes);
  const { steps, unread, twice, faults: values, noNumber } = stepsOfMetrics(points);
  const faults = [...rows, ...faultTexts(values)];
  if (steps.length === 0) {
    throw new Failure('bad_input', `${file} tells nothing of a step that a training run has`, {
      next: nothingReadText(faults, unread),
    });
  }
  if (steps.length > RUN_STEPS_MAX) {
    throw new Failure(
      'bad_input',
      `${file} has ${String(steps.length)} steps, more than ${String(RUN_STEPS_MAX)}`,
    );
  }
  const earlier =
    twice.length === 0
      ? []
      : [`earlier values of ${numbered('step', twice)}, written twice: the last counts`];
  const gaps = [...noNumber].map(
    ([name, at]) =>
      `${name.slice(0, 100)} is NaN or Infinity ${at.length === 1 ? 'once' : `${String(at.length)} times`}: ${numbered('step', at)}`,
  );
  return {
    source,
    steps,
    isDamaged: faults.length > 0,
    unread: [...faults, ...earlier, ...gaps, ...uncounted(steps), ...unread].map((text) =>
      text.slice(0, 300),
    ),
  };
}

const nothingReadText = (faults: readonly string[], unread: readonly string[]): string =>
  faults.length > 0
    ? `Not used: ${faults.join('; ')}. Each line needs a whole number as \`step\` and numbers beside it.`
    : unread.length === 0
      ? 'Each line needs a field `step` and numbers beside it, such as `reward`.'
      : `It has ${unread.slice(0, 8).join(', ')}. Names that are read: docs/runs.md#reports.`;

/** A count of completions by itself is no share, and no figure of shares has it. */
function uncounted(steps: readonly RunStep[]): string[] {
  const bare = steps.filter(
    ({ completed, judged, completed_share: share }) =>
      completed !== null && judged === null && share === null,
  );
  if (bare.length === 0) return [];
  const at = bare.map(({ step }) => step);
  return [
    `completed without judged or rollouts beside it, so nothing says of how many: ${numbered('step', at)}`,
  ];
}

/** The same of rows that are there already, such as those a trainer posts. Rows that tell nothing give no step. */
export function readMetricRows(rows: readonly unknown[]): Pick<ReadMetrics, 'steps' | 'unread'> {
  const { steps, unread, faults } = stepsOfMetrics(rowPoints('row', rowsOf(rows)).points);
  return { steps, unread: [...faultTexts(faults), ...unread] };
}

const faultTexts = (faults: ReadonlyMap<string, readonly number[]>): string[] =>
  [...faults].map(([words, steps]) => `${words}: ${numbered('step', steps)}`);

/** The head of a file, to tell one that cannot be a trainer's log without reading it whole. */
const HEAD = 65_536;

/** False for what is no JSON and no CSV with a step among its columns. */
export function mayTellSteps(bytes: Uint8Array): boolean {
  const head = new TextDecoder()
    .decode(bytes.subarray(0, HEAD))
    .replace(/^\ufeff/, '')
    .trimStart();
  return head.startsWith('{') || head.startsWith('[') || hasStepColumn(head);
}

const hasStepColumn = (text: string): boolean =>
  columnsOf(text).some((name) => STEP_NAMES.includes(name.toLowerCase()));

/** Of CSV: the names in its first line. */
const columnsOf = (text: string): string[] =>
  (text.split('\n', 1)[0] ?? '').split(',').map((name) => name.trim().replace(/^"(.*)"$/, '$1'));

/** True if a row has a name that a field of a step has: a trainer's log, though it may have no step. */
export const namesMetrics = (bytes: Uint8Array): boolean =>
  rowsIn(bytes).rows.some(
    ({ value }) => isRecord(value) && flattened(value, '').some(({ name }) => isMetricName(name)),
  );

function pointsIn(bytes: Uint8Array): Points {
  const { source, word, rows } = rowsIn(bytes);
  return { source, ...rowPoints(word, rows) };
}

type Rows = { source: RunSource; word: 'row' | 'line'; rows: Row[] };

function rowsIn(bytes: Uint8Array): Rows {
  const text = new TextDecoder().decode(bytes).replace(/^\ufeff/, '');
  const start = text.trimStart()[0] ?? '';
  const whole = start === '{' || start === '[' ? parseJson(text) : undefined;
  if (isRecord(whole) && Array.isArray(whole['log_history'])) {
    return { source: 'trainer_state', word: 'row', rows: rowsOf(whole['log_history']) };
  }
  if (Array.isArray(whole)) return { source: 'jsonl', word: 'row', rows: rowsOf(whole) };
  if (start === '{') return { source: 'jsonl', word: 'line', rows: jsonLines(text) };
  return { source: 'csv', word: 'row', rows: rowsOf(readCsv(text.trim())) };
}

const rowsOf = (values: readonly unknown[]): Row[] =>
  values.map((value, index) => ({ at: index + 1, value }));

/** A string, or a number that Python's `json.dumps` writes and JSON does not have. */
const STRING_OR_NO_NUMBER = /"[^"\\]*(?:\\[^][^"\\]*)*(?:"|\\?$)|-?\bInfinity\b|\bNaN\b/g;

/** Reads NaN and Infinity as texts of that name. Undefined for what is no JSON even so. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    try {
      return JSON.parse(
        text.replace(STRING_OR_NO_NUMBER, (found) => (found[0] === '"' ? found : `"${found}"`)),
      );
    } catch {
      return undefined;
    }
  }
}

const jsonLines = (text: string): Row[] =>
  text
    .split('\n')
    .flatMap((line, index) => (line.trim() === '' ? [] : [{ at: index + 1, value: parseJson(line) }]));

/**
 * The numbers of each row, with objects in it flattened: `{"reward":{"process":1}}` is `reward/process`; and what was
 * not used, by cause and number.
 */
function rowPoints(word: string, rows: readonly Row[]): Omit<Points, 'source'> {
  const unused = new Map<string, number[]>();
  const points = rows.flatMap(({ at, value }): MetricPoint[] => {
    const read = rowOf(value);
    if (typeof read !== 'string') return read;
    unused.set(read, [...(unused.get(read) ?? []), at]);
    return [];
  });
  const faults = [...unused].map(
    ([cause, at]) =>
      `${String(at.length)} ${at.length === 1 ? 'row' : 'rows'} (${cause}): ${numbered(word, at)}`,
  );
  return { points, faults };
}

/** The points of a row, or why it has none. */
function rowOf(row: unknown): MetricPoint[] | string {
  if (row === undefined) return 'no JSON';
  if (!isRecord(row)) return 'no object';
  const flat = flattened(row, '');
  const named = flat.find(({ name }) => STEP_NAMES.includes(name.toLowerCase()));
  if (named === undefined) return 'no step column';
  const step = String(named.value).trim() === '' ? Number.NaN : Number(named.value);
  if (!Number.isSafeInteger(step) || step < 0) return 'its step is no whole number';
  return flat
    .filter(({ name }) => !STEP_NAMES.includes(name.toLowerCase()))
    .map(({ name, value }) => ({ step, name, value }));
}

const NUMBERED_MAX = 8;

const numbered = (word: string, numbers: readonly number[]): string => {
  const more = numbers.length - NUMBERED_MAX;
  const first = numbers.slice(0, NUMBERED_MAX).map(String).join(', ');
  return `${word}${numbers.length === 1 ? '' : 's'} ${first}${more > 0 ? ` and ${String(more)} more` : ''}`;
};

/** Words that logs write for a number that is none. */
const NO_NUMBER = /^\s*[+-]?(?:nan|inf(?:inity)?)\s*$/i;

/** The values of a row by name. A list or a truth value is text: no field takes it, so its name is listed. */
function flattened(row: Record<string, unknown>, prefix: string): Omit<MetricPoint, 'step'>[] {
  return Object.entries(row).flatMap(([key, value]): Omit<MetricPoint, 'step'>[] => {
    const name = prefix + key;
    if (isRecord(value)) return flattened(value, `${name}/`);
    if (value === null || typeof value === 'number') return [{ name, value }];
    if (typeof value !== 'string') return [{ name, value: JSON.stringify(value) }];
    return [{ name, value: NO_NUMBER.test(value) ? Number.NaN : value }];
  });
}

/** A row as an object of its columns. An empty cell is left out. */
function readCsv(text: string): Record<string, string | number>[] {
  const [header, ...rows] = cellsOf(text);
  if (header === undefined) return [];
  return rows.map((cells) =>
    Object.fromEntries(
      header.flatMap((name, index) => {
        const cell = cells[index]?.trim() ?? '';
        return cell === '' ? [] : [[name.trim(), numberOr(cell)]];
      }),
    ),
  );
}

const numberOr = (cell: string): string | number => {
  const value = Number(cell);
  return Number.isFinite(value) ? value : cell;
};

function cellsOf(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  const endRow = (): void => {
    row.push(cell);
    if (row.some((one) => one !== '')) rows.push(row);
    row = [];
    cell = '';
  };
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (isQuoted) {
      if (char !== '"') cell += char;
      else if (text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (char === '"' && cell === '') isQuoted = true;
    else if (char === ',') {
      row.push(cell);
      cell = '';
    } else if (char === '\n') endRow();
    else if (char !== '\r') cell += char;
  }
  endRow();
  return rows;
}
