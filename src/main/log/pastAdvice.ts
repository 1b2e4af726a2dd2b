// Indexes the advice people gave and the questions they answered, so that good answers are found again.
import { textHead, type Text } from '../../shared/events/text.ts';
import type { Recorded } from '../../shared/events/vocabulary.ts';
import { findConsultation } from '../../shared/episode/consultations.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import { attemptsBefore } from '../../shared/episode/attempts.ts';
import type { Database } from './database.ts';

type AdviceHit = { episode: string; consultation: string; rank: number };
export type PastAdviceIndex = {
  /** Keeps the words of advice a person gave; any other event is none of its business. */
  write(record: EpisodeRecord, recorded: Recorded): void;
  /** Drops what it keeps of an episode. */
  forget(episode: string): void;
  /** Advice whose ask, attempts or words hold some of `words`; best match first, each text once. */
  find(words: readonly string[], limit: number): AdviceHit[];
};

/** Failures before the ask tell asks apart better than their words do. */
const WEIGHTS = 'bm25(past_advice_words, 2.0, 3.0, 1.0)';

export function createPastAdvice(db: Database, loadText: (text: Text) => string): PastAdviceIndex {
  const insert = db.prepare<[number, string, string, number, string]>(
    'INSERT OR IGNORE INTO past_advice (id, episode, consultation, at, text) VALUES (?, ?, ?, ?, ?)',
  );
  const index = db.prepare<[number, string, string, string]>(
    'INSERT INTO past_advice_words (rowid, asked, tried, advice) VALUES (?, ?, ?, ?)',
  );
  const search = db.prepare<[string, number], AdviceHit>(
    `WITH found AS MATERIALIZED (
       SELECT p.episode, p.consultation, p.text, p.at, ${WEIGHTS} AS score
       FROM past_advice_words JOIN past_advice p ON p.id = past_advice_words.rowid
       WHERE past_advice_words MATCH ?)
     SELECT episode, consultation, min(score) AS rank FROM found
     GROUP BY text ORDER BY rank, at DESC LIMIT ?`,
  );
  const dropWords = db.prepare<[string]>(
    'DELETE FROM past_advice_words WHERE rowid IN (SELECT id FROM past_advice WHERE episode = ?)',
  );
  const drop = db.prepare<[string]>('DELETE FROM past_advice WHERE episode = ?');
  const forget = (episode: string): void => {
    dropWords.run(episode);
    drop.run(episode);
  };
  return {
    forget,
    write: (record, { seq, stream, at, actor, event }) => {
      if (event.kind === 'episode.forked') {
        // What stands before it was copied: it is past advice of the other episode.
        forget(stream);
        return;
      }
      if (event.kind !== 'advice.approved' || actor.type !== 'human') return;
      const asked = findConsultation(record, event.consultation);
      if (asked === undefined) return;
      const text = loadText(event.text);
      if (insert.run(seq, stream, event.consultation, at, text).changes === 0) return;
      index.run(seq, askedWords(asked.task, asked.question), attemptedWords(record, asked.before), text);
    },
    find: (words, limit) =>
      words.length === 0 ? [] : search.all(words.map((word) => `"${word}"`).join(' OR '), limit),
  };
}

/** The agent's task and question, as words. */
export const askedWords = (task: string | null, question: Text | null): string =>
  [task ?? '', question === null ? '' : textHead(question)].join(' ').trim();

/** The failing calls before an ask: tool names, arguments and errors. */
export const attemptedWords = (record: EpisodeRecord, turn: number): string =>
  attemptsBefore(record, turn)
    .filter(({ error, by }) => error !== null && by !== 'human')
    .map(({ tool_name, arguments: args, error }) => `${tool_name} ${args} ${error ?? ''}`)
    .join(' ');
