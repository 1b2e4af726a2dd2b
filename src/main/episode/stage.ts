// Resources of one running episode, and the few ways its loop writes to the log.
import type { Actor } from '../../shared/events/actor.ts';
import type { Baseline } from '../../shared/events/consultations.ts';
import { mayAsk } from '../../shared/conditions.ts';
import type {
  Admission,
  AgentSpec,
  BenchRef,
  Condition,
  ConfidenceRule,
  EnvironmentSpec,
  Fallback,
  Json,
  LiftRef,
  Limits,
  Probe,
  VerifierMode,
} from '../../shared/events/lifecycle.ts';
import type { ApprovalRule, CallFallback } from '../../shared/events/stepIns.ts';
import type { EventOf, LogEvent } from '../../shared/events/vocabulary.ts';
import type { Roster } from '../../shared/experts/roster.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import type { Cover } from '../../shared/redact/cover.ts';
import type { AgentConversation, Delivery } from '../agent/conversation.ts';
import type { Policy } from '../agent/policy.ts';
import type { Desk } from '../desk/desk.ts';
import type { EventLog, LogEntry } from '../log/eventLog.ts';
import type { Environment, EnvironmentSession } from '../environments/port.ts';
import type { RetryEdges } from '../llm/retry.ts';
import type { LimitSources, RunBudget } from './budget.ts';
import type { Consult } from './consult.ts';

/** One episode as it was asked for, with every choice made. */
export type RunSpec = {
  environment: EnvironmentSpec;
  scenario: string | null;
  task_idx: number | null;
  agent: AgentSpec;
  condition: Condition;
  limits: Limits;
  deadline_ms: number | null;
  fallback: Fallback;
  seed: number;
  repeat: number;
  group: string | null;
  reset: Record<string, Json>;
  /** Which asks come before a person. */
  admission: Admission;
  /** Which calls wait for a person from the start, how long, and what happens then. */
  approval: { rules: ApprovalRule[]; deadline_ms: number | null; fallback: CallFallback };
  /** Experts' seats are shown neither reward, verdict nor uptake. */
  isBlinded: boolean;
  /** Experts' seats may look at the answer key. */
  isKeyOpen: boolean;
  /** Whether experts are shown what their calls return on a throw-away session; absent where they are. */
  effect?: 'shown' | 'not_shown';
  /** How the task is verified; null as the settings say. */
  verifierMode: VerifierMode | null;
  /** A server that is not ours is asked to keep the session's folder. */
  keepsSession: boolean;
  /** Null or absent where the agent is not asked how sure it is. */
  confidence?: ConfidenceRule | null;
  /** Who may be asked, and by which table; null or absent where no roster is set. */
  experts?: Roster | null;
  /** The earlier run a brief is written of; null or absent where none is. */
  baseline?: Baseline | null;
  /** What the agent is told of the environment; null for what its kind needs. */
  environmentText: string | null;
  run: string | null;
  bench?: BenchRef;
  /** A continuation that measures what an answer was worth; nobody answers what is asked in it. */
  lift?: LiftRef;
  /** How often connecting and resetting are tried again where that may help. */
  startRetries: number;
  /** What this episode may spend together with the others of its run. */
  runBudget?: RunBudget;
  /** Who set its limits; absent where the start did. */
  limitSources?: LimitSources;
  /** Absent where the episode is played for its own sake; with `no_op` nothing is done before the verifier runs. */
  probe?: Probe;
  /** Goes on from a turn of another episode, its state rebuilt; null for an episode of its own. */
  from: {
    episode: string;
    turn: number;
    why: 'fork' | 'resume';
    /** It ends where the environment answers otherwise than the log says; else that is recorded only. */
    stopsAtDrift?: boolean;
  } | null;
};

/** Nothing waits for a person but what the agent asks. */
export const NO_APPROVAL: RunSpec['approval'] = { rules: [], deadline_ms: null, fallback: 'wait' };

export type EpisodeStage = {
  id: string;
  spec: RunSpec;
  log: EventLog;
  session: EnvironmentSession;
  reservedTools: Environment['capabilities']['reservedTools'];
  /** The secrets of the reset and of the address: covered in the log, put back where the log is read to act on it. */
  cover: Cover;
  policy: Policy;
  conversation: AgentConversation;
  consult: Consult;
  desk: Desk;
  /** The world's database now, where it can be read. */
  image: () => Uint8Array | null;
  /** Breakpoints that have stopped the episode, each with the turn it was for. */
  hits: Set<string>;
  clock: () => number;
  /** Awaits something that a person decides: it is not the agent's time. */
  whileWaiting: <T>(wait: Promise<T>) => Promise<T>;
  retry: Pick<RetryEdges, 'sleep' | 'random'>;
  /** Aborts when the episode is stopped or its environment is gone. */
  signal: AbortSignal;
};

export const canAsk = ({ spec }: Pick<EpisodeStage, 'spec'>): boolean => mayAsk(spec.condition);

export const recordOf = ({ log, id }: EpisodeStage): EpisodeRecord => log.record(id);

export const append = ({ log, id }: EpisodeStage, actor: Actor, event: LogEvent): void => {
  log.append(id, actor, event);
};

/** Appends what an environment or a model said: what is large is covered on another thread before. */
export async function appendSaid(
  { log, id, cover }: EpisodeStage,
  entries: readonly LogEntry[],
): Promise<void> {
  const ahead = cover.ahead(entries.map(({ event }) => event));
  if (ahead !== null) await ahead;
  log.appendAll(id, entries);
}

export const messageEvent = (delivery: Delivery, turn: number): EventOf<'message.added'> => ({
  kind: 'message.added',
  role: delivery.role,
  content: delivery.content,
  origin: delivery.origin,
  turn,
  tool_call_id: delivery.toolCallId,
  name: delivery.name,
  segments: delivery.segments,
  full_length: delivery.full_length,
});
