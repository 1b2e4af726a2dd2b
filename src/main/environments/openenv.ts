// OpenEnv servers: of tools, generic or the Agent World Model, or of actions. Which of these a server is shows in its
// `/schema` and in its reply to reset: only the Agent World Model labels its steps.
import type { EnvironmentSpec } from '../../shared/events/lifecycle.ts';
import { Failure } from '../../shared/failure.ts';
import { normalizeScenario, RESERVED_TOOLS, RewardType } from '../../shared/wire.ts';
import { USUAL_CONNECTION, type ServerConnection } from '../../shared/serverConnection.ts';
import { readAddress, type Address } from '../openenv/address.ts';
import { fetchScenarios, type CatalogScenario } from '../openenv/catalog.ts';
import { askEndpoints } from '../openenv/endpoints.ts';
import { describeServer, UNDESCRIBED, type ServerDescription } from '../openenv/serverDescription.ts';
import { openSession } from '../openenv/openSession.ts';
import { fetchSplits, splitArguments } from '../openenv/taskApi.ts';
import {
  errorText,
  resetLimitOf,
  resultLabel,
  resultText,
  type OpenEnvSession,
  type SessionStep,
  type Timeouts,
} from '../openenv/session.ts';
import { actionSession } from './actions.ts';
import {
  BY_CODE,
  finishAwm,
  isNamedAwm,
  judgeArguments,
  leaveAwm,
  verifyAwm,
  type AwmVerifying,
} from './awm.ts';
import type { Environment, EnvironmentSession, StepResult } from './port.ts';

export type ServerDependencies = {
  workingAddress: (shown: string) => string;
  connectionOf?: (shown: string) => ServerConnection;
  /** The scenarios at an address; a server's list may hold a thousand. */
  listed: (address: Address, isFresh?: boolean) => Promise<CatalogScenario[]>;
  /** The splits of a server with OpenEnv's Task API, by the name it lists them under. */
  splits?: (address: Address, name: string, isFresh?: boolean) => Promise<CatalogScenario[]>;
  described: (address: Address, isFresh?: boolean) => Promise<ServerDescription>;
  /** How the Agent World Model verifies unless a run says otherwise, and who judges. */
  awmVerifying?: () => AwmVerifying;
  /** A scenario's first database, by the data that lies on this machine. */
  seed: Environment['seed'];
  /** What is known of a task beyond its text. */
  taskSecrets: Environment['taskSecrets'];
  timeouts?: Partial<Timeouts>;
};

export function openEnvServer(
  { url }: EnvironmentSpec,
  {
    workingAddress,
    connectionOf = () => USUAL_CONNECTION,
    listed,
    splits = askSplits,
    described,
    taskSecrets,
    seed,
    awmVerifying = () => BY_CODE,
    timeouts = {},
  }: ServerDependencies,
): Environment {
  const readHere = (): Address => readAddress(workingAddress(url), connectionOf(url));
  const scenarios = async (isFresh = false): Promise<CatalogScenario[]> => {
    const address = readHere();
    const { taskApi, actions } = await described(address, isFresh);
    if (taskApi !== null) return splits(address, taskApi, isFresh);
    // Listing takes a session, of which a server of actions may have one and no scenarios.
    return actions === null ? listed(address, isFresh) : [];
  };
  return {
    capabilities: { reservedTools: RESERVED_TOOLS, canRebuild: false },
    open: async (signal, verifierMode) => {
      const address = readHere();
      // The socket first: where nothing listens, that is what a person is told.
      const session = await openSession(address, { signal, timeouts });
      const { actions, ...description } = await described(address);
      if (actions !== null && session.transport === 'socket')
        return actionSession(session, actions, description);
      const usual = awmVerifying();
      // Other servers are told of no judge: its key is for the Agent World Model alone.
      const mode = verifierMode ?? (isNamedAwm(description) ? usual.mode : 'code');
      return toolSession(session, { mode, judge: mode === 'sql' ? usual.judge : null }, description);
    },
    describe: async () => described(readHere()),
    endpoints: async (signal) => askEndpoints(readHere(), signal),
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
    readingTools: () => null,
    images: () => null,
    taskSecrets,
    seed,
  };
}

/** Opens a session with a server of tools. Throws `bad_input`, `env_unreachable`, `env_not_openenv`. */
export const openToolServer = async (
  address: string,
  options: { signal?: AbortSignal; timeouts?: Partial<Timeouts> },
): Promise<EnvironmentSession> => toolSession(await openSession(address, options));

/** Opens a session with a server of actions; null where it describes none. Throws as `openToolServer` does. */
export async function openActionServer(
  address: string,
  options: { signal?: AbortSignal; timeouts?: Partial<Timeouts> },
): Promise<EnvironmentSession | null> {
  const { actions, ...description } = await describeServer(readAddress(address), options.signal);
  if (actions === null) return null;
  return actionSession(await openSession(address, options), actions, description);
}

function toolSession(
  session: OpenEnvSession,
  { mode, judge }: AwmVerifying = BY_CODE,
  { taskApi }: Pick<ServerDescription, 'taskApi'> = UNDESCRIBED,
): EnvironmentSession {
  let isAwm = false;
  return {
    secrets: judge?.apiKey === null || judge === null ? session.secrets : [...session.secrets, judge.apiKey],
    resetArguments: (request) => ({
      ...judgeArguments(judge, request),
      ...splitArguments({ taskApi }, request),
    }),
    reset: async (request, signal) => {
      const { observation, reward, done, raw, latency_ms } = await session.reset(request, signal);
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
          latency_ms,
        },
        refusal: RewardType.resetErrors.has(label ?? '')
          ? (errorText(observation) ?? 'no reason given')
          : null,
      };
    },
    listTools: async (signal) => {
      const { tools, raw, latency_ms } = await session.listTools(signal);
      return { tools, frame: raw, latency_ms };
    },
    faultOf: () => null,
    callTool: async (name, args, signal) => stepResult(await session.callTool(name, args, signal)),
    state: (signal) => session.state(signal),
    verifyOnce: async (final_answer, signal) =>
      isAwm ? verifyAwm(session, mode, final_answer, signal) : null,
    leaveImages: async (signal) => (isAwm ? leaveAwm(session, signal) : null),
    finishEnvironment: async ({ keepsSession }, signal) =>
      isAwm ? finishAwm(session, keepsSession, signal) : null,
    addsRewards: false,
    transport: session.transport,
    ...resetLimitOf(session),
    close: () => session.close(),
    onClosed: (listener) => session.onClosed(listener),
  };
}

const stepResult = ({ observation, reward, done, raw, latency_ms }: SessionStep): StepResult => ({
  frame: raw,
  reward_type: resultLabel(observation),
  reward,
  done,
  text: resultText(observation),
  error: errorText(observation),
  latency_ms,
});

const askSplits = (address: Address, name: string): Promise<CatalogScenario[]> => fetchSplits(address, name);

/** Questions to servers by their address, remembered for all who ask. */
export const askServers = (): Pick<ServerDependencies, 'listed' | 'described' | 'splits'> => {
  const splits = new Map<string, AskAddress<CatalogScenario[]>>();
  return {
    listed: rememberByAddress((address) => fetchScenarios(address)),
    described: rememberByAddress((address) => describeServer(address)),
    splits: (address, name, isFresh) => {
      const ask = splits.get(name) ?? rememberByAddress((at) => askSplits(at, name));
      splits.set(name, ask);
      return ask(address, isFresh);
    },
  };
};

const REMEMBERED_MS = 60_000;

type AskAddress<T> = (address: Address, isFresh?: boolean) => Promise<T>;

/** Asks each address once a minute at most, unless it shall be fresh; a failure is asked again at once. */
function rememberByAddress<T>(ask: (address: Address) => Promise<T>): AskAddress<T> {
  const kept = new Map<string, { at: number; answer: Promise<T> }>();
  return (address, isFresh = false) => {
    const known = kept.get(address.key);
    if (!isFresh && known !== undefined && performance.now() - known.at < REMEMBERED_MS) return known.answer;
    const answer = isFresh && known !== undefined ? freshOr(known.answer, ask(address)) : ask(address);
    kept.set(address.key, { at: performance.now(), answer });
    answer.catch(() => kept.delete(address.key));
    return answer;
  };
}

/** A server that has no session free for the question says nothing new: what it said last stands. */
const freshOr = <T>(last: Promise<T>, asked: Promise<T>): Promise<T> =>
  asked.catch((thrown: unknown) => {
    if (thrown instanceof Failure && thrown.code === 'env_capacity') return last;
    throw thrown;
  });
