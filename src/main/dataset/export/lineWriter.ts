// Buffers JSON lines into files and hashes them on the way.
import { createHash, hash } from 'node:crypto';
import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { safeJson } from './json.ts';

/** Text that only `safeJson` gets right: an escaped lone surrogate, a line separator of Unicode. */
const ODD = /\\ud[89a-f]|[\u2028\u2029]/i;

/** One line of JSON. Most values need no second look, which costs three times as much as the first. */
export function jsonLine(value: unknown): string {
  const text = JSON.stringify(value);
  return ODD.test(text) ? safeJson(value) : text;
}

export type FileSum = { sha256: string; bytes: number };
export type LineWriter = {
  /** Adds a line; returns its length in bytes, its end among them. */
  add: (line: string) => number;
  /** Adds lines that are bytes already, with their ends. */
  addBytes: (bytes: Uint8Array) => void;
  /** Writes what is held and closes the file; the same again when it is closed already. */
  close: () => FileSum;
};

/** Writes a whole file of one text for its owner alone. Throws what the file system throws. */
export function writeTextFile(path: string, text: string): FileSum {
  const bytes = Buffer.from(text);
  writeFileSync(path, bytes, { mode: 0o600 });
  return { sha256: hash('sha256', bytes, 'hex'), bytes: bytes.length };
}

const BUFFER = 1 << 20;
const LINE_END = 10;

/** Writes a file for its owner alone. Throws what the file system throws. */
export function openLineWriter(path: string): LineWriter {
  const file = openSync(path, 'w', 0o600);
  const digest = createHash('sha256');
  const buffer = Buffer.allocUnsafe(BUFFER);
  let held = 0;
  let size = 0;
  let sum: FileSum | null = null;
  const put = (bytes: Uint8Array): void => {
    digest.update(bytes);
    size += bytes.length;
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at, bytes.length - at);
  };
  const flush = (): void => {
    put(buffer.subarray(0, held));
    held = 0;
  };
  const addBytes = (bytes: Uint8Array): void => {
    flush();
    put(bytes);
  };
  return {
    addBytes,
    add: (line) => {
      // A UTF-16 unit takes three bytes at most.
      const most = line.length * 3 + 1;
      if (most > BUFFER) {
        const bytes = Buffer.from(`${line}\n`);
        addBytes(bytes);
        return bytes.length;
      }
      if (held + most > BUFFER) flush();
      const from = held;
      held += buffer.write(line, held);
      buffer[held] = LINE_END;
      held += 1;
      return held - from;
    },
    close: () => {
      if (sum !== null) return sum;
      try {
        flush();
      } finally {
        closeSync(file);
        sum = { sha256: digest.digest('hex'), bytes: size };
      }
      return sum;
    },
  };
}
