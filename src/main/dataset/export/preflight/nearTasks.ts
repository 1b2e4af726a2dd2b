// Finds tasks whose wording is nearly the same, numbers and quoted names aside. Each task is remembered by two
// hundred bytes, however long its text is.
import { truncate } from '../../../../shared/truncate.ts';

export type Signature = Uint32Array;
const SIGNATURE_SIZE = 48;
const BANDS = 16;
const ROWS_PER_BAND = SIGNATURE_SIZE / BANDS;
/** Words of a task that are looked at. */
const TASK_WORDS_MAX = 600;
/** Estimated share of common runs of words from which two tasks are nearly the same. */
export const NEAR = 0.8;

const taskWords = (text: string): string[] =>
  truncate(text)
    .toLowerCase()
    .replace(/"[^"\n]{1,80}"|“[^”\n]{1,80}”|'[^'\n]{1,80}'/g, ' q ')
    .replace(/\d+/g, '0')
    .replace(/[^\p{L}0]+/gu, ' ')
    .trim()
    .split(' ', TASK_WORDS_MAX);

/** FNV-1a, 32 bits. */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) {
    hash ^= text.charCodeAt(i);
    hash = Math.imul(hash, 0x01000193);
  }
  return hash >>> 0;
}

/** The least of many hashes of its runs of words: as many are equal in two texts as they have runs in common. */
export function signatureOf(text: string): Signature {
  const words = taskWords(text);
  const signature = new Uint32Array(SIGNATURE_SIZE).fill(0xffffffff);
  const runs = Math.max(1, words.length - 2);
  for (let at = 0; at < runs; at += 1) {
    const base = hashText(words.slice(at, at + 3).join(' '));
    for (let i = 0; i < SIGNATURE_SIZE; i += 1) {
      const mixed = mix(base ^ Math.imul(i + 1, 0x9e3779b1));
      if (mixed < (signature[i] ?? 0)) signature[i] = mixed;
    }
  }
  return signature;
}

function mix(value: number): number {
  let hash = value ^ (value >>> 16);
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

export const likeness = (a: Signature, b: Signature): number =>
  a.reduce((same, value, at) => same + Number(value === b[at]), 0) / SIGNATURE_SIZE;

/** Those of `tasks` that are nearly the same as one of `others`, each with the first it is like. */
export function nearTasks<Task>(
  tasks: Iterable<readonly [Task, Signature]>,
  others: Iterable<readonly [Task, Signature]>,
): { task: Task; other: Task }[] {
  const buckets = new Map<string, [Task, Signature][]>();
  for (const [other, signature] of others) {
    for (const band of bandsOf(signature)) {
      const bucket = buckets.get(band);
      if (bucket === undefined) buckets.set(band, [[other, signature]]);
      else if (bucket.length < BUCKET_MAX) bucket.push([other, signature]);
    }
  }
  const found: { task: Task; other: Task }[] = [];
  for (const [task, signature] of tasks) {
    const near = bandsOf(signature)
      .flatMap((band) => buckets.get(band) ?? [])
      .find(([, other]) => likeness(signature, other) >= NEAR);
    if (near !== undefined) found.push({ task, other: near[0] });
  }
  return found;
}

/** Tasks that look alike to one band; more of them would be compared in vain. */
const BUCKET_MAX = 64;

const bandsOf = (signature: Signature): string[] =>
  Array.from(
    { length: BANDS },
    (_, band) =>
      `${String(band)}:${signature.slice(band * ROWS_PER_BAND, band * ROWS_PER_BAND + ROWS_PER_BAND).join('.')}`,
  );
