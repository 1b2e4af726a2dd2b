// Owns: the one exception to "nothing is updated": a person's data or a pasted secret is taken out of the log for good.
// What stays says so: a tombstone with the text's hash in its place, and an event that names who did it and why.
import { createHash } from 'node:crypto';
import { ERASED_TEXT_MIN as TEXT_MIN } from '../../shared/contract/erase.ts';
import { tombstone } from '../../shared/events/erase.ts';
import { isBlobRef } from '../../shared/events/text.ts';
import { upcast } from '../../shared/events/upcast.ts';
import { LogEvent, type Kind } from '../../shared/events/vocabulary.ts';
import { Failure } from '../../shared/failure.ts';
import type { Database } from './database.ts';
import { ERASED_FIELDS } from './erasedFields.ts';
import { judgementsWithout, type Taking } from './eraseJudgements.ts';
import { createLongTexts, type LongTexts } from './longTexts.ts';

export type Erased = {
  /** Events whose body was changed. */
  events: number;
  /** Events of annotation projects that lost words about the episode. */
  judgements: number;
  /** Of the text that was taken out; null when all were. */
  sha256: string | null;
  /** Episodes that hold copies of its turns: they were not touched. */
  copies: string[];
};

type Row = { seq: number; stream: string; kind: Kind; body: string };
type Json = unknown;

/**
 * Replaces every text of an episode, or one text wherever it stands in it, and the same in what was written about it in
 * annotation projects, in one transaction; drops stored long texts that nothing refers to any more. Projections are the caller's to rebuild. Throws `not_found`, `bad_input`.
 */
export function eraseTexts(db: Database, episode: string, text: string | null): Erased {
  if (text !== null && text.length < TEXT_MIN) {
    throw new Failure(
      'bad_input',
      `a text of fewer than ${String(TEXT_MIN)} characters cannot be told apart`,
      {
        next: 'Give more of what stands around it, or erase the whole episode.',
      },
    );
  }
  const texts = createLongTexts(db);
  const rows = db
    .prepare<[string, string], Row>(
      'SELECT seq, stream, kind, body FROM events WHERE stream IN (?, ?) ORDER BY seq',
    )
    .all(episode, `late/${episode}`);
  if (rows.length === 0) throw new Failure('not_found', `there is no episode ${episode} in this data folder`);
  const update = db.prepare('UPDATE events SET body = ? WHERE seq = ?');
  const work = db.transaction((): { events: number; judgements: number } => {
    let events = 0;
    const dropped = new Set<string>();
    for (const { seq, kind, body } of rows) {
      const before = upcast(JSON.parse(body) as Record<string, unknown>);
      const after = text === null ? withoutTexts(kind, before) : withoutText(before, text, texts);
      const stored = JSON.stringify(texts.store(LogEvent.parse(after)));
      if (stored === JSON.stringify(before)) continue;
      for (const sha of blobsOf(before)) dropped.add(sha);
      update.run(stored, seq);
      events += 1;
    }
    const judgements = judgementsWithout(db, episode, takingOf(text, texts));
    for (const { seq, after } of judgements) update.run(JSON.stringify(LogEvent.parse(upcast(after))), seq);
    dropUnused(db, dropped);
    return { events, judgements: judgements.length };
  });
  const { events, judgements } = work.immediate();
  if (text !== null && events + judgements === 0) {
    throw new Failure('not_found', `the text does not stand anywhere in ${episode}`, {
      next: 'It must be given exactly as it was written, spaces and line ends included.',
    });
  }
  return { events, judgements, sha256: text === null ? null : shaOf(text), copies: copiesOf(db, episode) };
}

/** Makes what was deleted unreadable in the files too. Slow on a large log: the file is written anew. */
export function scrub(db: Database): void {
  db.exec("INSERT INTO past_advice_words (past_advice_words) VALUES ('optimize')");
  db.exec('VACUUM');
  db.pragma('wal_checkpoint(TRUNCATE)');
}

const shaOf = (text: string): string => createHash('sha256').update(text).digest('hex');

function withoutTexts(kind: Kind, body: Record<string, Json>): Record<string, Json> {
  const fields = ERASED_FIELDS[kind] ?? [];
  const changed = { ...body };
  for (const field of fields) if (field in body) changed[field] = emptied(field, body[field]);
  return changed;
}

/** The same for what people wrote about the episode elsewhere. */
const takingOf = (text: string | null, texts: LongTexts): Taking =>
  text === null
    ? { text: (all) => String(emptied('text', all)), move: emptiedMove }
    : {
        text: (all) => String(withoutText({ all }, text, texts)['all']),
        move: (move) => withoutText(move, text, texts),
      };

/** The same type, nothing of the content; a text leaves its hash. */
function emptied(field: string, value: Json): Json {
  if (value === null || value === undefined) return value;
  if (typeof value === 'string') return isTombstone(value) ? value : tombstone(shaOf(value));
  if (isBlobRef(value)) return tombstone(value.$blob);
  if (field === 'tool_calls' && Array.isArray(value)) {
    return value.map((call: Record<string, Json>) => ({ ...call, arguments: '{}' }));
  }
  if (field === 'move') return emptiedMove(value as Record<string, Json>);
  if (field === 'hint' && typeof value === 'object') {
    const { text, ...rest } = value as Record<string, Json>;
    return { ...rest, text: emptied('text', text) };
  }
  if (field === 'verify_result') return null;
  return Array.isArray(value) ? [] : {};
}

const isTombstone = (text: string): boolean => /^\[erased sha256:[0-9a-f]{64}\]$/.test(text);

function emptiedMove(move: Record<string, Json>): Record<string, Json> {
  const words = ['text', 'task', 'context', 'available_tools', 'detail'].filter((name) => name in move);
  const changed: Record<string, Json> = { ...move };
  for (const name of words) changed[name] = emptied('text', move[name]);
  if ('arguments' in move) changed['arguments'] = {};
  return changed;
}

/** The text taken out of every string of a body, of keys too, and of long texts stored beside it. */
function withoutText(body: Record<string, Json>, text: string, texts: LongTexts): Record<string, Json> {
  const mark = tombstone(shaOf(text));
  // Inside JSON that stands as a string, the same text is written with escapes.
  const escaped = JSON.stringify(text).slice(1, -1);
  const forms = [...new Set([text, escaped, JSON.stringify(escaped).slice(1, -1)])];
  const clean = (value: string): string => {
    let cleaned = value;
    for (const form of forms) cleaned = cleaned.replaceAll(form, mark);
    return cleaned;
  };
  const walk = (value: Json): Json => {
    if (typeof value === 'string') return clean(value);
    if (Array.isArray(value)) return value.map(walk);
    if (isBlobRef(value)) {
      const whole = texts.whole(value);
      const cleaned = clean(whole);
      return cleaned === whole ? value : cleaned;
    }
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [clean(key), walk(inner)]));
  };
  return walk(body) as Record<string, Json>;
}

function* blobsOf(value: Json): Generator<string> {
  if (isBlobRef(value)) yield value.$blob;
  else if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) yield* blobsOf(inner);
}

/** Other episodes may hold the same text: it goes when nothing refers to it. */
function dropUnused(db: Database, candidates: Set<string>): void {
  if (candidates.size === 0) return;
  const left = new Set(candidates);
  const referring = db.prepare<[], { body: string }>(`SELECT body FROM events WHERE body LIKE '%"$blob"%'`);
  for (const { body } of referring.iterate()) {
    for (const match of body.matchAll(/"\$blob":"([0-9a-f]{64})"/g)) left.delete(match[1] ?? '');
    if (left.size === 0) return;
  }
  const remove = db.prepare('DELETE FROM texts WHERE sha256 = ?');
  for (const sha of left) remove.run(sha);
}

const copiesOf = (db: Database, episode: string): string[] =>
  db
    .prepare<[string], { stream: string }>(
      "SELECT stream FROM events WHERE kind = 'episode.forked' AND json_extract(body, '$.from') = ? ORDER BY seq",
    )
    .all(episode)
    .map(({ stream }) => stream);
