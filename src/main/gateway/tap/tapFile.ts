// Where the tap's process is, as it wrote into the data folder, and how main and it know each other: each proves that it
// reads and writes this folder. What else the folder says may come from a stranger, and leads anywhere.
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const TapFile = z.object({ pid: z.number().int(), port: z.number().int() });
export type TapFile = z.infer<typeof TapFile>;

/** What the tap's process says of itself; null where there is none. */
export const readTapFile = (folder: string): TapFile | null => readIn(folder, 'tap.json', TapFile);

/** Removes what a process left that is not there any more, or one itself. */
export const removeTapFile = (folder: string): void => rmSync(join(folder, 'tap.json'), { force: true });

export const writeTapFile = (folder: string, file: TapFile): void => writeFresh(folder, 'tap.json', file);

/** Main says the one when it knocks at the port, and hears the other before it says anything else. */
const TapKnock = z.object({ from_main: z.string(), from_tap: z.string() });
export type TapKnock = z.infer<typeof TapKnock>;

/** The answer to a knock, as a header of the reply. */
export const KNOCK_ANSWER = 'interject-tap';

/** Lays two fresh secrets into the folder, for as long as main knocks. */
export function layKnock(folder: string): TapKnock & { remove: () => void } {
  const secret = (): string => randomBytes(32).toString('base64url');
  const knock = { from_main: secret(), from_tap: secret() };
  writeFresh(folder, 'tap.knock', knock);
  return { ...knock, remove: () => rmSync(join(folder, 'tap.knock'), { force: true }) };
}

/** What main has laid down; null where it does not knock. */
export const readKnock = (folder: string): TapKnock | null => readIn(folder, 'tap.knock', TapKnock);

function readIn<T>(folder: string, name: string, form: z.ZodType<T>): T | null {
  const path = join(folder, name);
  if (!existsSync(path)) return null;
  try {
    return form.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return null;
  }
}

/** Never through a link that lies there. */
function writeFresh(folder: string, name: string, value: unknown): void {
  const path = join(folder, name);
  rmSync(path, { force: true });
  writeFileSync(path, JSON.stringify(value), { mode: 0o600, flag: 'wx' });
}
