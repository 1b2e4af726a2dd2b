// The words of tasks in tables whose rows carry only where a task is from.
import { NAMES_MAX, type NamedTask } from '../../../shared/contract/library.ts';
import { useAsk } from '../../state/queries.ts';

type Address = { scenario: string | null; task_idx: number | null; environment_key?: string | undefined };
type TaskNames = {
  /** Null until the words are there, and where there are none. */
  ofEpisode: (episode: string) => string | null;
  ofTask: (task: Address) => string | null;
};

const namedTask = ({ scenario, task_idx, environment_key }: Address): NamedTask[] =>
  scenario === null || task_idx === null
    ? []
    : [{ scenario, task_idx, ...(environment_key === undefined ? {} : { environment_key }) }];
const keyOf = ({ scenario, task_idx, environment_key }: Address): string =>
  JSON.stringify([environment_key ?? null, scenario, task_idx]);

export function useTaskNames({
  episodes = [],
  tasks = [],
}: {
  episodes?: readonly string[];
  tasks?: readonly Address[];
}): TaskNames {
  const asked = {
    episodes: [...new Set(episodes)].slice(0, NAMES_MAX),
    tasks: [...new Map(tasks.flatMap(namedTask).map((task) => [keyOf(task), task])).values()].slice(
      0,
      NAMES_MAX,
    ),
  };
  const isEmpty = asked.episodes.length + asked.tasks.length === 0;
  const { last } = useAsk('library.names', isEmpty ? null : asked, { keepsPrevious: false });
  const ofEpisode = new Map(asked.episodes.map((id, index) => [id, last?.episodes[index] ?? null]));
  const ofTask = new Map(asked.tasks.map((task, index) => [keyOf(task), last?.tasks[index] ?? null]));
  return {
    ofEpisode: (episode) => ofEpisode.get(episode) ?? null,
    ofTask: (task) => ofTask.get(keyOf(task)) ?? null,
  };
}
