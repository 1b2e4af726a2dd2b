// The key that tells starts of a run apart: the environment, the task of its scenario, and the seed.
import { environmentKey } from '../../shared/environmentKinds.ts';
import { normalizeScenario } from '../../shared/wire.ts';
import type { RunSpec } from './stage.ts';

/** The same for a start that was logged, whose environment has its key already. */
export const startKey = (
  environment: string,
  scenario: string | null,
  task_idx: number | null,
  seed: number,
): string =>
  JSON.stringify([environment, scenario === null ? null : normalizeScenario(scenario), task_idx, seed]);

export const startKeyOf = ({
  environment,
  scenario,
  task_idx,
  seed,
}: Pick<RunSpec, 'environment' | 'scenario' | 'task_idx' | 'seed'>): string =>
  startKey(environmentKey(environment), scenario, task_idx, seed);
