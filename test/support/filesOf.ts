// A folder as its files, by name.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Every file of a folder, by name. */
export const filesOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .toSorted()
      .map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]),
  );
