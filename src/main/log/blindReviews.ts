// The list of reviews that must be made without knowing how the episode went. It can be rebuilt from the log alone.
import type { Recorded } from '../../shared/events/vocabulary.ts';
import { episodesOf } from '../../shared/review/target.ts';
import type { Database } from './database.ts';

export type BlindReviews = {
  /** Call inside the event's transaction. */
  write(recorded: Recorded): void;
  /** Whether a seat still has a review to make, of the episode or a relative of it, that its outcome would colour. */
  isCovered(seat: string, episode: string): boolean;
};

/** Forks of an episode and what it was forked from: one of them tells how another may have gone. */
function createFamilies(db: Database) {
  const all = db.prepare<[], { stream: string; origin: string }>(
    "SELECT stream, json_extract(body, '$.from') AS origin FROM events WHERE kind = 'episode.forked'",
  );
  let relatives: Map<string, Set<string>> | null = null;
  const relate = (into: Map<string, Set<string>>, one: string, other: string): void => {
    into.set(one, (into.get(one) ?? new Set()).add(other));
    into.set(other, (into.get(other) ?? new Set()).add(one));
  };
  const known = (): Map<string, Set<string>> => {
    if (relatives !== null) return relatives;
    relatives = new Map();
    for (const { stream, origin } of all.all()) relate(relatives, stream, origin);
    return relatives;
  };
  return {
    forked: (episode: string, from: string): void => {
      if (relatives !== null) relate(relatives, episode, from);
    },
    /** The episode and all that are related to it, however far. */
    of: (episode: string): Set<string> => {
      const family = new Set([episode]);
      for (const member of family) for (const next of known().get(member) ?? []) family.add(next);
      return family;
    },
  };
}

/** Stands for any seat that may review. */
const ANYONE = '*';

export function createCovered(db: Database): BlindReviews {
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
  const families = createFamilies(db);
  return {
    write: ({ stream, event, actor }) => {
      if (event.kind === 'episode.forked') families.forked(stream, event.from);
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
    isCovered: (seat, episode) =>
      [...families.of(episode)].some((member) => find.get(member, ANYONE, seat, seat) !== undefined),
  };
}
