// Owns: lines on their way to files: JSON that every reader of lines takes, bytes gathered before they are written.
import { closeSync, openSync, writeSync } from 'node:fs';
import { safeJson } from './json.ts';

/** What only the careful way gets right: an escaped lone surrogate, a line separator of Unicode. */
const ODD = /\\ud[89a-f]|[\u2028\u2029]/i;

/** One line of JSON. Most values need no second look, which costs three times as much as the first. */
export function jsonLine(value: unknown): string {
  const text = JSON.stringify(value);
  return ODD.test(text) ? safeJson(value) : text;
}

export type Lines = {
  /** Adds a line; returns its length in bytes, its end among them. */
  add: (line: string) => number;
  /** Bytes added so far. */
  size: () => number;
  close: () => void;
};

const BUFFER = 1 << 20;

/** Writes a file for its owner alone. Throws what the file system throws. */
export function openLines(path: string, onBytes: (bytes: Uint8Array) => void = () => undefined): Lines {
  const file = openSync(path, 'w', 0o600);
  const buffer = Buffer.allocUnsafe(BUFFER);
  let held = 0;
  let size = 0;
  let isOpen = true;
  const put = (bytes: Uint8Array): void => {
    onBytes(bytes);
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at, bytes.length - at);
  };
  const flush = (): void => {
    put(buffer.subarray(0, held));
    held = 0;
  };
  return {
    add: (line) => {
      // A UTF-16 unit takes three bytes at most.
      const most = line.length * 3 + 1;
      if (held + most > BUFFER) flush();
      let length: number;
      if (most > BUFFER) {
        const bytes = Buffer.from(`${line}\n`);
        put(bytes);
        length = bytes.length;
      } else {
        const from = held;
        held += buffer.write(line, held);
        buffer[held] = 10;
        held += 1;
        length = held - from;
      }
      size += length;
      return length;
    },
    size: () => size,
    close: () => {
      if (!isOpen) return;
      isOpen = false;
      try {
        flush();
      } finally {
        closeSync(file);
      }
    },
  };
}
