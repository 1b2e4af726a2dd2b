// The limits of an episode and of a run: what the start says, then the settings, then the product's own.
import type { StartEpisode } from '../../shared/contract/areas.ts';
import { budgetOf, type DefaultBudgets } from '../../shared/contract/budgets.ts';
import { BudgetName, type AgentSpec, type Budget, type Limits } from '../../shared/events/lifecycle.ts';
import { Failure } from '../../shared/failure.ts';
import type { LimitSources, RunBudget, RunBudgets } from '../episode/budget.ts';
import type { SettingsStore } from '../settings/settings.ts';

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

/** What all episodes of a run may take together; null for no limit. Throws `bad_input` for money without a price. */
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
        ? 'The budgets under Settings limit the cost: enter a price there (0 for a model that costs nothing), or take that limit out.'
        : 'Enter one under Settings, or limit the tokens instead.',
    },
  );
}
