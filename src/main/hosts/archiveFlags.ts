// The flags of `interject archive` and `interject unarchive`.
import type { Command } from 'commander';
import { narrowing, type NarrowOptions } from './exportOptions.ts';

export type ArchiveOptions = NarrowOptions & {
  olderThan?: number;
  episode?: string[];
  out?: string;
  dryRun?: boolean;
  compact: boolean;
  data?: string;
};
export type UnarchiveOptions = { all?: boolean; data?: string };

export const addArchiveFlags = (command: Command, readNumber: (text: string) => number): Command =>
  narrowing(command)
    .description('move ended episodes out of the log into a file, which is read back and compared first')
    .option('--older-than <days>', 'episodes that started so many days ago or earlier', readNumber)
    .option('--out <file>', 'a new file (else one in the folder "archives" of the data folder)')
    .option('--dry-run', 'only say what would be archived')
    .option(
      '--no-compact',
      'keep the free space for new events; the file of the log stays as large as it is',
    );

export const addUnarchiveFlags = (command: Command): Command =>
  command
    .description('bring archived episodes back into the log; the archive file stays')
    .argument('[episodes...]', 'their ids')
    .option('--all', 'all that are archived');
