// Owns: what the verifier sandbox of this very machine is made of. All tests keep one snapshot, as the product does.
import { join } from 'node:path';
import type { RuntimeQuery } from '../../src/main/verifier/runtime.ts';

const root = join(import.meta.dirname, '../..');

export const sandboxHere: RuntimeQuery = {
  resources: join(root, 'resources'),
  versions: process.versions,
  execPath: process.execPath,
  broughtNode: null,
  cache: {
    folder: join(root, '.cache/interject'),
    keyFile: join(root, '.cache/config/interject/snapshot.key'),
    tell: () => undefined,
  },
  packages: () => null,
};
