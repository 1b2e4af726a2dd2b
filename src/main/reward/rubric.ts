// Owns: the rubric: independent components in [0, 1], weighed. Each has an exploit analysis in docs/rewards.md.
import { Failure } from '../../shared/failure.ts';
import type { Facts } from './facts.ts';
import type { RubricSettings } from './settings.ts';

export type Component = (facts: Facts, settings: RubricSettings) => number;
export type Scored = {
  /** In [0, 1]. */
  total: number;
  /** Each component's own value in [0, 1], before its weight. */
  components: Record<string, number>;
};

/** More can be added beside these; a weight names each. */
export const COMPONENTS: Readonly<Record<string, Component>> = {
  /** What the host's verifier said. Nothing the agent writes or calls enters here. */
  primary: ({ label }, { primary }) => primary[label ?? ''] ?? 0,
  /**
   * Share of the agent's calls that had a use: answered without an error, made for the first time, its own. A task that
   * was not completed earns it in proportion to the work: one good call and a quick end is no process.
   */
  process: ({ calls, label }, { process_calls: enough }) => {
    const useful = new Set(
      calls.flatMap(({ key, outcome, isOwn }) => (outcome === 'ok' && isOwn ? [key] : [])),
    );
    if (useful.size === 0) return 0;
    const coverage = label === 'complete' ? 1 : Math.min(1, useful.size / enough);
    return (useful.size / calls.length) * coverage;
  },
  /** Share of well-formed turns, in full only from a least number of turns. */
  format: ({ turns, wellFormed, label }, { format_turns: enough }) => {
    if (turns === 0) return 0;
    const length = label === 'complete' ? 1 : Math.min(1, turns / enough);
    return (wellFormed / turns) * length;
  },
  /** Fewer turns, where the task was completed; ending early is worth nothing else. */
  efficiency: ({ turns, label }, { efficient_turns: fast, slow_turns: slow }) => {
    if (label !== 'complete') return 0;
    return Math.min(1, Math.max(0, (slow - turns) / (slow - fast)));
  },
};

/** Throws `bad_input` when a weight names no component. */
export function rubricScore(
  facts: Facts,
  settings: RubricSettings,
  components: Readonly<Record<string, Component>> = COMPONENTS,
): Scored {
  const values: Record<string, number> = {};
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
    total += weight * value;
  }
  return { total, components: values };
}
