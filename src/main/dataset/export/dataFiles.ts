// Names the data files of an export, one per split, and describes them for the card.
import { hash } from 'node:crypto';
import { sumOfFile, type FolderStage } from './folderStage.ts';
import type { Format } from './format.ts';
import type { FileSum } from './lineWriter.ts';

export const SPLITS = ['train', 'validation'] as const;
export type Split = (typeof SPLITS)[number];
export const splitName = (isValidation: boolean): Split => (isValidation ? 'validation' : 'train');
export type Files = 'jsonl' | 'parquet';
export const dataName = ({ id }: Pick<Format, 'id'>, split: Split, files: Files): string =>
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
