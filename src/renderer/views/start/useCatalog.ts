// The catalog of what can be started: scenarios and tasks of an environment, as main lists them.
import type { Outputs } from '../../../shared/contract/contract.ts';
import { useAsk, type Answer } from '../../state/queries.ts';

export type Task = Outputs['tasks.list']['tasks'][number];

/** Every scenario with the texts of its tasks. A server is asked anew each time: another one may run there now. */
export const useScenarios = (environment: string): Answer<Outputs['scenarios.list']> =>
  useAsk('scenarios.list', environment === '' ? null : { environment, is_fresh: true }, {
    keepsPrevious: false,
  });

/** The tasks of a scenario; those of another one are never shown, a click would choose the wrong task. */
export const useTasks = (environment: string, scenario: string): Answer<Outputs['tasks.list']> =>
  useAsk('tasks.list', environment === '' || scenario === '' ? null : { environment, scenario }, {
    keepsPrevious: false,
  });
