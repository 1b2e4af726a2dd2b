// Keeping long texts content-addressed beside the events, and giving them back whole or in stretches.
import { createHash } from 'node:crypto';
import { damagedLog, Failure } from '../../shared/failure.ts';
import type { BlobRef, Text } from '../../shared/events/text.ts';
import { TEXT_HEAD_LENGTH, TEXT_INLINE_MAX } from '../../shared/events/text.ts';
import { KINDS, type LogEvent } from '../../shared/events/vocabulary.ts';
import type { Database } from './database.ts';

export type LongTexts = {
  /** The event with its long texts stored and replaced by references. Call inside the event's transaction. */
  store(event: LogEvent): LogEvent;
  /** The whole text. Throws `not_found` when a reference leads nowhere. */
  loadText(text: Text): string;
  /** A stretch of a stored text; offsets in UTF-16 units. */
  stretch(sha256: string, offset: number, length: number): { text: string; total: number };
  /** Drops what is kept in memory: a text may have been erased. */
  forget(): void;
};

/** Keeps a text and returns what refers to it. */
type KeepText = (sha256: string, text: string) => void;

/** The event with its long texts given to `keep` and replaced by references. */
export function withoutLongTexts(event: LogEvent, keep: KeepText): LogEvent {
  if (event.kind === 'move.proposed') {
    const { move } = event;
    if (move.type !== 'final' || !isLongText(move.text)) return event;
    return { ...event, move: { ...move, text: referTo(move.text, keep) } };
  }
  const given: Readonly<Record<string, unknown>> = event;
  let changed: Record<string, unknown> | null = null;
  for (const field of KINDS[event.kind].stored) {
    const value = given[field];
    if (!isLongText(value)) continue;
    changed ??= { ...given };
    changed[field] = referTo(value, keep);
  }
  return changed === null ? event : (changed as LogEvent);
}

const isLongText = (value: unknown): value is string =>
  typeof value === 'string' && value.length > TEXT_INLINE_MAX;

function referTo(text: string, keep: KeepText): BlobRef {
  const sha256 = createHash('sha256').update(text).digest('hex');
  keep(sha256, text);
  return {
    $blob: sha256,
    length: text.length,
    lines: lineCount(text),
    head: text.slice(0, TEXT_HEAD_LENGTH),
  };
}

export function createLongTexts(db: Database): LongTexts {
  const insert = db.prepare('INSERT OR IGNORE INTO texts (sha256, text) VALUES (?, ?)');
  const select = db.prepare<[string], { text: string }>('SELECT text FROM texts WHERE sha256 = ?');
  // A person pages through one long text at a time: the last one read is kept.
  let last: { sha256: string; text: string } | null = null;

  const read = (sha256: string, absent: (sha256: string) => Failure): string => {
    if (last?.sha256 === sha256) return last.text;
    const text = select.get(sha256)?.text;
    if (text === undefined) throw absent(sha256);
    last = { sha256, text };
    return text;
  };
  return {
    store: (event) => withoutLongTexts(event, (sha256, text) => void insert.run(sha256, text)),
    loadText: (text) => (typeof text === 'string' ? text : read(text.$blob, lostText)),
    stretch: (sha256, offset, length) => {
      const text = read(sha256, unknown);
      return { text: text.slice(offset, offset + length), total: text.length };
    },
    forget: () => {
      last = null;
    },
  };
}

const unknown = (sha256: string): Failure => new Failure('not_found', `no stored text ${sha256}`);
/** An event refers to it, so it was there. */
const lostText = (sha256: string): Failure => damagedLog(`the long text ${sha256} is gone from the log`);

function lineCount(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}
