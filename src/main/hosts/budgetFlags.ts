// The flags of `interject run` that limit an episode or the whole run; the settings say what holds without them.
import type { StartEpisode } from '../../shared/contract/areas.ts';
import type { Budget, BudgetName, ReachedLimit } from '../../shared/events/lifecycle.ts';
import { InvalidArgumentError, type Command } from 'commander';
import type { CommandApp } from './commandApp.ts';

export type BudgetOptions = {
  turns?: number;
  maxMinutes?: number;
  maxTokens?: number;
  maxCost?: number;
  maxRunTurns?: number;
  maxRunMinutes?: number;
  maxRunTokens?: number;
  maxRunCost?: number;
};

export const addBudgetFlags = (command: Command): Command =>
  command
    .option(
      '--max-minutes <n>',
      'minutes an episode may take, without the time people are waited for',
      amount,
    )
    .option('--max-tokens <n>', 'tokens an episode’s models may take; it ends with the reason budget', amount)
    .option('--max-cost <money>', 'the same in money, in the currency of the prices in the settings', amount)
    .option('--max-run-turns <n>', 'turns all episodes of the run may take together', amount)
    .option('--max-run-minutes <n>', 'minutes the run may take, waiting included', amount)
    .option('--max-run-tokens <n>', 'tokens all episodes of the run may take together', amount)
    .option('--max-run-cost <money>', 'the same in money', amount);

const amount = (text: string): number => {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError('a number above 0 is needed.');
  return value;
};

const milliseconds = (minutes: number): number => Math.max(1, Math.round(minutes * 60_000));

export const limitFlags = (options: BudgetOptions): StartEpisode['limits'] => {
  const { turns, maxMinutes, maxTokens, maxCost } = options;
  return {
    ...(turns === undefined ? {} : { turns }),
    ...(maxMinutes === undefined ? {} : { time_ms: milliseconds(maxMinutes) }),
    ...(maxTokens === undefined ? {} : { tokens: Math.ceil(maxTokens) }),
    ...(maxCost === undefined ? {} : { cost: maxCost }),
  };
};

/** Null where the run may take what its episodes may. Throws `bad_input` for money without a price. */
export function runBudgetOf(
  app: Pick<CommandApp, 'runBudget'>,
  agent: StartEpisode['agent'],
  options: BudgetOptions & { run?: string },
): ReturnType<CommandApp['runBudget']> {
  const { maxRunTurns: turns, maxRunMinutes: minutes, maxRunTokens: tokens, maxRunCost: cost } = options;
  const given: Budget = {
    ...(turns === undefined ? {} : { turns: Math.ceil(turns) }),
    ...(minutes === undefined ? {} : { time_ms: milliseconds(minutes) }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(cost === undefined ? {} : { cost }),
  };
  return app.runBudget(agent, given, options.run);
}

const FLAGS: Readonly<Record<ReachedLimit['of'], Readonly<Record<BudgetName, string>>>> = {
  episode: { turns: '--turns', time_ms: '--max-minutes', tokens: '--max-tokens', cost: '--max-cost' },
  run: {
    turns: '--max-run-turns',
    time_ms: '--max-run-minutes',
    tokens: '--max-run-tokens',
    cost: '--max-run-cost',
  },
};

/** The flag that sets such a limit. */
export const flagOfLimit = ({ of, name }: ReachedLimit): string => FLAGS[of][name];
