// Episodes of an environment that is driven by its own actions: each action is a call of the tool its type is offered
// as, and the first observation is the task.
import { actionOfCall, faultOfCall, type ActionSpace } from '../openenv/actionSpace.ts';
import { observationText } from '../openenv/observationText.ts';
import type { ServerDescription } from '../openenv/serverDescription.ts';
import { splitArguments } from '../openenv/taskApi.ts';
import { errorText, resetLimitOf, resultLabel, type OpenEnvSession } from '../openenv/session.ts';
import type { JsonObject } from '../../shared/events/turns.ts';
import type { EnvironmentSession, StepResult } from './port.ts';

/** The agent's first text: what the environment is about, and what it sees. */
export const firstTask = (about: string | null, observation: Record<string, unknown>): string | null => {
  const text = [about, observationText(observation)].filter((part) => part !== null).join('\n\n');
  return text === '' ? null : text;
};

/** Sums the rewards of an episode's steps, without the digits that adding fractions leaves; null for none. */
export function sumRewards(rewards: readonly number[]): number | null {
  if (rewards.length === 0) return null;
  const sum = rewards.reduce((total, reward) => total + reward, 0);
  const size = rewards.reduce((total, reward) => total + Math.abs(reward), 0);
  // Rewards that cancel out leave a remainder that is far smaller than each of them.
  return Math.abs(sum) < size * 1e-12 ? 0 : Number(sum.toPrecision(12));
}

export function actionSession(
  session: OpenEnvSession,
  space: ActionSpace,
  description: Pick<ServerDescription, 'about' | 'schema' | 'taskApi'>,
): EnvironmentSession {
  const { about, schema } = description;
  return {
    secrets: session.secrets,
    addsRewards: true,
    resetArguments: (request) => splitArguments(description, request),
    reset: async (request, signal) => {
      const { observation, reward, done, raw, latency_ms } = await session.reset(request, signal);
      return {
        result: {
          frame: raw,
          reward_type: null,
          reward,
          done,
          scenario: observation.scenario ?? null,
          task: firstTask(about, observation),
          task_idx: observation.task_idx ?? null,
          num_tools: space.types.length,
          warning: observation.warning ?? null,
          latency_ms,
        },
        refusal: null,
      };
    },
    listTools: () =>
      Promise.resolve({ tools: space.types.map(({ tool }) => tool), frame: schema, latency_ms: 0 }),
    faultOf: (name, args) => faultOfCall(space, name, args),
    callTool: async (name, args, signal) => {
      const action = actionOfCall(space, name, args as JsonObject);
      if (action === null) return unknownAction(space, name);
      const answer = await session.act(action, signal);
      if ('refused' in answer) return refused(answer.raw, answer.refused, answer.latency_ms);
      const { observation, reward, done, raw, latency_ms } = answer;
      const error = errorText(observation);
      return {
        frame: raw,
        reward_type: resultLabel(observation),
        reward,
        done,
        text: observationText(observation),
        error: error === '' ? null : error,
        latency_ms,
      };
    },
    state: (signal) => session.state(signal),
    verifyOnce: () => Promise.resolve(null),
    leaveImages: () => Promise.resolve(null),
    finishEnvironment: () => Promise.resolve(null),
    ...resetLimitOf(session),
    close: () => session.close(),
    onClosed: (listener) => session.onClosed(listener),
  };
}

const refused = (frame: string, error: string, latency: number): StepResult => ({
  frame,
  reward_type: null,
  reward: null,
  done: false,
  text: null,
  error,
  latency_ms: latency,
});

const unknownAction = ({ types }: ActionSpace, name: string): StepResult =>
  refused('', `there is no action ${name}; there is ${types.map(({ tool }) => tool.name).join(', ')}`, 0);
