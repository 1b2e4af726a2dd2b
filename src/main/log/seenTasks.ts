// What seats have seen of tasks' answers, by environment, scenario and index.
import { BUILT_IN_NAME } from '../../shared/environmentKinds.ts';
import { Saw } from '../../shared/events/actor.ts';
import type { EventOf } from '../../shared/events/vocabulary.ts';
import { worldName } from '../../shared/worldNames.ts';
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
  const placesOf = ({ environment, scenario, episode }: EventOf<'answer.seen'>): [string, string][] => {
    const known = environment ?? (episode === null ? null : keyOf.get(episode)?.key) ?? null;
    if (known === BUILT_IN_NAME) return [[known, worldName(scenario)]];
    if (known !== null) return [[known, scenario]];
    const isFormerName = worldName(scenario) !== scenario;
    return [[ANY_ENVIRONMENT, scenario], ...(isFormerName ? [builtIn(scenario)] : [])];
  };
  return {
    write: (event) => {
      for (const [environment, scenario] of placesOf(event))
        for (const saw of event.saw)
          add.run(event.seat, environment, scenario, event.task_idx ?? NO_TASK, saw);
    },
    read: (seat, { environment, scenario, task_idx }) =>
      find.all(seat, scenario, task_idx ?? NO_TASK, environment).map(({ saw }) => Saw.parse(saw)),
  };
}

const builtIn = (scenario: string): [string, string] => [BUILT_IN_NAME, worldName(scenario)];
