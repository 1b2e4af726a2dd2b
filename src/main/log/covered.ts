// Owns: whose reviews are to be made without knowing how the episode went. Rebuildable from the log alone.
import type { Recorded } from '../../shared/events/vocabulary.ts';
import { episodesOf } from '../../shared/annotate/target.ts';
import type { Database } from './database.ts';

export type Covered = {
  /** Call inside the event's transaction. */
  write(recorded: Recorded): void;
  /** Whether a seat still has a review of the episode to make that the outcome would colour. */
  isCovered(seat: string, episode: string): boolean;
};

/** Stands for any seat that may review. */
const ANYONE = '*';

export function createCovered(db: Database): Covered {
  const cover = db.prepare('INSERT OR IGNORE INTO review_covered (episode, item, seat) VALUES (?, ?, ?)');
  const assign = db.prepare(
    'INSERT OR IGNORE INTO review_covered (episode, item, seat) SELECT DISTINCT episode, item, ? FROM review_covered WHERE item = ?',
  );
  const finish = db.prepare('INSERT OR IGNORE INTO review_finished (item, seat) VALUES (?, ?)');
  const reopen = db.prepare('DELETE FROM review_finished WHERE item = ? AND seat = ?');
  const find = db.prepare<[string, string, string, string], { found: number }>(
    `SELECT 1 AS found FROM review_covered c WHERE c.episode = ? AND c.seat IN (?, ?)
       AND NOT EXISTS (SELECT 1 FROM review_finished f WHERE f.item = c.item AND f.seat = ?) LIMIT 1`,
  );
  return {
    write: ({ event, actor }) => {
      if (event.kind === 'items.added' && event.hides_outcome) {
        for (const { item, subject, reviewers } of event.items) {
          const seats = reviewers.length === 0 ? [ANYONE] : reviewers;
          for (const episode of episodesOf(subject)) for (const seat of seats) cover.run(episode, item, seat);
        }
      }
      if (event.kind === 'item.assigned') {
        const seats = event.reviewers.length === 0 ? [ANYONE] : event.reviewers;
        for (const seat of seats) assign.run(seat, event.item);
      }
      if (event.kind === 'item.done' || event.kind === 'item.skipped') finish.run(event.item, actor.id ?? '');
      if (event.kind === 'item.reopened') reopen.run(event.item, actor.id ?? '');
    },
    isCovered: (seat, episode) => find.get(episode, ANYONE, seat, seat) !== undefined,
  };
}
