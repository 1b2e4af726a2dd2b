// Names the data files of an export, one per split or one per row, and describes them for the card.
import { hash } from 'node:crypto';
import { sumOfFile, type FolderStage, type NamedFileSum } from './folderStage.ts';
import type { Format } from './format.ts';
import type { FileSum } from './lineWriter.ts';

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

export function rowFileName(format: Pick<Format, 'id'>, { isValidation, number, episode }: RowAt): string {
  const folder = String(Math.floor(number / PER_FOLDER)).padStart(3, '0');
  return `${rowsFolder(format, splitName(isValidation))}${folder}/${fileName(episode)}.jsonl`;
}

/** A split's rows; `path` is a pattern, and `sha256` null, where each row is a file. */
export type SplitData = { split: Split; path: string; sha256: string | null; rows: number };

type WrittenSplits = {
  stage: FolderStage;
  format: Format;
  files: Files;
  totals: Readonly<Record<Split, number>>;
  known: ReadonlyMap<string, FileSum>;
};

/** The data of each split: one file, or the pattern that finds its files. */
export function describeData({ stage, format, files, totals, known }: WrittenSplits): SplitData[] {
  const { isFilePerRow = false } = format;
  return SPLITS.flatMap((split): SplitData[] => {
    const rows = totals[split];
    if (rows === 0 && (split === 'validation' || isFilePerRow)) return [];
    if (isFilePerRow) return [{ split, rows, path: rowsGlob(format, split), sha256: null }];
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
  for (const { path, sha256 } of data) if (sha256 !== null) sums.set(path, sha256);
  const lines = [...sums]
    .filter(([name]) => name.startsWith('data/'))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, sha256]) => `${sha256}  ${name}\n`);
  return hash('sha256', lines.join(''), 'hex');
}

/** Bytes by file; files of single rows are told as their folder. */
export function sizesOf(format: Format, files: readonly NamedFileSum[]): Record<string, number> {
  const folders = format.isFilePerRow === true ? SPLITS.map((split) => rowsFolder(format, split)) : [];
  const sizes: Record<string, number> = {};
  for (const { name, bytes } of files) {
    const shown = folders.find((inside) => name.startsWith(inside)) ?? name;
    sizes[shown] = (sizes[shown] ?? 0) + bytes;
  }
  return sizes;
}
