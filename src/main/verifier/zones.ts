// The time zone files a verifier may need: WebAssembly Python has none of its own.
import { DAY_MS } from '../../shared/lengthOfTime.ts';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** Where systems keep them; where there are none, offsets come from this process's own knowledge of time zones. */
const SYSTEM_ZONES = '/usr/share/zoneinfo';
/** Where Python looks for them in the sandbox. */
const ZONES_MOUNT = '/usr/share/zoneinfo';
const USES_ZONES = /\b(?:zoneinfo|dateutil)\b/;
const ZONE_NAME = /["']((?:[A-Z][A-Za-z0-9_+-]*\/)+[A-Za-z0-9_+-]+|UTC|GMT|[A-Z]{3}\d[A-Z]{3})["']/g;
const ZONES_MAX = 50;
const FIRST_INSTANT = Date.UTC(1970, 0, 1);
const LAST = Date.UTC(2037, 11, 31);

export type ZoneFiles = {
  /** TZif files by their path in the sandbox. */
  files: ReadonlyMap<string, Uint8Array>;
  /** False where a zone that exists may be missing, because its name does not stand in the verifier's source. */
  hasAll: boolean;
};

/** Reads the system's time zones once; a verifier that uses zones gets all of them, whatever it names. */
export function createZones(folder: string = SYSTEM_ZONES): (code: string) => ZoneFiles {
  let system: ReadonlyMap<string, Uint8Array> | null = null;
  return (code) => {
    if (!USES_ZONES.test(code)) return { files: new Map(), hasAll: true };
    system ??= readFolder(folder);
    return system.size > 0 ? { files: system, hasAll: true } : { files: makeZones(code), hasAll: false };
  };
}

/** Right and posix hold every zone once more. */
const REPEATED: ReadonlySet<string> = new Set(['right', 'posix']);

function readFolder(folder: string): Map<string, Uint8Array> {
  const zones = new Map<string, Uint8Array>();
  if (!existsSync(folder)) return zones;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(folder, path).split(sep).join('/');
    if (entry.isDirectory() || REPEATED.has(name.split('/')[0] ?? '')) continue;
    const bytes = statSync(path, { throwIfNoEntry: false })?.isFile() === true ? readFileSync(path) : null;
    if (bytes?.subarray(0, 4).toString('latin1') === 'TZif') zones.set(`${ZONES_MOUNT}/${name}`, bytes);
  }
  return zones;
}

function makeZones(code: string): Map<string, Uint8Array> {
  const names = new Set([...code.matchAll(ZONE_NAME)].map((match) => match[1] ?? ''));
  const known = [...names].slice(0, ZONES_MAX).filter(isZone);
  return new Map(known.map((name) => [`${ZONES_MOUNT}/${name}`, makeZone(name)]));
}

function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** A TZif file (RFC 9636, version 1) of a zone's offsets from 1970 to 2037, found by bisection. */
function makeZone(name: string): Uint8Array {
  const offset = offsetOf(name);
  const changes: { at: number; seconds: number }[] = [];
  let before = offset(FIRST_INSTANT);
  const first = before;
  for (let day = FIRST_INSTANT; day < LAST; day += 7 * DAY_MS) {
    const after = offset(day + 7 * DAY_MS);
    if (after === before) continue;
    let [low, high] = [day / 1000, (day + 7 * DAY_MS) / 1000];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (offset(middle * 1000) === before) low = middle;
      else high = middle;
    }
    changes.push({ at: high, seconds: after });
    before = after;
  }
  return written(first, changes);
}

function offsetOf(timeZone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (at) => {
    const parts = Object.fromEntries(
      format.formatToParts(at).map(({ type, value }) => [type, Number(value)]),
    );
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return (Date.UTC(year, month - 1, day, hour, minute, second) - at) / 1000;
  };
}

function written(first: number, changes: readonly { at: number; seconds: number }[]): Uint8Array {
  const offsets = [...new Set([first, ...changes.map(({ seconds }) => seconds)])];
  const labels = offsets.map(label);
  const letters = `${labels.join('\0')}\0`;
  const size = 44 + changes.length * 5 + offsets.length * 6 + letters.length;
  const bytes = Buffer.alloc(size);
  bytes.write('TZif', 0, 'latin1');
  bytes.writeUInt32BE(changes.length, 32);
  bytes.writeUInt32BE(offsets.length, 36);
  bytes.writeUInt32BE(letters.length, 40);
  let at = 44;
  for (const change of changes) at = bytes.writeInt32BE(change.at, at);
  for (const { seconds } of changes) at = bytes.writeUInt8(offsets.indexOf(seconds), at);
  let letter = 0;
  for (const [index, seconds] of offsets.entries()) {
    at = bytes.writeInt32BE(seconds, at);
    // Whether an offset is summer time is not known here; a verifier that asks gets the plain answer.
    at = bytes.writeUInt8(0, at);
    at = bytes.writeUInt8(letter, at);
    letter += (labels[index] ?? '').length + 1;
  }
  bytes.write(letters, at, 'latin1');
  return bytes;
}

function label(seconds: number): string {
  const minutes = Math.abs(Math.round(seconds / 60));
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${seconds < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}${minutes % 60 === 0 ? '' : two(minutes % 60)}`;
}
