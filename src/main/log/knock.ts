// Proves to two processes that each has the same data folder: one lays two fresh secrets into it, says the first, and
// hears the second before it says anything else. What a folder names may come from a stranger, and leads anywhere.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const Knock = z.object({ secret: z.string(), answer: z.string() });
export type Knock = z.infer<typeof Knock>;

/** The answer to a knock, as a header of the reply. */
export const KNOCK_ANSWER = 'interject-knock';

const KNOCK_FILE = /\.knock$/;
/** Older files were left by a process that was killed. */
const LEFT_MS = 60_000;

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
const fileOf = (secret: string): string => `${digest(secret).slice(0, 24)}.knock`;

/** Lays a knock into the folder, until it is removed. Throws where nothing can be written there. */
export function layKnock(folder: string): Knock & { remove: () => void } {
  for (const name of readdirSync(folder).filter((one) => KNOCK_FILE.test(one)))
    removeLeft(join(folder, name));
  const random = (): string => randomBytes(32).toString('base64url');
  const knock = { secret: random(), answer: random() };
  const name = fileOf(knock.secret);
  writeFresh(folder, name, knock);
  return { ...knock, remove: () => rmSync(join(folder, name), { force: true }) };
}

function removeLeft(path: string): void {
  const laid = statSync(path, { throwIfNoEntry: false });
  if (laid !== undefined && Date.now() - laid.mtimeMs > LEFT_MS) rmSync(path, { force: true });
}

/** The answer to a knock with this; null where the folder holds no such knock. */
export function answerKnock(folder: string, given: string | undefined): string | null {
  if (given === undefined) return null;
  const knock = readNote(folder, fileOf(given), Knock);
  return knock !== null && isSame(given, knock.secret) ? knock.answer : null;
}

/** True if a reply has the answer, so that who gave it reads this folder. */
export const isAnswered = ({ answer }: Knock, header: string | string[] | undefined): boolean =>
  typeof header === 'string' && isSame(header, answer);

const isSame = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(digest(one)), Buffer.from(digest(other)));

/** A small JSON file of the folder; null where there is none, or it is of another form. */
export function readNote<T>(folder: string, name: string, form: z.ZodType<T>): T | null {
  const path = join(folder, name);
  if (!existsSync(path)) return null;
  try {
    return form.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return null;
  }
}

/** Writes one anew, for its owner alone and never through a link that lies there. */
export function writeFresh(folder: string, name: string, value: unknown): void {
  const path = join(folder, name);
  rmSync(path, { force: true });
  writeFileSync(path, JSON.stringify(value), { mode: 0o600, flag: 'wx' });
}
