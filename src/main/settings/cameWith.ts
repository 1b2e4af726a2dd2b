// A data folder that this user did not make on this machine: a restored backup, a folder copied from elsewhere. Its
// settings, keys, invites and secrets are set aside before anything reads them, until the owner takes them over or not.
import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  type BigIntStats,
} from 'node:fs';
import { join } from 'node:path';
import { countText } from '../../shared/countText.ts';
import { Failure } from '../../shared/failure.ts';
import { isRecord } from '../../shared/json.ts';
import type { Secrets } from './fileSecrets.ts';
import { createJsonFile, rawList, type JsonFile } from './jsonFile.ts';
import type { GatewayKeys } from './keys.ts';
import { readKeys } from './keyShapes.ts';
import { OWNER_TOKEN } from './ownerToken.ts';

/** Says that this user made the folder. No backup takes it along, and nobody without the user's own key can make it. */
export const OWNER_MARK = 'interject.owner';
/** The folder of what is set aside. */
export const CAME_WITH = 'came-with';
/** All that says what the product does. A system's keychain opens what its own user put there and nothing else: it stays. */
const FILES = ['settings.json', 'secrets.json', 'keys.json', 'key-use.json'] as const;

/**
 * True if this user made the folder on this machine. It may lie elsewhere on its disk since: a mark is known by the
 * file it was written into, so that in a copy of the folder, whoever has changed it, it says nothing.
 */
export function isOwnFolder(folder: string, userKey: Buffer): boolean {
  try {
    const file = join(folder, OWNER_MARK);
    const { ino, birthtimeNs } = plainFile(file);
    const found = Buffer.from(readFileSync(file, 'utf8').trim(), 'hex');
    return [birthtimeNs, null].some((birth) => {
      const own = markOf(userKey, ino, birth);
      return found.length === own.length && timingSafeEqual(found, own);
    });
  } catch {
    return false;
  }
}

/** Says so from now on. */
export function markAsOwn(folder: string, userKey: Buffer): void {
  const file = join(folder, OWNER_MARK);
  rmSync(file, { force: true, recursive: true });
  writeFileSync(file, '', { mode: 0o600, flag: 'wx' });
  const { ino, birthtimeNs } = plainFile(file);
  const birth = keepsBirth(file) ? birthtimeNs : null;
  writeFileSync(file, `${markOf(userKey, ino, birth).toString('hex')}\n`);
}

/** A link of either kind leads to the mark of a folder that is. Throws where it is no file of its own. */
function plainFile(file: string): BigIntStats {
  const stat = lstatSync(file, { bigint: true });
  if (!stat.isFile() || stat.nlink !== 1n) throw new Failure('bad_input', `${file} is no file`);
  return stat;
}

/** Longer than the clocks of file systems take for a step. */
const CLOCK_STEP_MS = 50;

/** True if its file system knows when a file was made. Else Node says when it was last changed, or nothing. */
function keepsBirth(file: string): boolean {
  const made = plainFile(file);
  const until = performance.now() + CLOCK_STEP_MS;
  let now = made;
  while (now.ctimeNs === made.ctimeNs && performance.now() < until) {
    chmodSync(file, 0o600);
    now = plainFile(file);
  }
  return now.ctimeNs !== made.ctimeNs && now.birthtimeNs === made.birthtimeNs && now.birthtimeNs !== 0n;
}

/** A number is given to another file once its own is gone; together with when it was made it is not. */
const markOf = (userKey: Buffer, ino: bigint, birth: bigint | null): Buffer =>
  createHmac('sha256', userKey)
    .update(`interject: this user made the data folder ${String(ino)} ${String(birth)}`)
    .digest();

/**
 * Before anything reads them. Where a start was broken off here, the next one finds the rest. Throws `bad_input` where
 * something in the folder leads out of it: what is written there would be written elsewhere.
 */
export function setAside(folder: string): void {
  const aside = join(folder, CAME_WITH);
  checkPlain(folder);
  checkPlain(aside);
  for (const name of FILES) {
    if (!existsSync(join(folder, name))) continue;
    mkdirSync(aside, { recursive: true, mode: 0o700 });
    rmSync(join(aside, name), { force: true, recursive: true });
    renameSync(join(folder, name), join(aside, name));
  }
}

/** A folder that holds no links, and of the files that are set aside none that is no file. */
function checkPlain(folder: string): void {
  if (!existsSync(folder)) return;
  const names: readonly string[] = FILES;
  const odd = readdirSync(folder, { withFileTypes: true }).find(
    (entry) =>
      entry.isSymbolicLink() ||
      (names.includes(entry.name) && !entry.isFile()) ||
      (entry.name === CAME_WITH && !entry.isDirectory()),
  );
  if (odd === undefined) return;
  throw new Failure('bad_input', `${join(folder, odd.name)} is no plain file or folder, and came with it`, {
    next: 'This data folder was not made by you on this machine. Remove that entry, then start again.',
  });
}

export type CameWith = {
  /** What waits for the owner's word, in words; empty where nothing does. */
  list(): string[];
  /** Takes all of it over from this moment on, or removes it. Throws `not_found` where nothing waits. */
  settle(keep: boolean): void;
};

type CameWithParts = {
  folder: string;
  secrets: Secrets;
  keys: Pick<GatewayKeys, 'takeOver'>;
};

/** Opens the files set aside in a folder. */
export function openCameWith({ folder, secrets, keys }: CameWithParts): CameWith {
  const aside = (name: (typeof FILES)[number]): JsonFile =>
    createJsonFile(join(folder, CAME_WITH, name), {
      isSecret: true,
      whenBroken: 'refuse',
      tell: () => undefined,
    });
  const list = (): string[] =>
    existsSync(join(folder, CAME_WITH))
      ? itemsIn({
          settings: readable(aside('settings.json')),
          secrets: readable(aside('secrets.json')),
          keys: readable(aside('keys.json')),
        })
      : [];
  const remove = (): void => rmSync(join(folder, CAME_WITH), { recursive: true, force: true });
  // Files that say nothing ask nothing.
  if (list().length === 0) remove();
  return {
    list,
    settle: (keep) => {
      if (list().length === 0)
        throw new Failure('not_found', 'nothing waits that came with the data folder', {
          next: 'It may be settled already.',
        });
      if (keep) takeOver({ folder, secrets, keys }, aside);
      remove();
    },
  };
}

/** All of it or nothing: where one part cannot be taken, what was taken before it is given back. */
function takeOver(
  { folder, secrets, keys }: CameWithParts,
  aside: (name: (typeof FILES)[number]) => JsonFile,
): void {
  const { settings, kept, came } = orWithout(() => ({
    settings: aside('settings.json').read(),
    kept: aside('secrets.json').read(),
    came: readKeys(aside('keys.json')).keys,
  }));
  const own = createJsonFile(join(folder, 'settings.json'), {
    isSecret: false,
    whenBroken: 'refuse',
    tell: () => undefined,
  });
  const before = own.read();
  const together = writable(() => merged(settings, before) as Record<string, unknown>);
  const taken = Object.entries(kept).filter(
    ([name, value]) => name !== OWNER_TOKEN && typeof value === 'string' && secrets.read(name) === null,
  );
  try {
    for (const [name, value] of taken) secrets.write(name, value as string);
    own.write(together);
    // Last: an invite whose maker is not there yet would end.
    keys.takeOver(came, aside('key-use.json'));
  } catch (thrown) {
    for (const [name] of taken) secrets.write(name, null);
    own.write(before);
    throw thrown;
  }
}

/** Adds to a failure of an unreadable file the way to do without it. */
function orWithout<T>(read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    throw new Failure(thrown.code, thrown.message, { cause: thrown, next: WITHOUT_THEM });
  }
}

const WITHOUT_THEM = 'Mend that file, or start without what came: --no-keep-settings.';

/** Settings that a program of ours would have written. Throws `bad_input` for those that are nested without an end. */
function writable(make: () => Record<string, unknown>): Record<string, unknown> {
  try {
    const made = make();
    JSON.stringify(made);
    return made;
  } catch (thrown) {
    // What the stack has no room for.
    if (!(thrown instanceof RangeError)) throw thrown;
    throw new Failure('bad_input', 'the settings that came with the data folder are nested too deeply', {
      cause: thrown,
      next: 'Start without them: --no-keep-settings.',
    });
  }
}

/** A file that cannot be read still came. */
function readable(file: JsonFile): Record<string, unknown> {
  try {
    return file.read();
  } catch {
    return { unreadable: true };
  }
}

/** Present values go before those that came. Entries of a list are the same by their id or name. */
function merged(came: unknown, now: unknown): unknown {
  if (Array.isArray(came) && Array.isArray(now))
    return [...(now as unknown[]), ...came.filter((one) => !now.some((other) => isSameEntry(one, other)))];
  if (!isRecord(came) || !isRecord(now)) return now === undefined ? came : now;
  const both = { ...came, ...now };
  return Object.fromEntries(
    Object.keys(both).map((name) => [
      name,
      Object.hasOwn(came, name) && Object.hasOwn(now, name) ? merged(came[name], now[name]) : both[name],
    ]),
  );
}

const isSameEntry = (one: unknown, other: unknown): boolean =>
  isRecord(one) &&
  isRecord(other) &&
  (['id', 'name'] as const).some((field) => typeof one[field] === 'string' && one[field] === other[field]);

type Found = Record<'settings' | 'secrets' | 'keys', Record<string, unknown>>;

/** `3 invites`, `2 keys`, `models at https://…`: what would open a door, be spoken to, or be changed. */
function itemsIn({ settings, secrets, keys }: Found): string[] {
  const {
    agent,
    expert,
    awm,
    profiles: _profiles,
    environments: _listed,
    invites: _invites,
    ...rest
  } = settings;
  const live = rawList(keys, 'keys').filter((one) => isRecord(one) && one['revoked_at'] === null);
  const modelKeys = Object.keys(secrets).filter((name) => name.endsWith('.api_key'));
  const models = [agent, expert, ...rawList(settings, 'profiles')].map((one) => fieldOf(one, 'base_url'));
  const environments = rawList(settings, 'environments').map((one) => fieldOf(one, 'url'));
  return [
    ...counted(rawList(settings, 'invites').length, 'invite'),
    ...counted(live.length, 'key'),
    ...placed('model', [...models, fieldOf(awm, 'judge_base_url')]),
    ...placed('environment', environments),
    ...counted(modelKeys.length, 'model key'),
    ...([agent, expert, awm, ...Object.values(rest), keys['unreadable']].some(isSaid)
      ? ['other settings']
      : []),
  ];
}

const fieldOf = (of: unknown, name: string): unknown => (isRecord(of) ? of[name] : undefined);

const isSaid = (value: unknown): boolean =>
  value !== undefined && value !== null && (typeof value !== 'object' || Object.keys(value).length > 0);

const counted = (count: number, noun: string): string[] => (count === 0 ? [] : [countText(count, noun)]);

/** More of them are counted. */
const ADDRESSES_SHOWN = 3;

function placed(noun: string, addresses: readonly unknown[]): string[] {
  const given = addresses.filter((one) => typeof one === 'string' && one.trim() !== '') as string[];
  const places = [...new Set(given.map((one) => (URL.canParse(one) ? new URL(one).host : '?')))];
  if (places.length === 0) return [];
  const more = places.length - ADDRESSES_SHOWN;
  const shown = places.slice(0, ADDRESSES_SHOWN).join(', ');
  return [`${countText(given.length, noun)} at ${shown}${more > 0 ? ` and ${String(more)} more` : ''}`];
}
