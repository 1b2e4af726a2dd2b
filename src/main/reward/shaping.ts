// Owns: the graduated reward of the expert-in-the-loop recipe: the verifier's word, and how the agent asked.
// Diagnostic beside the verifier's own reward: a shaped mean has misled before (see docs/rewards.md).
import type { Facts } from './facts.ts';
import type { ShapingSettings } from './settings.ts';

export type Pattern = 'solo' | 'recovery' | 'blind';
export type Shaped = {
  total: number;
  base: number;
  /** Added for the pattern; 0 where the task was not completed. */
  modifier: number;
  /** How the agent asked; null where the task was not completed. */
  pattern: Pattern | null;
};

/** Reward of one episode, with its parts. Unbounded in general; 2.0, 1.3 and 0.8 on completion with the defaults. */
export function shapedReward(facts: Facts, { base, modifiers }: ShapingSettings): Shaped {
  const isComplete = facts.label === 'complete';
  if (isComplete) {
    const pattern = patternOf(facts);
    const modifier = modifiers[pattern];
    return { base: base.complete, modifier, pattern, total: base.complete + modifier };
  }
  const amount = baseOf(facts, base);
  return { base: amount, modifier: 0, pattern: null, total: amount };
}

function baseOf({ label, turns, wellFormed }: Facts, base: ShapingSettings['base']): number {
  // The last word was no move at all: the episode ended on a format error.
  if (turns > 0 && wellFormed === 0) return base.format_error;
  return label === 'incomplete' ? base.incomplete : base.other;
}

/**
 * Recovery is asking after a try of one's own that the environment answered with an error. A badly formed call is no
 * try, or breaking one on purpose would make every blind ask a recovery; neither is a call that a person turned down.
 */
export function patternOf({ firstAsk, calls }: Facts): Pattern {
  if (firstAsk === null) return 'solo';
  const tried = calls.some(({ turn, outcome, isOwn }) => turn < firstAsk && outcome === 'failed' && isOwn);
  return tried ? 'recovery' : 'blind';
}
