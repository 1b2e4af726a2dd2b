// The rubric: independent components in [0, 1], weighed. test/reward/exploits.test.ts says how each could be earned cheaply, and what stops it.
import type { RubricScore } from '../../shared/rewards/breakdown.ts';
import type { ComponentName, RubricSettings } from '../../shared/rewards/settings.ts';
import { Failure } from '../../shared/failure.ts';
import type { RewardFacts } from './facts.ts';

export type Component = (facts: RewardFacts, settings: RubricSettings) => number;

/** More can be added beside these; a weight names each. */
export const COMPONENTS: Readonly<Record<ComponentName, Component>> = {
  /** What the host's verifier said. Nothing the agent writes or calls enters here. */
  primary: ({ label }, { primary }) =>
    label !== null && Object.hasOwn(primary, label) ? (primary[label] ?? 0) : 0,
  /**
   * Share of the agent's calls that had a use: answered without an error, made for the first time, its own. Calls that
   * advice had written out count neither way. A task that was not completed earns it in proportion to the work: one good
   * call and a quick end is no process.
   */
  process: ({ calls, label }, { process_calls: enough }) => {
    const made = calls.filter(({ by }) => by === 'agent' || by === 'person');
    const useful = new Set(
      made.flatMap(({ key, outcome, by }) => (outcome === 'ok' && by === 'agent' ? [key] : [])),
    );
    if (useful.size === 0) return 0;
    const coverage = label === 'complete' ? 1 : Math.min(1, useful.size / enough);
    return (useful.size / made.length) * coverage;
  },
  /**
   * Well-formed moves against badly formed turns, in full only from a least number of both. What pads a transcript (asks,
   * listings, the same call again) counts neither way.
   */
  format: ({ turns, wellFormed, moves, label }, { format_turns: enough }) => {
    const judged = moves + turns - wellFormed;
    if (judged === 0) return 0;
    const length = label === 'complete' ? 1 : Math.min(1, judged / enough);
    return (moves / judged) * length;
  },
  /** Fewer turns of anybody, where the task was completed; ending early is worth nothing else. */
  efficiency: ({ length, label }, { efficient_turns: fast, slow_turns: slow }) => {
    if (label !== 'complete') return 0;
    return Math.min(1, Math.max(0, (slow - length) / (slow - fast)));
  },
};

/**
 * The components, weighed. Where the task was not completed all but the primary one are multiplied with `unfinished`, so
 * that no polish earns what a completed task earns. Throws `bad_input` when a weight names no component.
 */
export function rubricScore(
  facts: RewardFacts,
  settings: RubricSettings,
  components: Readonly<Record<string, Component>> = COMPONENTS,
): RubricScore {
  const values: Record<string, number> = {};
  const gate = facts.label === 'complete' ? 1 : settings.unfinished;
  let total = 0;
  for (const [name, weight] of Object.entries(settings.weights)) {
    const component = Object.hasOwn(components, name) ? components[name] : undefined;
    if (component === undefined) {
      throw new Failure('bad_input', `the rubric has no component ${name}`, {
        next: `It has ${Object.keys(components).join(', ')}.`,
      });
    }
    const value = component(facts, settings);
    values[name] = value;
    total += weight * value * (name === 'primary' ? 1 : gate);
  }
  return { total, components: values, gate };
}
