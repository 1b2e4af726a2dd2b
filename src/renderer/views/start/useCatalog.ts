// What can be started: scenarios and tasks of an environment, as main lists them.
import type { Outputs } from '../../../shared/contract/contract.ts';
import { useAsk, type Answer } from '../../state/queries.ts';

export type Scenario = Outputs['scenarios.search']['scenarios'][number];
export type Task = Outputs['tasks.list']['tasks'][number];

const SCENARIOS_MAX = 500;
const CATALOG_TYPING_MS = 120;

/** Scenarios whose name, description or tasks hold every word. */
export const useScenarios = (environment: string, query: string): Answer<Outputs['scenarios.search']> =>
  useAsk(
    'scenarios.search',
    environment === '' ? null : { environment, query, offset: 0, limit: SCENARIOS_MAX },
    { delayMs: query === '' ? 0 : CATALOG_TYPING_MS },
  );

/** The tasks of a scenario; those of another one are never shown, a click would choose the wrong task. */
export const useTasks = (environment: string, scenario: string): Answer<Outputs['tasks.list']> =>
  useAsk('tasks.list', environment === '' || scenario === '' ? null : { environment, scenario }, {
    keepsPrevious: false,
  });
