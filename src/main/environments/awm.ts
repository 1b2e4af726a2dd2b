// Parts of the Agent World Model alone: its host's tools `verify` and `done`, and its verifiers in Python.
// Source: envs/agent_world_model_env of OpenEnv.
import type { Json, VerifierMode } from '../../shared/events/lifecycle.ts';
import { errorText, resultLabel, type OpenEnvSession } from '../openenv/session.ts';
import { failureShape } from '../../shared/failure.ts';
import type { TaskOfEpisode, TaskSecretsResult } from '../../shared/taskSecrets.ts';
import { AWM_DATA_NEXT, type AwmData, type TaskVerifier } from './awmData.ts';
import type { Judge } from '../settings/awmSettings.ts';
import { seedDatabase } from '../state/seed.ts';
import { readSessionFolder, removeSessionFolder } from '../state/sessionFolder.ts';
import type { Environment, Finish, Images, VerifierRun } from './port.ts';

/** Settings for verifying tasks; `judge` only where a model judges. */
export type AwmVerifying = { mode: VerifierMode; judge: Judge | null };
export const BY_CODE: AwmVerifying = { mode: 'code', judge: null };

/** True if a server calls itself the Agent World Model. */
export const isNamedAwm = ({ name }: { name: string | null }): boolean =>
  /^(?:awm|agent[ _-]?world[ _-]?model)/i.test(name ?? '');

const JUDGE_ARGUMENTS = ['llm_base_url', 'llm_model', 'llm_api_key'] as const;

/**
 * The judge as the server wants it. Nothing where the request names another: a key goes only to the address it was
 * given for.
 */
export function judgeArguments(judge: Judge | null, request: Record<string, Json>): Record<string, Json> {
  if (judge === null) return {};
  const isNamed = JUDGE_ARGUMENTS.some((name) => Object.hasOwn(request, name));
  const isOurs = request['llm_base_url'] === judge.baseUrl && !Object.hasOwn(request, 'llm_api_key');
  if (isNamed && !isOurs) return {};
  return {
    llm_base_url: judge.baseUrl,
    llm_model: judge.model,
    ...(judge.apiKey === null ? {} : { llm_api_key: judge.apiKey }),
  };
}

export async function verifyAwm(
  session: OpenEnvSession,
  verifier_mode: VerifierMode,
  final_answer: string | null,
  signal?: AbortSignal,
): Promise<VerifierRun> {
  const args = { verifier_mode, final_answer: final_answer ?? '' };
  const { observation, reward, raw, latency_ms } = await session.callTool('verify', args, signal);
  return {
    verifier_mode,
    final_answer,
    frame: raw,
    reward_type: resultLabel(observation),
    reward,
    verify_result: (observation.verify_result ?? null) as Json,
    error: errorText(observation),
    latency_ms,
  };
}

export async function finishAwm(
  session: OpenEnvSession,
  keepsSession: boolean,
  signal?: AbortSignal,
): Promise<Finish> {
  const args = keepsSession ? { keep_session: true } : {};
  const { observation, raw, latency_ms } = await session.callTool('done', args, signal);
  return {
    frame: raw,
    reward_type: resultLabel(observation),
    steps_taken: observation.steps_taken ?? null,
    latency_ms,
  };
}

/** Ends a session that was opened to look, and takes its databases along: the folder it leaves is removed again. */
export async function leaveAwm(session: OpenEnvSession, signal?: AbortSignal): Promise<Images | null> {
  const { observation } = await session.callTool('done', { keep_session: true }, signal);
  const folder = observation.session_dir ?? null;
  if (folder === null) return null;
  try {
    return readSessionFolder(folder, observation.scenario ?? null);
  } finally {
    removeSessionFolder(folder);
  }
}

/** A scenario's first database by the data. */
export const createAwmSeed =
  (dataOf: AwmDataOf): Environment['seed'] =>
  async (scenario) => {
    const statements = await dataOf(null).seed(scenario);
    return statements === null ? null : seedDatabase(statements);
  };

/** The data in a folder; null for the folder that the settings name now. */
export type AwmDataOf = (folder: string | null) => AwmData;

/**
 * The checks of a task's verifier, by its author's own words and its code: the verifier that judges the episode, and no
 * other; where that is not known yet, the one that the settings have. Never throws: data is optional.
 */
export const createAwmSecrets =
  (dataOf: AwmDataOf, verifying: () => Pick<AwmVerifying, 'mode'>) =>
  async ({ scenario, task_idx, task, verifier_mode }: TaskOfEpisode): Promise<TaskSecretsResult> => {
    if (scenario === null || task_idx === null) {
      return unknownHere('This episode names no task, so nothing is known of what is checked.', null);
    }
    const data = dataOf(null);
    let found: TaskVerifier[];
    try {
      found = await data.find(scenario, task_idx);
    } catch (thrown) {
      const { message, next } = failureShape(thrown);
      return unknownHere(`${message}.`, next);
    }
    const mode = verifier_mode ?? verifying().mode;
    const verifier = found.find(({ form }) => form === mode);
    const name = `task ${String(task_idx)} of ${scenario}`;
    if (verifier === undefined) {
      const form = found.length === 0 ? '' : `${mode} `;
      return unknownHere(`The data in ${data.folder} has no ${form}verifier for ${name}.`, AWM_DATA_NEXT);
    }
    // Another data set may use the same names for something else.
    if (task !== null && verifier.task !== null && !isSameText(task, verifier.task)) {
      return unknownHere(`The data in ${data.folder} has another text for ${name}.`, AWM_DATA_NEXT);
    }
    const { form, code, criteria } = verifier;
    return {
      secrets: { criteria, verifier: { form, code }, reference: null, draft: null, rehearsal: null },
      missing: null,
    };
  };

const isSameText = (one: string, other: string): boolean => inOneLine(one) === inOneLine(other);
const inOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

const unknownHere = (message: string, next: string | null): TaskSecretsResult => ({
  secrets: null,
  missing: { message, next },
});
