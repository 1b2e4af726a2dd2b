// What only the Agent World Model has: its host's tools `verify` and `done`, and its verifiers in Python.
// Source: envs/agent_world_model_env of OpenEnv; see docs/wire.md.
import type { Json } from '../../shared/events/lifecycle.ts';
import { errorText, resultLabel, type OpenEnvSession } from '../openenv/session.ts';
import { createAwmData, type AwmData } from '../verifier/awmData.ts';
import type { Sandbox } from '../verifier/sandbox.ts';
import { runVerifier } from '../verifier/verdict.ts';
import type { Environment, Finish, VerifierRun } from './port.ts';

/** The verifier's own mode; the server's other one lets a model judge. */
const VERIFIER_MODE = 'code';

export async function verifyAwm(
  session: OpenEnvSession,
  final_answer: string | null,
  signal?: AbortSignal,
): Promise<VerifierRun> {
  const args = { verifier_mode: VERIFIER_MODE, final_answer: final_answer ?? '' };
  const { observation, reward, raw, latency_ms } = await session.callTool('verify', args, signal);
  return {
    verifier_mode: VERIFIER_MODE,
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

/**
 * Asks the Python verifier of a task in the Agent World Model data: in `folder` unless the request names another.
 * Throws `sandbox_unavailable` where verifier code cannot be locked up, `not_found` where there is no such data.
 */
export function createAwmVerdict(folder: string, sandbox: () => Sandbox): Environment['verdict'] {
  // The files are large: a folder is read once.
  let data = { folder: '', read: createAwmData('') };
  const dataOf = (wanted: string): AwmData => {
    if (data.folder !== wanted) data = { folder: wanted, read: createAwmData(wanted) };
    return data.read;
  };
  return async ({ scenario, task_idx, images, final_answer, at, dataFolder }) => {
    const [verifier] = await dataOf(dataFolder ?? folder).find(scenario, task_idx);
    if (verifier === undefined) return null;
    const { form, ...verdict } = await runVerifier(sandbox(), verifier.code, { ...images, final_answer, at });
    return { ...verdict, verifier: form, clock_at: at };
  };
}
