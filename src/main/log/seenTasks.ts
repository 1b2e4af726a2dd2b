// Records what seats have seen of tasks' answers, by environment, scenario and index.
import { Saw } from '../../shared/events/actor.ts';
import type { EventOf } from '../../shared/events/vocabulary.ts';
import type { Database } from './database.ts';

/** `environment` is its key; null where nobody knows it. */
export type SeenTask = { environment: string | null; scenario: string; task_idx: number | null };

type SeenTasks = {
  write(event: EventOf<'answer.seen'>): void;
  /** What was seen of the task there, or in an environment that was not recorded. */
  read(seat: string, task: SeenTask): Saw[];
};

/** A task without an index still needs a key. */
const NO_TASK = -1;
const ANY_ENVIRONMENT = '';

export function createSeenTasks(db: Database): SeenTasks {
  const add = db.prepare(
    'INSERT OR IGNORE INTO seen (seat, environment, scenario, task_idx, saw) VALUES (?, ?, ?, ?, ?)',
  );
  const find = db.prepare<[string, string, number, string | null], { saw: string }>(
    `SELECT DISTINCT saw FROM seen WHERE seat = ? AND scenario = ? AND task_idx = ?
     AND (environment = '${ANY_ENVIRONMENT}' OR environment = coalesce(?, environment))`,
  );
  const keyOf = db.prepare<[string], { key: string | null }>(
    `SELECT json_extract(row, '$.environment_key') AS key FROM episodes WHERE id = ?`,
  );
  const environmentOf = ({ environment, episode }: EventOf<'answer.seen'>): string =>
    environment ?? (episode === null ? null : keyOf.get(episode)?.key) ?? ANY_ENVIRONMENT;
  return {
    write: (event) => {
      for (const saw of event.saw)
        add.run(event.seat, environmentOf(event), event.scenario, event.task_idx ?? NO_TASK, saw);
    },
    read: (seat, { environment, scenario, task_idx }) =>
      find.all(seat, scenario, task_idx ?? NO_TASK, environment).map(({ saw }) => Saw.parse(saw)),
  };
}
