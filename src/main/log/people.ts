// Sums people's time: minutes at their acts, and the reward of the episodes they helped. Read from the log alone; one
// act on several asks counts its time once.
import type { Database } from './database.ts';
import { actsWhere } from './humanWork.ts';

export type PeopleSummary = {
  /** Active minutes since a time, and in all. */
  minutesSince: number;
  minutes: number;
  /** Decisions, notes and moves by people; one act on several asks is one. */
  acts: number;
  /** Ended episodes with at least one of them, and the sum of their rewards. */
  episodes: number;
  reward: number;
};

/** `since` in UTC ms. Scripted answers and the advisor's own are left out. */
export function readPeople(db: Database, since: number): PeopleSummary {
  const acts = db.prepare<[], { at: number; ms: number | null }>(actsWhere('TRUE')).all();
  const helped = db
    .prepare<[], { n: number; reward: number | null }>(
      `SELECT count(*) AS n, sum(reward) AS reward FROM episode_list WHERE status = 'ended' AND human_acts > 0`,
    )
    .get();
  const minutesOf = (list: typeof acts): number => list.reduce((sum, { ms }) => sum + (ms ?? 0), 0) / 60_000;
  return {
    minutesSince: minutesOf(acts.filter(({ at }) => at >= since)),
    minutes: minutesOf(acts),
    acts: acts.length,
    episodes: helped?.n ?? 0,
    reward: helped?.reward ?? 0,
  };
}
