// The scenarios of an environment: tasks by difficulty, tools, verifiers, sides of the split.
import { countText } from '../shared/countText.ts';
import { OverviewDifficulty, type ScenarioOverview } from '../shared/environmentOverview.ts';
import type { Drawing } from './frame.ts';
import { rowChart } from './rows.ts';
import type { ColourName } from './theme.ts';

/** More lines than this make a figure that nobody reads. */
const SCENARIOS_MAX = 30;

const LEVELS: Readonly<Record<OverviewDifficulty, { name: string; colour: ColourName }>> = {
  easy: { name: 'easy', colour: 'agent' },
  medium: { name: 'medium', colour: 'human' },
  hard: { name: 'hard', colour: 'verifier' },
  unsolved: { name: 'never completed alone', colour: 'error' },
  unknown: { name: 'difficulty not known', colour: 'system' },
};

export function environmentOverview(
  scenarios: readonly ScenarioOverview[],
  notes: readonly string[] = [],
): Drawing {
  const tasks = scenarios.reduce((sum, one) => sum + one.tasks, 0);
  const shown = scenarios.slice(0, SCENARIOS_MAX);
  return rowChart({
    name: 'environment-overview',
    title: `${countText(tasks, 'task')} in ${countText(scenarios.length, 'scenario')}${heldOutText(scenarios)}`,
    subtitle: 'Tasks of each scenario, by difficulty',
    notes: [
      scenarios.some(({ solo_runs: runs }) => runs > 0)
        ? '“Alone” counts verified runs without help; several runs of one task are alike, so it is no estimate with an interval.'
        : '',
      scenarios.length > shown.length
        ? `The first ${String(shown.length)} of ${countText(scenarios.length, 'scenario')} are drawn.`
        : '',
      ...notes,
    ],
    x: { label: 'Tasks', isInteger: true },
    shape: 'bar',
    rows: shown.map((scenario) => ({
      label: scenario.name,
      value: scenario.tasks,
      note: noteOf(scenario),
      parts: OverviewDifficulty.options.flatMap((level) => {
        const value = scenario.difficulty[level] ?? 0;
        return value === 0 ? [] : [{ ...LEVELS[level], value }];
      }),
    })),
    empty: 'No scenario of this environment has a task.',
  });
}

function heldOutText(scenarios: readonly ScenarioOverview[]): string {
  if (scenarios.every(({ held_out: held }) => held === null)) return '';
  return `, ${String(scenarios.reduce((sum, one) => sum + (one.held_out ?? 0), 0))} of them held out`;
}

const noteOf = ({ tools, verifier, train, held_out: held, ...solo }: ScenarioOverview): string =>
  [
    tools === null ? null : countText(tools, 'tool'),
    held === null || held === 0 ? null : (train ?? 0) === 0 ? 'held out' : `${String(held)} held out`,
    solo.solo_runs === 0 ? null : `${String(solo.solo_completed)} of ${String(solo.solo_runs)} alone`,
    verifier,
  ]
    .filter((part) => part !== null)
    .join(', ');
