// Owns: what the files of rows are called, and what is told of them: one a split, or one a row.
import { sumOf, type Stage, type Sum } from './folder.ts';
import type { Format } from './format.ts';
import type { FileSum } from './lines.ts';

export const SPLITS = ['train', 'validation'] as const;
export type Split = (typeof SPLITS)[number];
export const splitName = (isValidation: boolean): Split => (isValidation ? 'validation' : 'train');
export type Files = 'jsonl' | 'parquet';
export const dataName = ({ id }: Pick<Format, 'id'>, split: Split, files: Files): string =>
  `data/${id}-${split}.${files}`;

/** Where rows with a file of their own lie; the folder of a split, and what finds them all. */
const rowsFolder = ({ id }: Pick<Format, 'id'>, split: Split): string => `data/${id}-${split}/`;
const rowsGlob = (format: Pick<Format, 'id'>, split: Split): string =>
  `${rowsFolder(format, split)}*/*.jsonl`;
/** The Hub takes ten thousand files in a folder; so many do not stall a file manager either. */
const PER_FOLDER = 1000;

/** A row's place: its split, its number there, and the episode it comes from. */
export type RowAt = { isValidation: boolean; number: number; episode: string };

/** An id as part of a file's name: one from another log may hold anything. */
const fileName = (id: string): string =>
  encodeURIComponent(id).replaceAll(/[.*'()!~]/g, (char) => `%${char.charCodeAt(0).toString(16)}`);

export function rowName(format: Pick<Format, 'id'>, { isValidation, number, episode }: RowAt): string {
  const folder = String(Math.floor(number / PER_FOLDER)).padStart(3, '0');
  return `${rowsFolder(format, splitName(isValidation))}${folder}/${fileName(episode)}.jsonl`;
}

/** A split's rows; `path` is a pattern, and `sha256` null, where each row is a file. */
export type SplitData = { split: Split; path: string; sha256: string | null; rows: number };

type Written = {
  stage: Stage;
  format: Format;
  files: Files;
  totals: Readonly<Record<Split, number>>;
  known: ReadonlyMap<string, FileSum>;
};

/** The data of each split: one file, or the pattern that finds its files. */
export function dataOf({ stage, format, files, totals, known }: Written): SplitData[] {
  const { isFilePerRow = false } = format;
  return SPLITS.flatMap((split): SplitData[] => {
    const rows = totals[split];
    if (rows === 0 && (split === 'validation' || isFilePerRow)) return [];
    if (isFilePerRow) return [{ split, rows, path: rowsGlob(format, split), sha256: null }];
    const path = dataName(format, split, files);
    const { sha256 } = known.get(path) ?? sumOf(stage.path(''), path);
    return [{ split, rows, path, sha256 }];
  });
}

/** Bytes by file; files of single rows are told as their folder. */
export function sizesOf(format: Format, files: readonly Sum[]): Record<string, number> {
  const folders = format.isFilePerRow === true ? SPLITS.map((split) => rowsFolder(format, split)) : [];
  const sizes: Record<string, number> = {};
  for (const { name, bytes } of files) {
    const shown = folders.find((inside) => name.startsWith(inside)) ?? name;
    sizes[shown] = (sizes[shown] ?? 0) + bytes;
  }
  return sizes;
}
