// How a pin is read and written. A group of pins is a folder of text files under pinned/; `npx vitest run
// test/pins/outside -u` writes them. What is too long to review is a digest of its bytes and a readable outline of them;
// the bytes themselves lie under .cache/pins after each run, so that those of two commits can be compared.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { isRecord, tryJson } from '../../../src/shared/json.ts';

const FOLDER = join(import.meta.dirname, 'pinned');
const WHOLE = join(import.meta.dirname, '..', '..', '..', '.cache', 'pins');
/** A text up to this length is pinned as it is. */
const READABLE = 6_000;
/** The first row of each kind is shown with all its fields; of each other one its digest and beginning. */
const ROW_HEAD = 140;
const STRING_HEAD = 100;
const LIST_HEAD = 4;

/** A text by its name in the file of a pin. */
export type Texts = Record<string, string>;

/** Holds a group's texts against its folder; a file there that nobody pins any more is a failure. */
export function pinsOf(group: string) {
  const pinned = new Set<string>();
  rmSync(join(WHOLE, group), { recursive: true, force: true });
  afterAll(() => {
    const there = existsSync(join(FOLDER, group)) ? readdirSync(join(FOLDER, group)) : [];
    const needless = there.filter((name) => !pinned.has(name));
    expect(needless, `files in test/pins/outside/pinned/${group} that no test pins: delete them`).toEqual([]);
  });
  /** Of the parts in `digests` nothing but the digest is pinned: they are readable elsewhere. */
  return async (name: string, texts: Texts, digests: readonly string[] = []): Promise<void> => {
    const file = `${name}.txt`;
    pinned.add(file);
    const whole = join(WHOLE, group, name);
    for (const [part, text] of Object.entries(texts)) {
      const path = join(whole, part.replaceAll(/[^\w.-]/g, '_').slice(0, 100));
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
    const sections = Object.entries(texts).map(
      ([part, text]) => `=== ${part}\n${digests.includes(part) ? digestOf(text) : readable(text)}`,
    );
    await expect(`${sections.join('\n')}\n`).toMatchFileSnapshot(join(FOLDER, group, file));
  };
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

const digestOf = (text: string): string =>
  `sha256 ${digest(text)}, ${String(Buffer.byteLength(text))} bytes, ${String(text.split('\n').length - 1)} lines`;

/** The text itself, or its digest and what a reviewer can read of it. */
function readable(text: string): string {
  if (text.length <= READABLE) return text;
  return `${digestOf(text)}\n${outlineOf(text)}`;
}

function outlineOf(text: string): string {
  const one = tryJson(text);
  if (one !== undefined) return JSON.stringify(shortened(one), null, 1);
  const seen = new Set<unknown>();
  return text
    .trimEnd()
    .split('\n')
    .map((line) => {
      if (line.length <= ROW_HEAD) return line;
      const row = tryJson(line);
      const kind = kindOf(row);
      const isFirst = isRecord(row) && !seen.has(kind);
      seen.add(kind);
      const shown = isFirst ? JSON.stringify(shortened(row), null, 1) : `${line.slice(0, ROW_HEAD)}…`;
      return `${digest(line).slice(0, 12)} ${shown}`;
    })
    .join('\n');
}

/** What a row of a data file says that it is: the kind of an event, the type of a printed line. */
const kindOf = (row: unknown): unknown =>
  isRecord(row) ? (isRecord(row['event']) ? row['event']['kind'] : row['type']) : null;

/** The same value with the beginning, length and digest of each long string and list in it. */
function shortened(value: unknown): unknown {
  if (Array.isArray(value)) {
    const shown = value.slice(0, LIST_HEAD).map(shortened);
    if (value.length <= LIST_HEAD + 1) return value.map(shortened);
    const rest = JSON.stringify(value.slice(LIST_HEAD));
    return [...shown, `… (${String(value.length)} in all, ${digest(rest).slice(0, 12)})`];
  }
  if (isRecord(value))
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shortened(each)]));
  if (typeof value !== 'string' || value.length <= 2 * STRING_HEAD) return value;
  return `${value.slice(0, STRING_HEAD)}… (${String(value.length)} characters, ${digest(value).slice(0, 12)})`;
}

/**
 * A text without what differs from run to run: ports, folders, how long things took, moments of the real clock, and ids
 * and secrets, each numbered as it first comes. What the scripted clock of the scene says stays: it stands in 2020.
 */
export function createMask(folders: readonly string[] = []) {
  const names = new Map<string, string>();
  const numbered = (label: string) => (found: string) => {
    const name =
      names.get(found) ??
      `${label}-${String([...names.values()].filter((one) => one.startsWith(`${label}-`)).length + 1)}`;
    names.set(found, name);
    return name;
  };
  return (text: string): string => {
    let masked = text;
    for (const folder of folders) masked = masked.replaceAll(folder, 'FOLDER');
    return masked
      .replaceAll(/(127\.0\.0\.1|localhost):\d+/g, '$1:PORT')
      .replaceAll(/\b(?!2020)20\d\d-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?( UTC|Z)?/g, 'TIME')
      .replaceAll(/("(?:latency_ms|eta_s)\\?":)\d+(?:\.\d+)?/g, '$1"…"')
      .replaceAll(/(?<![\w.])1[7-9]\d{11}(?:\.\d+)?(?![\w.])/g, 'MS')
      .replaceAll(/(?<="(?:identity|content|last_step)":")(?:[0-9a-f]{64}|[0-9a-f]{16})(?=")/g, 'KEYED')
      .replaceAll(/\bij-[0-9a-f]{12}-[\w-]{32}/g, numbered('KEY'))
      .replaceAll(/(?<="token":"|#token=)[\w-]{32}(?=")/g, numbered('TOKEN'))
      .replaceAll(/\binvite\.seat-[0-9a-f]{12}\.[\w-]{32}/g, numbered('INVITE'))
      .replaceAll(/\bseat-[0-9a-f]{12}\b/g, numbered('SEAT'))
      .replaceAll(/(?<="id":")[0-9a-f]{12}(?=")/g, numbered('ID'))
      .replaceAll(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, numbered('UUID'))
      .replaceAll(/(?<![0-9a-z])1[0-9a-hjkmnp-tv-z]{18}(?![0-9a-z])/g, numbered('ID'));
  };
}
