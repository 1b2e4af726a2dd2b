// Owns: what can be started: environments, their scenarios and tasks, as main lists them.
import type { Outputs } from '../../../shared/contract/contract.ts';
import { useSession } from '../../state/hooks.ts';
import { useAnswer, type Answer } from '../../state/useAnswer.ts';

export type Scenario = Outputs['scenarios.search']['scenarios'][number];
export type Task = Outputs['tasks.list']['tasks'][number];

const SCENARIOS_MAX = 500;
const TYPING_MS = 120;

export function useEnvironments(): Answer<Outputs['environments.list']['environments']> {
  const { call } = useSession();
  return useAnswer('environments', () => call('environments.list', {}).then((found) => found.environments));
}

/** Scenarios whose name, description or tasks hold every word. */
export function useScenarios(environment: string, query: string): Answer<Outputs['scenarios.search']> {
  const { call } = useSession();
  return useAnswer(
    environment === '' ? null : `${environment}\n${query}`,
    () => call('scenarios.search', { environment, query, offset: 0, limit: SCENARIOS_MAX }),
    query === '' ? 0 : TYPING_MS,
  );
}

/** The tasks of a scenario; those of another one are never shown, a click would choose the wrong task. */
export function useTasks(environment: string, scenario: string): Pick<Answer<Task[]>, 'value' | 'failure'> {
  const { call } = useSession();
  const key = environment === '' || scenario === '' ? null : `${environment}\n${scenario}`;
  const { value, failure } = useAnswer(key, () =>
    call('tasks.list', { environment, scenario }).then(({ tasks }) => ({ key, tasks })),
  );
  return { value: value?.key === key ? value.tasks : null, failure };
}
