// The one exception to "nothing is updated": it takes a person's data or a pasted secret out of the log.
import { createHash } from 'node:crypto';
import { ERASED_TEXT_MIN as TEXT_MIN } from '../../shared/contract/library.ts';
import { tombstone } from '../../shared/events/library.ts';
import { isBlobRef, TEXT_HEAD_LENGTH } from '../../shared/events/text.ts';
import { KINDS, LogEvent, type Kind } from '../../shared/events/vocabulary.ts';
import { Failure } from '../../shared/failure.ts';
import { parseJson } from '../../shared/json.ts';
import type { Database } from './database.ts';
import { judgementsWithout, type Taking } from './eraseJudgements.ts';
import { createWithout, type Without } from './eraseText.ts';
import { createLongTexts } from './longTexts.ts';

export type EraseResult = {
  /** Events whose body was changed. */
  events: number;
  /** Events of annotation projects that lost words about the episode. */
  judgements: number;
  /** Places the text was taken out of, in whatever spelling; null when all texts were. */
  places: number | null;
  /** Events in which the text still stands, as a number of ours or across fields: looked for once it was taken out. */
  left: number;
  /** Of the text that was taken out; null when all were. */
  sha256: string | null;
  /** Episodes that hold copies of its turns, forks and other versions of its record: they were not touched. */
  copies: string[];
};

type ErasedRow = { seq: number; stream: string; kind: Kind; body: string };
type JsonValue = unknown;

/**
 * Replaces every text of an episode, or one text wherever it stands in it, and the same in what was written about it in
 * annotation projects, in one transaction; drops stored long texts that nothing refers to any more. Projections are the caller's to rebuild. Throws `not_found`, `bad_input`.
 */
export function eraseTexts(db: Database, episode: string, text: string | null): EraseResult {
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
    .prepare<[string, string, string], ErasedRow>(
      'SELECT seq, stream, kind, body FROM events WHERE stream IN (?, ?, ?) ORDER BY seq',
    )
    .all(episode, `late/${episode}`, `import/${episode}`);
  if (rows.length === 0) throw new Failure('not_found', `there is no episode ${episode} in this data folder`);
  const update = db.prepare('UPDATE events SET body = ? WHERE seq = ?');
  const taken = text === null ? null : createWithout(text, texts);
  const work = db.transaction((): Pick<EraseResult, 'events' | 'judgements' | 'left'> => {
    let events = 0;
    let left = 0;
    const dropped = new Set<string>();
    for (const { seq, kind, body } of rows) {
      const before = parseJson(body) as Record<string, unknown>;
      const after = taken === null ? withoutTexts(kind, before) : taken.body(before);
      const stored = JSON.stringify(texts.store(LogEvent.parse(after)));
      if (taken?.standsIn(stored) === true) left += 1;
      if (stored === JSON.stringify(before)) continue;
      for (const sha of blobsOf(before)) dropped.add(sha);
      update.run(stored, seq);
      events += 1;
    }
    const judgements = judgementsWithout(db, episode, takingOf(taken));
    for (const { seq, after } of judgements) update.run(JSON.stringify(LogEvent.parse(after)), seq);
    dropUnused(db, dropped);
    return { events, judgements: judgements.length, left };
  });
  const done = work.immediate();
  if (text !== null && done.events + done.judgements === 0) {
    throw new Failure('not_found', `the text does not stand anywhere in ${episode}`, {
      next: 'It must be given exactly as it was written, spaces and line ends included.',
    });
  }
  return {
    ...done,
    places: taken === null ? null : taken.places(),
    sha256: text === null ? null : shaOf(text),
    copies: copiesOf(db, episode),
  };
}

/** Makes what was deleted unreadable in the files too. Slow on a large log: the file is written anew. */
export function scrub(db: Database): void {
  db.exec("INSERT INTO past_advice_words (past_advice_words) VALUES ('optimize')");
  db.exec('VACUUM');
  db.pragma('wal_checkpoint(TRUNCATE)');
}

const shaOf = (text: string): string => createHash('sha256').update(text).digest('hex');

function withoutTexts(kind: Kind, body: Record<string, JsonValue>): Record<string, JsonValue> {
  const { texts, words } = KINDS[kind];
  const changed = { ...body };
  for (const field of [...texts, ...words]) if (field in body) changed[field] = emptied(field, body[field]);
  return changed;
}

/** The same for what people wrote about the episode elsewhere. */
const takingOf = (taken: Without | null): Taking =>
  taken === null
    ? { text: (all) => String(emptied('text', all)), move: emptiedMove }
    : { text: (all) => String(taken.body({ all })['all']), move: (move) => taken.body(move) };

/** The same type, nothing of the content; a text leaves its hash. */
function emptied(field: string, value: JsonValue): JsonValue {
  if (value === null || value === undefined) return value;
  if (typeof value === 'string') return isErasedMark(value) ? value : tombstone(shaOf(value));
  if (isBlobRef(value)) return tombstone(value.$blob);
  if (field === 'tool_calls' && Array.isArray(value)) {
    return value.map((call: Record<string, JsonValue>) => ({ ...call, arguments: '{}' }));
  }
  if (field === 'move') return emptiedMove(value as Record<string, JsonValue>);
  // How many values there were says nothing of them.
  if (field === 'leak') return { ...(value as Record<string, JsonValue>), values: null };
  if (field === 'hint' && typeof value === 'object') {
    const { text, ...rest } = value as Record<string, JsonValue>;
    return { ...rest, text: emptied('text', text) };
  }
  if (field === 'verify_result') return null;
  return Array.isArray(value) ? [] : {};
}

const isErasedMark = (text: string): boolean => /^\[erased sha256:[0-9a-f]{64}\]$/.test(text);

function emptiedMove(move: Record<string, JsonValue>): Record<string, JsonValue> {
  const words = ['text', 'task', 'context', 'available_tools', 'detail'].filter((name) => name in move);
  const changed: Record<string, JsonValue> = { ...move };
  for (const name of words) changed[name] = emptied('text', move[name]);
  if ('arguments' in move) changed['arguments'] = {};
  return changed;
}

function* blobsOf(value: JsonValue): Generator<string> {
  if (isBlobRef(value)) yield value.$blob;
  else if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) yield* blobsOf(inner);
}

/** Other episodes may hold the same text: it goes when nothing refers to it. */
function dropUnused(db: Database, candidates: Set<string>): void {
  if (candidates.size === 0) return;
  const left = new Set(candidates);
  // A reference holds the head of its text: a shorter body has none, and its length is told without reading it.
  const referring = db.prepare<[number], { body: string }>(
    `SELECT body FROM events WHERE octet_length(body) > ? AND instr(body, '"$blob"') > 0`,
  );
  for (const { body } of referring.iterate(TEXT_HEAD_LENGTH)) {
    for (const match of body.matchAll(/"\$blob":"([0-9a-f]{64})"/g)) left.delete(match[1] ?? '');
    if (left.size === 0) return;
  }
  const remove = db.prepare('DELETE FROM texts WHERE sha256 = ?');
  for (const sha of left) remove.run(sha);
}

const copiesOf = (db: Database, episode: string): string[] =>
  db
    .prepare<[{ episode: string }], string>(
      `SELECT stream FROM (
         SELECT stream, seq FROM events WHERE kind = 'episode.forked' AND json_extract(body, '$.from') = @episode
         UNION SELECT episode, source_index FROM imported WHERE episode <> @episode AND sha256 IN
           (SELECT json_extract(body, '$.record.identity') FROM events WHERE stream = @episode AND n <= 2)
       ) ORDER BY seq`,
    )
    .pluck()
    .all({ episode });
