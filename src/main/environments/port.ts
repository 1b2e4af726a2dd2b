// The interface of an environment for the rest of the product. Each kind has an adapter; nothing above asks which kind
// it is. Results carry the fields of the events they become, under the same names.
import type { EnvironmentSpec, Json, ToolSpec, VerifierMode } from '../../shared/events/lifecycle.ts';
import type { Failure } from '../../shared/failure.ts';
import type { TaskOfEpisode, TaskSecretsResult } from '../../shared/taskSecrets.ts';
import type { JsonObject } from '../../shared/events/turns.ts';
import type { CallFault } from '../openenv/actionSpace.ts';
import type { CatalogScenario } from '../openenv/catalog.ts';
import type { Endpoint } from '../openenv/endpoints.ts';
import type { ServerDescription } from '../openenv/serverDescription.ts';
import type { SeededDatabase } from '../state/seed.ts';

/** The server's frame verbatim, and how long it took. */
type Reply = { frame: string; latency_ms: number };

export type StepResult = Reply & {
  reward_type: string | null;
  reward: number | null;
  done: boolean;
  /** What the agent reads; null where there is nothing to read. */
  text: string | null;
  /** Why the step failed, in the environment's words; null when it went well. */
  error: string | null;
};

export type ResetResult = Reply & {
  reward_type: string | null;
  reward: number | null;
  done: boolean;
  scenario: string | null;
  task: string | null;
  task_idx: number | null;
  num_tools: number | null;
  warning: string | null;
};

export type VerifierRun = Reply & {
  verifier_mode: string;
  final_answer: string | null;
  reward_type: string | null;
  reward: number | null;
  verify_result: Json;
  error: string | null;
};

export type Finish = Reply & { reward_type: string | null; steps_taken: number | null };

/** One episode's session. Failures that the environment reports as data are data; broken promises are thrown (`env_*`). */
export type EnvironmentSession = {
  /** The credentials of its address and of its judge, to be covered where the server repeats them. */
  secrets: readonly string[];
  /** What this reset has to hold besides: the judge of a run that a model judges. */
  resetArguments(request: Record<string, Json>): Record<string, Json>;
  /** `refusal`: the environment's reason why it could not reset; null when it did. */
  reset(
    request: Record<string, unknown>,
    signal?: AbortSignal,
  ): Promise<{ result: ResetResult; refusal: string | null }>;
  listTools(signal?: AbortSignal): Promise<Reply & { tools: ToolSpec[] }>;
  /**
   * Why an agent's call cannot be sent, by the schema of the environment's actions; null where it can, and where the
   * environment checks its tools' arguments itself. People may send what they want.
   */
  faultOf(name: string, args: JsonObject): CallFault | null;
  callTool(name: string, args: Record<string, unknown>, signal?: AbortSignal): Promise<StepResult>;
  /** What the server says of the session; episodes do not need it. Throws `env_error` where it has no state. */
  state(signal?: AbortSignal): Promise<{ episodeId: string | null; stepCount: number }>;
  /** Runs the environment's verifier over the session as it is; null where the environment has none. */
  verifyOnce(final_answer: string | null, signal?: AbortSignal): Promise<VerifierRun | null>;
  /**
   * Ends the session and gives its databases, where the server lies on this machine; null where it keeps them. Only for
   * a session that was opened to look: never an episode's own.
   */
  leaveImages(signal?: AbortSignal): Promise<Images | null>;
  /** Ends the episode after `verify`; null where the environment knows no such end. */
  finishEnvironment(options: { keepsSession: boolean }, signal?: AbortSignal): Promise<Finish | null>;
  /** Whether an episode is worth the sum of its steps' rewards; else the last reward stands for all of it. */
  addsRewards: boolean;
  /** The road to the server; the socket where it is left out. Over `POST /mcp` there are tools alone. */
  transport?: 'socket' | 'mcp';
  /** How long a reset may take, in ms; absent where there is none to wait for. */
  resetLimitMs?: number;
  close(): void;
  onClosed(listener: (failure: Failure) => void): void;
};

type Task = {
  task_idx: number;
  task: string;
  difficulty: 'easy' | 'medium' | 'hard' | null;
  is_ambiguous: boolean;
};

/** The database of an episode at its start and now, as SQLite files. */
export type Images = { initial: Uint8Array; current: Uint8Array };

type Capabilities = {
  /** Tools of the host, never of the agent: an agent that calls one is refused. */
  reservedTools: ReadonlySet<string>;
  /** Whether calling an episode's tools again gives its state; otherwise there is only what the server left behind. */
  canRebuild: boolean;
};

export type Environment = {
  capabilities: Capabilities;
  /** Opens a session; nothing is reset yet. Throws `bad_input`, `env_unreachable`, `env_not_openenv`. */
  open(signal: AbortSignal, verifierMode?: VerifierMode): Promise<EnvironmentSession>;
  /**
   * Empty where there are none to choose; `isFresh` asks a server even if it was asked a moment ago. Throws `env_*`.
   */
  scenarios(isFresh?: boolean): Promise<CatalogScenario[]>;
  tasks(scenario: string): Promise<Task[]>;
  /** What the server says of itself and of its actions; asked once a minute at most. */
  describe(): Promise<ServerDescription>;
  /** What its server has of the endpoints that `openenv validate` asks for; null where it has no server of its own. */
  endpoints(signal: AbortSignal): Promise<Endpoint[] | null>;
  /** The tools of a scenario that only read, by name; null where that is not known. */
  readingTools(scenario: string | null): ReadonlySet<string> | null;
  /** Of the session that was named `episode` at reset; null where it does not play or cannot be read. */
  images(episode: string): Images | null;
  /** What is known of a task beyond its text, or why nothing is; for the expert and the advisor, never for the agent. */
  taskSecrets(task: TaskOfEpisode): Promise<TaskSecretsResult>;
  /** A scenario's first database by the data that lies here, and which statements did not run; null where it is not known. */
  seed(scenario: string): Promise<SeededDatabase | null>;
};

export type EnvironmentOf = (spec: EnvironmentSpec) => Environment;
export type OpenSession = (
  environment: EnvironmentSpec,
  signal: AbortSignal,
  verifierMode?: VerifierMode,
) => Promise<EnvironmentSession>;
