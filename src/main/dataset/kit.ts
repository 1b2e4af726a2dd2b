// Copies the training kit we ship beside a data set, byte for byte.
import { copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../shared/failure.ts';
import { makeFolder } from '../log/dataFolder.ts';

/** Trainers that a kit exists for. */
const KITS = ['trl'] as const;
export type Kit = (typeof KITS)[number];

/** Walks the whole loop with the kit's scripts. */
const NOTEBOOK = 'walkthrough.ipynb';

type ShippedKit = { name: Kit; resources: string };
type Copy = { source: string; name: string };

/** The files of a kit, as paths below the data set folder; none where there is no kit. */
export const kitFiles = (kit: ShippedKit | null): string[] =>
  kit === null ? [] : kitCopies(kit).map(({ name }) => `kit/${name}`);

function kitCopies({ name: kit, resources }: ShippedKit): Copy[] {
  const from = join(resources, 'kit', kit);
  // Only files: Python leaves folders of its own where scripts were run in place.
  const scripts = readdirSync(from, { withFileTypes: true }).filter((entry) => entry.isFile());
  return [
    ...scripts.map(({ name }) => ({ source: join(from, name), name })),
    { source: join(resources, 'interject.py'), name: 'interject.py' },
    { source: join(resources, 'kit/notebook', NOTEBOOK), name: NOTEBOOK },
  ].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Copies a kit, its notebook, and the file that links its rollouts to Interject, into `kit/` of a data set folder. The scripts look
 * for the data one folder up. Returns the files in order, as paths below the data set folder. What stands there under
 * the same names is replaced.
 */
export function writeKit(folder: string, resources: string, kit: Kit = 'trl'): string[] {
  const to = join(folder, 'kit');
  try {
    const copies = kitCopies({ name: kit, resources });
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
