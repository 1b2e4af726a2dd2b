// Writes the files of an export aside and moves them into the folder only when all of them are complete.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Finding } from '../../shared/contract/export.ts';
import { Failure } from '../../shared/failure.ts';
import { openStage, type FolderStage } from './export/folderStage.ts';
import { writeTextFile, type FileSum } from './export/lineWriter.ts';
import { CHECKSUMS, EXPORT_MARK, markText } from './export/ownFolder.ts';
import { createPace, type YieldToOthers } from './export/pace.ts';

export type Into = { folder: string; isForced: boolean; signal?: AbortSignal };
type WriteCounts = {
  rows: number;
  dropped: Record<string, number>;
  files: string[];
  /** What whoever gives the files away should know. */
  findings?: Finding[];
  /** Episodes that were left out because they cannot be read. */
  damaged?: string[];
};
export type WrittenFiles = WriteCounts & { folder: string };

type Wrote = WriteCounts & {
  /** Of files that need not be read again to be summed up. */
  sums?: ReadonlyMap<string, FileSum>;
};
type WritePlan = {
  /** Names that are free or an earlier export's, or nothing is written. */
  places: readonly string[];
  /** The files say by themselves that they are ours. */
  isPlain?: boolean;
};

const NEVER = new AbortController().signal;
export const paceOf = ({ signal = NEVER }: Into): YieldToOthers => createPace(signal);

/** Writes the files, or nothing. Throws `export_refused` for what is in the way, and `cancelled`. */
export async function writeAside(
  into: Into,
  { places, isPlain = false }: WritePlan,
  write: (stage: FolderStage, pace: YieldToOthers) => Wrote | Promise<Wrote>,
): Promise<WrittenFiles> {
  const { folder, isForced, signal = NEVER } = into;
  const stage = openStage(folder, isForced, [...places, CHECKSUMS, ...(isPlain ? [] : [EXPORT_MARK])]);
  try {
    const { sums = new Map<string, FileSum>(), ...counts } = await write(stage, paceOf(into));
    if (!isPlain) writeTextFile(stage.path(EXPORT_MARK), markText());
    // A signal is heard between turns only.
    await nextTurn();
    if (signal.aborted) throw new Failure('cancelled', 'the export was cancelled');
    stage.finish(sums);
    return { ...counts, folder };
  } catch (thrown) {
    stage.abandon();
    throw thrown;
  }
}
