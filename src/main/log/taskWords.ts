// The words of a task that is known by its address alone, from the newest episodes that played it.
import type { NamedTask } from '../../shared/contract/library.ts';
import type { Database } from './database.ts';

export type TaskWords = (task: NamedTask) => string | null;

/** Environments that share a name for their tasks show among so many episodes. */
const EPISODES_READ = 32;

export function createTaskWords(db: Database): TaskWords {
  const newest = db.prepare<[string, number, string | null], { environment: string | null; task: string }>(
    `SELECT json_extract(row, '$.environment_key') AS environment, json_extract(row, '$.task') AS task
     FROM episode_list JOIN episodes USING (id)
     WHERE scenario = ? AND task_idx = ? AND json_extract(row, '$.task') IS NOT NULL
       AND json_extract(row, '$.environment_key') IS coalesce(?, json_extract(row, '$.environment_key'))
     ORDER BY episode_list.started_at DESC, episode_list.id DESC LIMIT ${String(EPISODES_READ)}`,
  );
  return ({ environment_key: asked, scenario, task_idx }) => {
    const found = newest.all(scenario, task_idx, asked ?? null);
    const [first] = found;
    if (first === undefined) return null;
    const isSame = found.every(
      ({ environment, task }) => environment === first.environment || task === first.task,
    );
    return isSame ? first.task : null;
  };
}
