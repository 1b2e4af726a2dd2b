// Taking settings of the rewards from outside: parsed, and held to the rules that src/shared/rewards states.
import { z } from 'zod';
import { Failure } from '../../shared/failure.ts';
import { brokenRules, RewardSettings } from '../../shared/rewards/settings.ts';

/**
 * Settings that hold what the rewards promise: on completion solo > recovery > blind, and the least of them above
 * anything that was not completed, in the rubric too; weights that sum to 1. Throws `bad_input` naming the rule that is
 * broken.
 */
export function checkRewards(input: unknown): RewardSettings {
  const parsed = RewardSettings.safeParse(input);
  if (!parsed.success) throw unusableSettings(z.prettifyError(parsed.error));
  const rules = brokenRules(parsed.data);
  if (rules.length > 0) throw unusableSettings(rules.map(({ message }) => message).join('; '));
  return parsed.data;
}

const unusableSettings = (message: string): Failure =>
  new Failure('bad_input', `these rewards cannot be used: ${message}`, {
    next: 'Change the numbers; the rules are in docs/runs.md#rewards.',
  });
