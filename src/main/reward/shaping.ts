// The graduated reward of the expert-in-the-loop recipe: the verifier's word, and how the agent asked. Diagnostic
// beside the verifier's own reward: a shaped mean has misled before (see docs/runs.md).
import type { Pattern, ShapedReward } from '../../shared/rewards/breakdown.ts';
import type { ShapingSettings } from '../../shared/rewards/settings.ts';
import type { RewardFacts } from './facts.ts';

/** Reward of one episode, with its parts. Unbounded in general; 2.0, 1.3 and 0.8 on completion with the defaults. */
export function shapedReward(facts: RewardFacts, settings: ShapingSettings): ShapedReward {
  const { base, modifiers } = settings;
  if (facts.label === 'complete') {
    const pattern = helpPattern(facts);
    // Help that is hidden must not pay more than help that is shown.
    const modifier = pattern === 'unknown' ? Math.min(...Object.values(modifiers)) : modifiers[pattern];
    return { base: base.complete, modifier, pattern, total: base.complete + modifier };
  }
  const amount = baseOf(facts, settings);
  return { base: amount, modifier: 0, pattern: null, total: amount };
}

/** True if so many turns were badly formed that the whole episode counts as a format error. */
export const isFormatErrorEpisode = (
  { turns, wellFormed }: Pick<RewardFacts, 'turns' | 'wellFormed'>,
  { format_error_share: most }: Pick<ShapingSettings, 'format_error_share'>,
): boolean => turns > 0 && (turns - wellFormed) / turns > most;

/** A share of all turns, not all of them: one well-formed turn among many that are not is no way out. */
function baseOf(facts: RewardFacts, settings: ShapingSettings): number {
  const { base } = settings;
  if (isFormatErrorEpisode(facts, settings)) return base.format_error;
  return facts.label === 'incomplete' ? base.incomplete : base.other;
}

/**
 * Recovery is being helped after a try of one's own that the environment answered with an error. A badly formed call is
 * no try, or breaking one on purpose would make every blind ask a recovery; neither is a call that a person turned down.
 * Help that came unasked is help: who waits for a person to take over is not solo. Where no help stands in the log, the
 * episode is solo only when it is known that there was none.
 */
export function helpPattern({ firstHelp, help, calls }: RewardFacts): Pattern {
  if (firstHelp === null) return help === 'none' ? 'solo' : 'unknown';
  const tried = calls.some(
    ({ turn, outcome, by }) =>
      turn < firstHelp && outcome === 'failed' && (by === 'agent' || by === 'copied'),
  );
  return tried ? 'recovery' : 'blind';
}
