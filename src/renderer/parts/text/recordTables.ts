// A result as a person reads it: records as the rows of a table, a single record as its values by their names. Pure.
import { isRecord } from '../../../shared/json.ts';
import { centsLabel, valueLabel } from '../../../shared/sentences/valueLabel.ts';
import { phraseOf, wordsOf } from '../../../shared/sentences/words.ts';

export type ResultCell = { text: string; isNumber: boolean };
export type ResultPart = {
  /** What holds it in the result, in words; null for the result itself. */
  label: string | null;
} & (
  | { type: 'facts'; facts: { label: string; cell: ResultCell }[] }
  | { type: 'table'; columns: string[]; rows: ResultCell[][]; more: number }
);

/** More than these are read in the tree. */
export const ROWS_MAX = 50;

/** The parts of a result in their order; null for what has no records in it. */
export function recordTables(value: unknown): ResultPart[] | null {
  if (isRows(value)) return value.length === 0 ? null : [tableOf(null, value)];
  if (!isRecord(value) || Object.keys(value).length === 0) return null;
  const members = Object.entries(value);
  const own = members.filter(([, member]) => !isRecord(member) && !(isRows(member) && member.length > 0));
  const parts = members.flatMap(([name, member]): ResultPart[] => {
    if (isRows(member) && member.length > 0) return [tableOf(labelOf(name), member)];
    return isRecord(member) ? [factsOf(labelOf(name), Object.entries(member))] : [];
  });
  return [...(own.length === 0 ? [] : [factsOf(null, own)]), ...parts];
}

type Row = Readonly<Record<string, unknown>>;
const isRows = (value: unknown): value is readonly Row[] => Array.isArray(value) && value.every(isRecord);

const factsOf = (label: string | null, members: readonly [string, unknown][]): ResultPart => ({
  type: 'facts',
  label,
  facts: members.map(([name, value]) => ({ label: labelOf(name), cell: cellOf(name, value) })),
});

/** Every field of the records; those that tell them apart come first, since a wide table is cut at its end. */
function columnsOf(rows: readonly Row[]): string[] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const isTelling = (name: string): boolean =>
    rows.length === 1 || new Set(rows.map((row) => textOf(name, row[name]))).size > 1;
  return [...names.filter(isTelling), ...names.filter((name) => !isTelling(name))];
}

function tableOf(label: string | null, rows: readonly Row[]): ResultPart {
  const names = columnsOf(rows);
  return {
    type: 'table',
    label,
    columns: names.map(labelOf),
    rows: rows.slice(0, ROWS_MAX).map((row) => names.map((name) => cellOf(name, row[name]))),
    more: Math.max(0, rows.length - ROWS_MAX),
  };
}

const labelOf = (name: string): string => phraseOf(wordsOf(name)) || name;

/** A text stays whole: what does not fit is cut where it is drawn. */
const cellOf = (name: string, value: unknown): ResultCell => ({
  text: textOf(name, value),
  isNumber: typeof value === 'number' || typeof value === 'bigint',
});

function textOf(name: string, value: unknown): string {
  if (value === undefined || value === null) return '–';
  const amount = centsLabel(name, value);
  if (amount !== null) return `${valueLabel(value)} (${amount})`;
  return typeof value === 'string' ? value : valueLabel(value);
}
