// Selects the policy of an episode: the rehearsal's script, a chat model, or none where a person makes every move.
import type { EnvironmentSpec } from '../../shared/events/lifecycle.ts';
import { Failure } from '../../shared/failure.ts';
import type { TaskOfEpisode, TaskSecretsResult } from '../../shared/taskSecrets.ts';
import { createChatPolicy } from '../agent/chat.ts';
import type { Policy } from '../agent/policy.ts';
import { createRehearsal } from '../agent/rehearsal.ts';
import type { ModelOf } from '../llm/openModels.ts';
import type { RunSpec } from './stage.ts';

/** The policy of an episode. `task` is its text, known once it was reset. Throws `model_not_configured`. */
export function policyFor(
  { agent, environment, scenario, task_idx, seed }: RunSpec,
  task: () => string | null,
  secretsOf: (environment: EnvironmentSpec, task: TaskOfEpisode) => Promise<TaskSecretsResult>,
  llm: ModelOf,
): Policy {
  if (agent.policy === 'human') {
    const message = 'a person plays this episode: there is no agent that could act';
    return { next: () => Promise.reject(new Failure('stale', message)) };
  }
  if (agent.policy === 'rehearsal') {
    return {
      next: async (request, signal) => {
        const { secrets } = await secretsOf(environment, { scenario, task_idx, task: task() });
        const script = secrets?.rehearsal ?? null;
        return createRehearsal({ script, protocol: agent.protocol }).next(request, signal);
      },
    };
  }
  const model = llm('agent', agent.profile);
  if (model === null) throw new Failure('model_not_configured', 'no model is set for the agent');
  return createChatPolicy({ llm: model, seed });
}
