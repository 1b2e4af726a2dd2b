// Starting, stopping and reading episodes.
import type { Caller, Handlers, Inputs } from '../../shared/contract/contract.ts';
import { refused, roleOf } from '../../shared/contract/roles.ts';
import { type Actor, type Saw, seatActor } from '../../shared/events/actor.ts';
import { hasPerson, isBriefed, mayAsk } from '../../shared/conditions.ts';
import {
  ADMIT_EVERYTHING,
  type AgentSpec,
  type Budget,
  BudgetName,
  type Condition,
  type ConfidenceRule,
  type EnvironmentSpec,
  type Limits,
} from '../../shared/events/lifecycle.ts';
import { environmentKey } from '../../shared/environmentKinds.ts';
import { Failure } from '../../shared/failure.ts';
import { listsContinuations } from '../../shared/lift/listed.ts';
import { isRecord } from '../../shared/json.ts';
import { formatPlan } from '../../shared/plan.ts';
import { sideIn, type SplitManifest, type SplitSide } from '../../shared/split.ts';
import type { Continuing } from '../episode/continueEpisode.ts';
import type { LimitSources, RunBudget, RunBudgets } from '../episode/budget.ts';
import { NO_APPROVAL, type RunSpec } from '../episode/stage.ts';
import type { TaskKnowledgeOf } from '../episode/taskKnowledge.ts';
import { startTogether, type Supervisor } from '../episode/supervisor.ts';
import type { EventLog } from '../log/eventLog.ts';
import type { SettingsStore } from '../settings/settings.ts';
import { veilFor } from './veil.ts';
import type { StartEpisode } from '../../shared/contract/areas.ts';
import { isSameTask } from '../../shared/episode/baseline.ts';
import { type TaskAddress, taskLabel, taskRef } from '../../shared/episode/record.ts';
import type { Baseline } from '../../shared/events/consultations.ts';
import { splitsIn } from '../log/pinnedSplits.ts';
import { budgetOf, type DefaultBudgets } from '../../shared/contract/budgets.ts';

type EpisodesDependencies = {
  log: EventLog;
  supervisor: Supervisor;
  environment: (id: string) => EnvironmentSpec;
  /** What a person set for an added environment. */
  environmentSettings: SettingsStore['environmentSettings'];
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
  continuing: Continuing;
};

export function episodeCommands(parts: EpisodesDependencies) {
  const { log, supervisor, newId, stopTapped, continuing } = parts;
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
      if (stopTapped(episode, actor, reason) || continuing.stop(episode, actor, reason)) return {};
      supervisor.stop(episode, actor, reason);
      return {};
    },
    'episode.settle': async ({ episode, act }, { seat }) => {
      if (act === 'go_on') continuing.byWord(episode, seatActor(seat));
      else continuing.end(episode, seatActor(seat));
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
  } satisfies Partial<Handlers>;
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

type SpecsDependencies = Omit<
  EpisodesDependencies,
  'supervisor' | 'knowledge' | 'runBudgets' | 'newId' | 'stopTapped' | 'continuing'
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

/** The runs a start asks for, one per repeat. Throws `bad_input` or `model_not_configured` before anything starts. */
export function runSpecs(
  parts: SpecsDependencies,
  input: Inputs['episode.start'],
  group: string | null,
): RunSpec[] {
  const { environment: id, deadline_ms, task_idx, repeats, agent, condition, fallback, seed, reset } = input;
  if (fallback === 'draft' && condition === 'human') {
    throw new Failure('bad_input', 'there is no draft to fall back on when the condition is human', {
      next: 'Choose the condition human+draft, or another fallback.',
    });
  }
  checkReset(reset);
  checkPlayedAlone({ policy: agent.policy, condition });
  if (agent.policy === 'chat' && !parts.hasAgentModel(agent.profile)) {
    throw new Failure('model_not_configured', 'no model is set for the agent', {
      next: 'Set one under Setup or with INTERJECT_AGENT_MODEL, or choose the rehearsal agent.',
    });
  }
  const limits = limitsOf(input, parts.budgets(), parts.pricesFor);
  const at = parts.environment(id);
  const own = parts.environmentSettings(at.id);
  const { log, split = null } = parts;
  const baseline = baselineOf({ log, split, environment: environmentKey(at) }, input);
  const roster = mayAsk(condition) ? (parts.roster?.() ?? null) : null;
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
    approval: input.approval ?? NO_APPROVAL,
    isBlinded: input.is_blinded ?? false,
    isKeyOpen: input.is_key_open ?? false,
    effect: input.effect ?? 'shown',
    keepsSession: input.keeps_session ?? false,
    verifierMode: input.verifier_mode ?? own.verifier_mode,
    baseline,
    environmentText: own.agent_text,
    run: input.run ?? null,
    startRetries: input.start_retries ?? 0,
    confidence: confidenceOf(input),
    // The roster that a run begins with is kept by it.
    experts: roster === null || roster.experts.length === 0 ? null : roster,
    from: null,
  }));
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

/** `split`: given for this run of the product, beside the pinned ones; `environment`: the key of the one played in. */
type BaselineDependencies = { log: EventLog; split: SplitManifest | null; environment: string };

/** The baseline of a start; null where no brief is asked for. Throws `bad_input` where none may be written. */
export function baselineOf(
  { log, split, environment }: BaselineDependencies,
  input: StartEpisode,
): Baseline | null {
  const { baseline: episode, condition, scenario, task_idx } = input;
  if (!isBriefed(condition)) {
    if (episode === undefined) return null;
    throw new Failure(
      'bad_input',
      `a baseline is only read with a brief, and the condition is ${condition}`,
      {
        next: 'Choose the condition brief or brief+human.',
      },
    );
  }
  const side = checkHeldOut(splitsIn(log, split), { scenario, task_idx, environment });
  if (episode === undefined) {
    throw new Failure('bad_input', 'a brief needs a baseline: an ended episode of the same task', {
      next: 'Choose "Run again with a brief" on an ended episode, or give --baseline-log FILE.',
    });
  }
  const record = log.record(episode);
  if (record.started === null || record.ended === null) {
    throw new Failure('not_found', `there is no ended episode ${episode} in this data folder`);
  }
  const of = taskRef(record);
  if (!isSameTask(of, { scenario, task_idx })) {
    const message = `the baseline ${episode} is of ${taskLabel(of)}, not of ${taskLabel({ scenario, task_idx })}`;
    throw new Failure('bad_input', message, { next: 'Give an episode of the same task.' });
  }
  const reward_type = record.ended.reward_type ?? record.verified?.reward_type ?? null;
  return { episode, reward_type, split: side };
}

/** A task that is evaluated is never advised on. */
function checkHeldOut(
  splits: readonly SplitManifest[],
  task: TaskAddress & { environment: string },
): SplitSide {
  const side = sideIn(splits, task);
  if (side !== 'val') return side;
  throw new Failure(
    'bad_input',
    `${taskLabel(task)} is held out (val): no brief is written of a held-out task`,
    {
      next: 'Brief a task of the train split, or run this one with the condition none.',
    },
  );
}

/** The recipe's budgets; every one is a setting of the episode. */
const DEFAULT_LIMITS: Limits = {
  turns: 15,
  consultations: 3,
  time_ms: 30 * 60_000,
  stall_steps: 5,
  delivered_chars: 24_000,
};

/** Without a model as the agent nothing is spent on turns, so that a budget for models does not apply. */
const budgetFor = (agent: AgentSpec, fields: DefaultBudgets['per_episode']): Budget =>
  budgetOf(agent.policy === 'chat' ? fields : { ...fields, tokens: null, cost: null });

/** Throws `bad_input` for money without a price. */
export function limitsOf(
  { agent, limits }: Pick<StartEpisode, 'agent' | 'limits'>,
  budgets: DefaultBudgets,
  pricesFor: SettingsStore['pricesFor'],
): { limits: Limits; limitSources: LimitSources } {
  const given = limits as Partial<Limits>;
  const fromSettings = budgetFor(agent, budgets.per_episode);
  const all: Limits = { ...DEFAULT_LIMITS, ...fromSettings, ...given };
  const limitSources: LimitSources = {};
  for (const name of BudgetName.options) {
    if (all[name] === undefined) continue;
    limitSources[name] =
      given[name] !== undefined ? 'start' : fromSettings[name] !== undefined ? 'settings' : 'default';
  }
  if (all.cost !== undefined) checkPriced(agent, pricesFor, limitSources.cost === 'settings');
  return { limits: all, limitSources };
}

/** Budget of all episodes of a run together; null for no limit. Throws `bad_input` for money without a price. */
export function runBudgetFor(
  agent: AgentSpec,
  given: Budget,
  {
    budgets,
    pricesFor,
    runBudgets,
    run,
  }: {
    budgets: DefaultBudgets;
    pricesFor: SettingsStore['pricesFor'];
    runBudgets: RunBudgets;
    /** The name of the run; absent where it has none. */
    run?: string | undefined;
  },
): RunBudget | null {
  const fromSettings = budgetFor(agent, budgets.per_run);
  const all: Budget = { ...fromSettings, ...given };
  const names = BudgetName.options.filter((name) => all[name] !== undefined);
  if (names.length === 0) return null;
  const sources = Object.fromEntries(
    names.map((name) => [name, given[name] === undefined ? 'settings' : 'start'] as const),
  );
  if (all.cost !== undefined) checkPriced(agent, pricesFor, given.cost === undefined);
  return runBudgets.open({ limits: all, from: sources }, run);
}

/** Money cannot be limited where nobody knows what a token costs. Throws `bad_input`. */
function checkPriced(agent: AgentSpec, pricesFor: SettingsStore['pricesFor'], isDefault: boolean): void {
  if (agent.policy !== 'chat' || pricesFor(agent)?.agent !== undefined) return;
  throw new Failure(
    'bad_input',
    `there is no price for ${agent.profile ?? agent.model ?? 'the agent’s model'}`,
    {
      next: isDefault
        ? 'The budgets under Setup limit the cost: enter a price there (0 for a model that costs nothing), or take that limit out.'
        : 'Enter one under Setup, or limit the tokens instead.',
    },
  );
}
