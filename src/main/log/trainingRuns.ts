// Runs that trainers have named, and their episodes, from the list that the library reads.
import { EpisodeRow } from '../../shared/episode/rowShapes.ts';
import type { Database } from './database.ts';
import { createGroups, type Groups } from './groups.ts';
import { actsWhere } from './humanWork.ts';

type PlayedRun = { run: string; episodes: number; steps: number; at: number };
export type TrainingRuns = {
  /** Newest first. */
  list(): PlayedRun[];
  episodes(run: string): EpisodeRow[];
  /** Measured time of people on an episode; null where none was measured. */
  activeMs(episode: string): number | null;
};

/** Opens trainers' rollouts: groups of one prompt, and the runs they belong to. */
export const openRollouts = (db: Database): { groups: Groups; trainingRuns: TrainingRuns } => ({
  groups: createGroups(db),
  trainingRuns: createTrainingRuns(db),
});

/** Rollouts of one run that are read; a page is not to hold more. */
const ROLLOUTS_MAX = 50_000;

export function createTrainingRuns(db: Database): TrainingRuns {
  const runs = db.prepare<[], PlayedRun>(
    `SELECT l.run AS run, count(*) AS episodes, count(DISTINCT json_extract(e.row, '$.step')) AS steps,
       max(l.started_at) AS at
     FROM episode_list l JOIN episodes e ON e.id = l.id
     WHERE l.run IS NOT NULL AND json_extract(e.row, '$.step') IS NOT NULL
     GROUP BY l.run ORDER BY max(l.started_at) DESC`,
  );
  const ofRun = db.prepare<[string], { row: string }>(
    `SELECT e.row AS row FROM episode_list l JOIN episodes e ON e.id = l.id
     WHERE l.run = ? ORDER BY l.started_at, l.id LIMIT ${String(ROLLOUTS_MAX)}`,
  );
  const time = db.prepare<[string, string], { ms: number | null }>(
    `SELECT sum(ms) AS ms FROM (${actsWhere('stream = ?')})`,
  );
  return {
    list: () => runs.all(),
    episodes: (run) => ofRun.all(run).map(({ row }) => EpisodeRow.parse(JSON.parse(row))),
    activeMs: (episode) => time.get(episode, episode)?.ms ?? null,
  };
}
