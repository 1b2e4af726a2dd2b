// Where the tap's process is, as it wrote into the data folder.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readNote, writeFresh } from '../../log/knock.ts';

const TapFile = z.object({ pid: z.number().int(), port: z.number().int() });
export type TapFile = z.infer<typeof TapFile>;

/** What the tap's process says of itself; null where there is none. */
export const readTapFile = (folder: string): TapFile | null => readNote(folder, 'tap.json', TapFile);

/** Removes what a process left that is not there any more, or one itself. */
export const removeTapFile = (folder: string): void => rmSync(join(folder, 'tap.json'), { force: true });

export const writeTapFile = (folder: string, file: TapFile): void => writeFresh(folder, 'tap.json', file);
