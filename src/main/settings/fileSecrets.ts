// Owns: keys in a file that only its owner can read.
import { Failure } from '../../shared/failure.ts';
import type { Secrets } from './secrets.ts';

/** Keys in `secrets.json` of the folder. `tell` hears what a person should know. */
export function createFileSecrets(_folder: string, _tell: (notice: string) => void): Secrets {
  throw new Failure('internal', 'unfinished');
}
