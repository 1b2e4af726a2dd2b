// Secondary outcomes: the measures of a bench beside completion. Pure.
import { COMPONENT_NAMES } from '../rewards/settings.ts';
import type { Measures, Observed } from './observed.ts';
import type { ValueOf } from './taskMeans.ts';

export type SecondaryOutcome = {
  /** Its name in results_summary.json. */
  outcome: string;
  /** As it is read. */
  name: string;
  /** It lies in [0, 1] and is read in points. */
  isShare: boolean;
  isDiagnostic: boolean;
  valueOf: ValueOf;
};

const measure =
  (field: keyof Measures): ValueOf =>
  ({ measures }) =>
    measures[field];

const component =
  (name: string): ValueOf =>
  ({ components }: Observed) =>
    components[name] ?? null;

const plain = (outcome: keyof Measures, name: string, isShare = false): SecondaryOutcome => ({
  outcome,
  name,
  isShare,
  isDiagnostic: false,
  valueOf: measure(outcome),
});

/** In the order they are read. The primary component of the rubric is completion itself and is not tested twice. */
export const SECONDARY_OUTCOMES: readonly SecondaryOutcome[] = [
  ...COMPONENT_NAMES.filter((name) => name !== 'primary').map((name) => ({
    outcome: `reward_component.${name}`,
    name: `Reward component ${name}`,
    isShare: false,
    isDiagnostic: false,
    valueOf: component(name),
  })),
  plain('steps', 'Steps'),
  plain('format_errors', 'Format errors'),
  plain('tool_errors', 'Failed calls'),
  plain('asks', 'Asks'),
  plain('blind', 'Blind asks', true),
  plain('recovery', 'Recovery asks', true),
  plain('uptake', 'Advice followed', true),
  plain('expert_minutes', 'Expert minutes'),
  plain('input_tokens', 'Input tokens'),
  plain('output_tokens', 'Output tokens'),
  plain('cost', 'Cost'),
  {
    outcome: 'shaped_reward',
    name: 'Shaped reward (diagnostic)',
    isShare: false,
    isDiagnostic: true,
    valueOf: measure('shaped_reward'),
  },
];
