// Starting, stopping and reading episodes.
import type { Caller, Handlers, Inputs } from '../../shared/contract/contract.ts';
import { refused, roleOf } from '../../shared/contract/roles.ts';
import { type Actor, seatActor, type Saw } from '../../shared/events/actor.ts';
import {
  ADMIT_EVERYTHING,
  hasPerson,
  mayAsk,
  type AgentSpec,
  type Condition,
  type ConfidenceRule,
  type EnvironmentSpec,
  type VerifierMode,
} from '../../shared/events/lifecycle.ts';
import { environmentKey } from '../../shared/environmentKinds.ts';
import { Failure } from '../../shared/failure.ts';
import type { Roster } from '../../shared/experts/roster.ts';
import { listsContinuations } from '../../shared/lift/listed.ts';
import { isRecord } from '../../shared/json.ts';
import { formatPlan } from '../../shared/plan.ts';
import type { SplitManifest } from '../../shared/split.ts';
import type { GoOn } from '../episode/goOn.ts';
import type { RunBudgets } from '../episode/budget.ts';
import type { RunSpec } from '../episode/stage.ts';
import { NO_APPROVAL } from '../episode/stage.ts';
import type { TaskKnowledgeOf } from '../episode/taskKnowledge.ts';
import { startTogether, type Supervisor } from '../episode/supervisor.ts';
import type { EventLog } from '../log/eventLog.ts';
import { baselineOf } from './baseline.ts';
import type { SettingsStore } from '../settings/settings.ts';
import { limitsOf, runBudgetFor } from './startLimits.ts';
import { veilFor } from './veil.ts';

type EpisodesDependencies = {
  log: EventLog;
  supervisor: Supervisor;
  environment: (id: string) => EnvironmentSpec;
  /** What a person had agents told of an added environment; null for nothing. */
  environmentText: (id: string) => string | null;
  /** How an added environment verifies where the start does not say it; null as the settings have it. */
  environmentVerifierMode: (id: string) => VerifierMode | null;
  knowledge: TaskKnowledgeOf;
  /** Which tasks are held out; null or absent where no manifest was given. */
  split?: SplitManifest | null;
  /** Throws `not_found` where there is no profile of the name. */
  hasAgentModel: (profile?: string) => boolean;
  pricesFor: SettingsStore['pricesFor'];
  budgets: SettingsStore['budgets'];
  runBudgets: RunBudgets;
  /** Who may be asked now. */
  roster?: SettingsStore['roster'];
  newId: () => string;
  /** Ends an episode that a client plays through the tap; false when it is none. */
  stopTapped: (episode: string, actor: Actor, reason: string | null) => boolean;
  goOn: GoOn;
};

type EpisodeHandlers = Pick<
  Handlers,
  | 'episodes.page'
  | 'episode.start'
  | 'episode.stop'
  | 'episode.settle'
  | 'episode.read'
  | 'answer_key.describe'
  | 'answer_key.show'
>;

export function episodeCommands(parts: EpisodesDependencies): EpisodeHandlers {
  const { log, supervisor, newId, stopTapped, goOn } = parts;
  return {
    'episodes.page': async (query, caller) => {
      const asked = { ...query, hidesContinuations: !listsContinuations(query) };
      const { rows, ...counts } = log.projections.episodes(asked);
      return { ...counts, rows: veilFor(log, caller).rows(rows), seq: log.lastSeq() };
    },
    'episode.start': async (input) => {
      checkFallback(input);
      const specs = runSpecs(parts, input, input.repeats > 1 ? newId() : null);
      // What is started together is a run of its own.
      const runBudget = runBudgetFor(input.agent, {}, { ...parts, budgets: parts.budgets() });
      const budgeted = specs.map((spec) => (runBudget === null ? spec : { ...spec, runBudget }));
      return { episodes: await startTogether(supervisor, budgeted) };
    },
    'episode.stop': async ({ episode, reason }, { seat }) => {
      const actor = seatActor(seat);
      if (stopTapped(episode, actor, reason) || goOn.stop(episode, actor, reason)) return {};
      supervisor.stop(episode, actor, reason);
      return {};
    },
    'episode.settle': async ({ episode, act }, { seat }) => {
      if (act === 'go_on') goOn.byWord(episode, seatActor(seat));
      else goOn.letBe(episode, seatActor(seat));
      return {};
    },
    'episode.read': async ({ episode, after, limit, holding }, caller) => {
      const record = log.record(episode);
      if (record.n === 0)
        throw new Failure('not_found', `there is no episode ${episode} in this data folder`);
      // Whether covered words are there is not told either: an expert's seat is given all and sees for itself.
      const isSought = holding !== undefined && roleOf(caller) === 'owner';
      const found = isSought ? log.holding(episode, after, limit, holding) : log.read(episode, after, limit);
      const events = veilFor(log, caller).events(episode, found);
      return { events, last_n: record.n };
    },
    'answer_key.describe': async ({ episode }) => {
      const { missing } = await parts.knowledge.secrets(episode);
      return { is_known: missing === null, message: missing?.message ?? null, next: missing?.next ?? null };
    },
    'answer_key.show': async ({ episode }, caller) => showAnswerKey(parts, episode, caller),
  };
}

/** A fallback without a deadline would never apply while a person is there. */
function checkFallback(input: Inputs['episode.start']): void {
  if (input.fallback !== 'wait' && input.deadline_ms === null && hasPerson(input.condition)) {
    throw new Failure(
      'bad_input',
      `the fallback "${input.fallback}" needs a deadline after which it applies`,
      {
        next: 'Set a deadline, or let the agent wait.',
      },
    );
  }
}

type SpecsDependencies = Pick<
  EpisodesDependencies,
  | 'log'
  | 'environment'
  | 'environmentText'
  | 'environmentVerifierMode'
  | 'hasAgentModel'
  | 'pricesFor'
  | 'budgets'
  | 'roster'
  | 'split'
>;

/** Reset arguments that environments take without a word and then go wrong by. Throws `bad_input`. */
function checkReset({ task, reward_config: rewards }: Inputs['episode.start']['reset']): void {
  if (task !== undefined && typeof task !== 'string') {
    throw new Failure('bad_input', 'the reset argument "task" is no text', {
      next: 'Write it like {"task": "what the agent shall do"}.',
    });
  }
  const isTable = isRecord(rewards) && Object.values(rewards).every((one) => typeof one === 'number');
  if (rewards !== undefined && !isTable) {
    throw new Failure('bad_input', 'the reset argument "reward_config" is no table of numbers', {
      next: 'Write it like {"reward_config": {"complete": 1, "incomplete": 0.1, "format_error": -1}}.',
    });
  }
}

/** Throws `bad_input` for what cannot be run as it is asked for. */
function checkStart(input: Inputs['episode.start']): void {
  if (input.fallback === 'draft' && input.condition === 'human') {
    throw new Failure('bad_input', 'there is no draft to fall back on when the condition is human', {
      next: 'Choose the condition human+draft, or another fallback.',
    });
  }
  checkReset(input.reset);
}

/** Throws `bad_input` for a person who plays and has an expert. */
export function checkPlayedAlone({
  policy,
  condition,
}: {
  policy: AgentSpec['policy'];
  condition: Condition;
}): void {
  if (policy !== 'human' || condition === 'none') return;
  throw new Failure('bad_input', 'a person who plays the episode asks nobody for advice', {
    next: 'Choose the condition none, or an agent that can ask.',
  });
}

/** Throws `bad_input` or `model_not_configured` for an agent that cannot act as it is asked for. */
function checkAgent(
  { agent, condition }: Inputs['episode.start'],
  hasAgentModel: EpisodesDependencies['hasAgentModel'],
): void {
  checkPlayedAlone({ policy: agent.policy, condition });
  if (agent.policy === 'chat' && !hasAgentModel(agent.profile)) {
    throw new Failure('model_not_configured', 'no model is set for the agent', {
      next: 'Set one under Settings or with INTERJECT_AGENT_MODEL, or choose the rehearsal agent.',
    });
  }
}

/** The runs a start asks for, one per repeat. Throws `bad_input` or `model_not_configured` before anything starts. */
export function runSpecs(
  {
    log,
    environment,
    environmentText,
    environmentVerifierMode,
    hasAgentModel,
    pricesFor,
    budgets,
    roster,
    split = null,
  }: SpecsDependencies,
  input: Inputs['episode.start'],
  group: string | null,
): RunSpec[] {
  checkStart(input);
  checkAgent(input, hasAgentModel);
  const limits = limitsOf(input, budgets(), pricesFor);
  const { environment: id, deadline_ms, task_idx, repeats, ...rest } = input;
  const { agent, condition, fallback, seed, reset } = rest;
  const at = environment(id);
  const baseline = baselineOf({ log, split, environment: environmentKey(at) }, input);
  return Array.from({ length: repeats }, (_, repeat) => ({
    environment: at,
    scenario: input.scenario,
    task_idx,
    agent,
    condition,
    ...limits,
    deadline_ms,
    fallback,
    seed: seed + repeat,
    repeat,
    group,
    reset,
    admission: input.admission ?? ADMIT_EVERYTHING,
    approval:
      input.approval === undefined
        ? NO_APPROVAL
        : {
            rules: input.approval.rules,
            deadline_ms: input.approval.deadline_ms,
            fallback: input.approval.fallback,
          },
    isBlinded: input.is_blinded ?? false,
    isKeyOpen: input.is_key_open ?? false,
    effect: input.effect ?? 'shown',
    keepsSession: input.keeps_session ?? false,
    verifierMode: input.verifier_mode ?? environmentVerifierMode(at.id),
    baseline,
    environmentText: environmentText(at.id),
    run: input.run ?? null,
    startRetries: input.start_retries ?? 0,
    confidence: confidenceOf(input),
    experts: mayAsk(condition) ? askedExperts(roster) : null,
    from: null,
  }));
}

/** The roster a run begins with, so that it keeps it; null where nobody is in it. */
function askedExperts(roster: SettingsStore['roster'] | undefined): Roster | null {
  const now = roster?.() ?? null;
  return now === null || now.experts.length === 0 ? null : now;
}

/** A person waits for it: the words of the data are shown where a model takes longer. */
const KEY_WAIT_MS = 60_000;

async function showAnswerKey({ log, knowledge }: EpisodesDependencies, episode: string, caller: Caller) {
  const { seat } = caller;
  const record = log.record(episode);
  if (roleOf(caller) === 'expert' && record.started?.is_key_open !== true) {
    throw refused('answer_key.show is not for an expert’s seat in this run');
  }
  if (record.started === null) throw new Failure('not_found', `there is no episode ${episode}`);
  const { secrets, missing } = await knowledge.secrets(episode);
  if (secrets === null)
    throw new Failure('not_found', missing.message, missing.next === null ? {} : { next: missing.next });
  const known = await knowledge.knowledge(episode, AbortSignal.timeout(KEY_WAIT_MS)).catch(() => null);
  const { criteria, reference, verifier } = secrets;
  const saw: Saw[] = reference === null ? ['criteria'] : ['criteria', 'reference'];
  // That the seat has seen it is recorded on its way out; an ended episode's own events never change.
  if (log.record(episode).ended === null) {
    log.append(episode, seatActor(seat), { kind: 'answer_key.shown', seat, saw });
  }
  return {
    criteria: known?.criteria ?? criteria ?? 'Nobody put into words what is checked. Read the verifier.',
    reference: reference === null ? null : formatPlan({ calls: reference, success_state: null, tips: null }),
    saw,
    ...(verifier === null ? {} : { verifier: verifier.code, criteria_model: known?.model ?? null }),
  };
}

/** Throws `bad_input` where an advisor is to be asked and the condition has none. */
function confidenceOf({ confidence, condition }: Inputs['episode.start']): ConfidenceRule | null {
  const asksAdvisor = confidence !== undefined && confidence.below !== null && confidence.to === 'advisor';
  if (!asksAdvisor || mayAsk(condition)) return confidence ?? null;
  throw new Failure('bad_input', `unsure calls go to the advisor, and the condition ${condition} has none`, {
    next: 'Choose the condition model, human or human+draft, or let unsure calls go to the desk.',
  });
}
