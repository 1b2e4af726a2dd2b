// Knows a held-out task again where it was played at another address: by its scenario, its number and its words.
import { BUILT_IN_NAME } from '../../../shared/environmentKinds.ts';
import type { EndedEpisode } from '../../log/endedEpisodes.ts';
import type { EventLog } from '../../log/eventLog.ts';

const PAGE = 200;

/** Whether an episode of another environment, with this scenario and number, is of the task that one environment holds out. */
export type IsTaskTwin = (
  episode: Pick<EndedEpisode, 'id' | 'scenario' | 'task_idx'>,
  environment: string,
) => boolean;

/**
 * Two servers may each have a scenario of one name, so their words decide. A built-in world’s name is ours alone: where
 * nobody played the held-out task yet, one of that name is rather held out for nothing than trained on.
 */
export function createTaskTwins({ projections }: Pick<EventLog, 'projections'>): IsTaskTwin {
  const words = new Map<string, string | null>();
  const wordsIn = (environment: string, scenario: string, task_idx: number): string | null => {
    const key = JSON.stringify([environment, scenario, task_idx]);
    const known = words.get(key);
    if (known !== undefined) return known;
    const found = findWords(projections, { environment, scenario }, task_idx);
    words.set(key, found);
    return found;
  };
  return ({ id, scenario, task_idx }, environment) => {
    if (scenario === null || task_idx === null) return false;
    const theirs = wordsIn(environment, scenario, task_idx);
    const own = steady(projections.episode(id)?.task ?? null);
    if (theirs === null || own === null) return environment === BUILT_IN_NAME;
    return theirs === own;
  };
}

/** Of the newest episode of the task that was told its words. */
function findWords(
  projections: EventLog['projections'],
  filter: { environment: string; scenario: string },
  task_idx: number,
): string | null {
  for (let offset = 0; ; offset += PAGE) {
    const { rows } = projections.episodes({
      query: '',
      status: null,
      condition: null,
      filter,
      offset,
      limit: PAGE,
    });
    const found = rows.find((row) => row.task_idx === task_idx && row.task !== null);
    if (found !== undefined) return steady(found.task);
    if (rows.length < PAGE) return null;
  }
}

const steady = (task: string | null): string | null => task?.replaceAll(/\s+/g, ' ').trim() ?? null;
