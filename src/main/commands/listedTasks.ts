// Checks that the tasks somebody names are there.
import type { StartEpisode } from '../../shared/contract/areas.ts';
import type { Handlers } from '../../shared/contract/contract.ts';
import { BUILT_IN } from '../../shared/environmentKinds.ts';
import { Failure } from '../../shared/failure.ts';
import { normalizeScenario } from '../../shared/wire.ts';

export type ChosenTask = Pick<StartEpisode, 'scenario' | 'task_idx'>;
type Environments = Pick<Handlers, 'scenarios.list'>;

const CALLER = { seat: 'cli' };

/** Throws `bad_input` or `unknown_scenario`. */
export const checkTasks = (
  environments: Environments,
  environment: string,
  chosen: readonly ChosenTask[],
): Promise<void> =>
  environment === BUILT_IN
    ? checkWorldTasks(environments, chosen)
    : checkListedTasks(environments, environment, chosen);

/**
 * Numbers beyond what a server lists for a scenario. A scenario that it does not list is left to it, and a server that
 * cannot be asked is named when the episode starts. Throws `bad_input`.
 */
async function checkListedTasks(
  environments: Environments,
  environment: string,
  chosen: readonly ChosenTask[],
): Promise<void> {
  if (!chosen.some(({ scenario, task_idx }) => scenario !== null && task_idx !== null)) return;
  const asked = { environment, is_fresh: false };
  const listed = await environments['scenarios.list'](asked, CALLER).catch(() => null);
  const known = new Map(
    (listed?.scenarios ?? []).map(({ name, tasks }) => [normalizeScenario(name), tasks.length]),
  );
  for (const { scenario, task_idx } of chosen) {
    const count = known.get(normalizeScenario(scenario ?? '')) ?? 0;
    if (count > 0) checkTaskNumber(scenario, task_idx, count);
  }
}

function checkTaskNumber(scenario: string | null, task_idx: number | null, count: number): void {
  if (task_idx !== null && task_idx >= count)
    throw new Failure('bad_input', `${scenario ?? ''} has no task ${String(task_idx)}`, {
      next: count === 1 ? 'Its only task is 0.' : `Its tasks are 0 to ${String(count - 1)}.`,
    });
}

/** The built-in worlds are known here. Throws `unknown_scenario` or `bad_input`. */
async function checkWorldTasks(environments: Environments, chosen: readonly ChosenTask[]): Promise<void> {
  const known = new Map<string, number>();
  const { scenarios } = await environments['scenarios.list'](
    { environment: BUILT_IN, is_fresh: false },
    CALLER,
  );
  for (const { name, tasks } of scenarios) known.set(normalizeScenario(name), tasks.length);
  for (const { scenario, task_idx } of chosen) {
    const count = known.get(normalizeScenario(scenario ?? ''));
    if (count === undefined)
      throw new Failure('unknown_scenario', `there is no built-in world ${scenario ?? ''}`, {
        next: `There are: ${[...known.keys()].join(', ')}. A world of your own needs INTERJECT_WORLD_DIR.`,
      });
    checkTaskNumber(scenario, task_idx, count);
  }
}
