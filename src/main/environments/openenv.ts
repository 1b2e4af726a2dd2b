// OpenEnv servers, generic or of the Agent World Model. Which of the two a server is shows in its reply to reset: only
// the Agent World Model labels its steps.
import type { EnvironmentSpec } from '../../shared/events/lifecycle.ts';
import { normalizeScenario, RESERVED_TOOLS, RewardType } from '../../shared/wire.ts';
import { fetchScenarios, type CatalogScenario } from '../openenv/catalog.ts';
import {
  errorText,
  resultLabel,
  openSession,
  resultText,
  type OpenEnvSession,
  type SessionStep,
  type Timeouts,
} from '../openenv/session.ts';
import { finishAwm, verifyAwm } from './awm.ts';
import type { Environment, EnvironmentSession, StepResult } from './port.ts';

export type ServerDependencies = {
  /** The address with the credentials that are kept for it. */
  workingAddress: (shown: string) => string;
  /** The scenarios at an address; a server's list may hold a thousand. */
  listed: (address: string) => Promise<CatalogScenario[]>;
  /** Asks a Python verifier of the data that lies on this machine. */
  verdict: Environment['verdict'];
};

export function openEnvServer(
  { url }: EnvironmentSpec,
  { workingAddress, listed, verdict }: ServerDependencies,
): Environment {
  const scenarios = (): Promise<CatalogScenario[]> => listed(workingAddress(url));
  return {
    capabilities: { reservedTools: RESERVED_TOOLS, canRebuild: false },
    open: (signal) => openOpenEnv(workingAddress(url), { signal }),
    scenarios,
    tasks: async (name) => {
      const wanted = normalizeScenario(name);
      const found = (await scenarios()).find((scenario) => normalizeScenario(scenario.name) === wanted);
      return (found?.tasks ?? []).map((task, index) => ({
        task_idx: index,
        task,
        difficulty: null,
        is_ambiguous: false,
      }));
    },
    images: () => null,
    verdict,
  };
}

/** Opens a session at an address. Throws `bad_input`, `env_unreachable`, `env_not_openenv`. */
export const openOpenEnv = async (
  address: string,
  options: { signal?: AbortSignal; timeouts?: Partial<Timeouts> },
): Promise<EnvironmentSession> => sessionOf(await openSession(address, options));

function sessionOf(session: OpenEnvSession): EnvironmentSession {
  let isAwm = false;
  return {
    secrets: session.secrets,
    reset: async (request, signal) => {
      const { observation, reward, done, raw, latencyMs } = await session.reset(request, signal);
      const label = observation.reward_type ?? null;
      isAwm = label !== null;
      return {
        result: {
          frame: raw,
          reward_type: label,
          reward,
          done,
          scenario: observation.scenario ?? null,
          task: observation.task ?? null,
          task_idx: observation.task_idx ?? null,
          num_tools: observation.num_tools ?? null,
          warning: observation.warning ?? null,
          latency_ms: latencyMs,
        },
        refusal: RewardType.resetErrors.has(label ?? '')
          ? (errorText(observation) ?? 'no reason given')
          : null,
      };
    },
    listTools: async (signal) => {
      const { tools, raw, latencyMs } = await session.listTools(signal);
      return { tools, frame: raw, latency_ms: latencyMs };
    },
    callTool: async (name, args, signal) => stepResult(await session.callTool(name, args, signal)),
    verifyOnce: async (finalAnswer, signal) => (isAwm ? verifyAwm(session, finalAnswer, signal) : null),
    finishEnvironment: async ({ keepsSession }, signal) =>
      isAwm ? finishAwm(session, keepsSession, signal) : null,
    close: () => session.close(),
    onClosed: (listener) => session.onClosed(listener),
  };
}

const stepResult = ({ observation, reward, done, raw, latencyMs }: SessionStep): StepResult => ({
  frame: raw,
  reward_type: resultLabel(observation),
  reward,
  done,
  text: resultText(observation),
  error: errorText(observation),
  latency_ms: latencyMs,
});

const LISTED_MS = 60_000;

/** Scenario lists by address; each server is asked once a minute at most. */
export function createScenarioLists(): (address: string) => Promise<CatalogScenario[]> {
  const kept = new Map<string, { at: number; scenarios: Promise<CatalogScenario[]> }>();
  return (address) => {
    const known = kept.get(address);
    if (known !== undefined && performance.now() - known.at < LISTED_MS) return known.scenarios;
    const scenarios = fetchScenarios(address);
    kept.set(address, { at: performance.now(), scenarios });
    scenarios.catch(() => kept.delete(address));
    return scenarios;
  };
}
