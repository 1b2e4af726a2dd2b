// Owns: files of the log itself on their way into a folder: written aside, put in place when all of them are whole.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Failure } from '../../shared/failure.ts';
import { openStage, type Stage } from './export/folder.ts';
import { writeWhole, type FileSum } from './export/lines.ts';
import { CHECKSUMS, MARK, markText } from './export/ownFolder.ts';
import { createPace, type Pace } from './export/pace.ts';

export type Into = { folder: string; isForced: boolean; signal?: AbortSignal };
export type Counts = { rows: number; dropped: Record<string, number>; files: string[] };
export type Written = Counts & { folder: string };

type Wrote = Counts & {
  /** Of files that need not be read again to be summed up. */
  sums?: ReadonlyMap<string, FileSum>;
};
type What = {
  /** Names that are free or an earlier export's, or nothing is written. */
  places: readonly string[];
  /** The files say by themselves that they are ours. */
  isPlain?: boolean;
};

const NEVER = new AbortController().signal;
export const paceOf = ({ signal = NEVER }: Into): Pace => createPace(signal);

/** Writes the files, or nothing. Throws `export_refused` for what is in the way, and `cancelled`. */
export async function writeAside(
  into: Into,
  { places, isPlain = false }: What,
  write: (stage: Stage, pace: Pace) => Wrote | Promise<Wrote>,
): Promise<Written> {
  const { folder, isForced, signal = NEVER } = into;
  const stage = openStage(folder, isForced, [...places, CHECKSUMS, ...(isPlain ? [] : [MARK])]);
  try {
    const { rows, dropped, files, sums = new Map<string, FileSum>() } = await write(stage, paceOf(into));
    if (!isPlain) writeWhole(stage.path(MARK), markText());
    // A signal is heard between turns only.
    await nextTurn();
    if (signal.aborted) throw new Failure('cancelled', 'the export was cancelled');
    stage.finish(sums);
    return { rows, dropped, folder, files };
  } catch (thrown) {
    stage.abandon();
    throw thrown;
  }
}
