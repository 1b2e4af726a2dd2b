// Where the tap's process is: what it wrote into the data folder, and whether it lives.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const TapFile = z.object({
  pid: z.number().int(),
  port: z.number().int(),
  secret: z.string(),
  run: z.string(),
});
export type TapFile = z.infer<typeof TapFile>;

/** What the tap's process says of itself; null where there is none. */
export function readTapFile(folder: string): TapFile | null {
  const path = join(folder, 'tap.json');
  if (!existsSync(path)) return null;
  try {
    return TapFile.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return null;
  }
}
