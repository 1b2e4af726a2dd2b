// Owns: the training kit beside a data set: a copy of the scripts we ship, byte for byte.
import { copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../shared/failure.ts';
import { makeFolder } from '../log/dataFolder.ts';

/** Trainers that a kit exists for. */
export const KITS = ['trl'] as const;
export type Kit = (typeof KITS)[number];

/**
 * Copies a kit, and the file that links its rollouts to Interject, into `kit/` of a data set folder. The scripts look
 * for the data one folder up. Returns the files in order, as paths below the data set folder. What stands there under
 * the same names is replaced.
 */
export function writeKit(folder: string, resources: string, kit: Kit = 'trl'): string[] {
  const from = join(resources, 'kit', kit);
  const to = join(folder, 'kit');
  try {
    // Only files: Python leaves folders of its own where scripts were run in place.
    const scripts = readdirSync(from, { withFileTypes: true }).filter((entry) => entry.isFile());
    const copies = [
      ...scripts.map(({ name }) => ({ source: join(from, name), name })),
      { source: join(resources, 'interject.py'), name: 'interject.py' },
    ].toSorted((a, b) => (a.name < b.name ? -1 : 1));
    makeFolder(to);
    for (const { source, name } of copies) copyFileSync(source, join(to, name));
    return copies.map(({ name }) => `kit/${name}`);
  } catch (cause) {
    throw new Failure('data_unwritable', `cannot write the training kit to ${to}: ${String(cause)}`, {
      cause,
      next: 'Check that the folder is writable and has space.',
    });
  }
}
