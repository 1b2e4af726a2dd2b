// A count of what reviewers have said about each episode. It can be rebuilt from the log alone.
import { episodesOf } from '../../shared/review/target.ts';
import type { Recorded } from '../../shared/events/vocabulary.ts';
import type { Database } from './database.ts';

export type JudgementCounts = {
  /** Call inside the event's transaction. */
  write(recorded: Recorded): void;
  /** Judgements of an episode that were not taken back. */
  count(episode: string): number;
};

export const IS_JUDGED = 'EXISTS (SELECT 1 FROM judged WHERE judged.episode = episode_list.id)';

/** Narrows it to those with a judgement of one seat. */
export const IS_JUDGED_BY =
  'EXISTS (SELECT 1 FROM judged WHERE judged.seat = ? AND judged.episode = episode_list.id)';

export function createJudged(db: Database): JudgementCounts {
  const insert = db.prepare('INSERT OR IGNORE INTO judged (episode, judgement, seat) VALUES (?, ?, ?)');
  const remove = db.prepare('DELETE FROM judged WHERE judgement = ?');
  const count = db.prepare<[string], { total: number }>(
    'SELECT count(*) AS total FROM judged WHERE episode = ?',
  );
  return {
    write: ({ event, actor }) => {
      const seat = actor.type === 'human' ? actor.id : null;
      switch (event.kind) {
        case 'annotation.given':
          return void insert.run(event.target.episode, event.annotation, seat);
        case 'correction.given':
          return void insert.run(event.target.episode, event.correction, seat);
        case 'preference.given':
          for (const episode of episodesOf({ type: 'pair', left: event.left, right: event.right }))
            insert.run(episode, event.preference, seat);
          return;
        case 'annotation.withdrawn':
          return void remove.run(event.annotation);
        default:
      }
    },
    count: (episode) => count.get(episode)?.total ?? 0,
  };
}
