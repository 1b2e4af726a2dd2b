import { z } from 'zod';
import { countText } from '../../shared/countText.ts';
import { OverviewDifficulty, ScenarioOverview } from '../../shared/environmentOverview.ts';
import { rowChart } from '../rowChart.ts';
import type { ColourName } from '../theme.ts';
import { defineChart } from './chart.ts';
import { Frame, notesOf } from './shapes.ts';

const EnvironmentOverviewData = z.strictObject({ ...Frame, scenarios: z.array(ScenarioOverview) });

/** More lines than this make a figure that nobody reads. */
const SCENARIOS_MAX = 30;

const COLOURS: Readonly<Record<OverviewDifficulty, ColourName>> = {
  easy: 'agent',
  medium: 'human',
  hard: 'verifier',
  unsolved: 'error',
  unknown: 'system',
};
const LEVEL_NAMES: Readonly<Record<OverviewDifficulty, string>> = {
  easy: 'easy',
  medium: 'medium',
  hard: 'hard',
  unsolved: 'never completed alone',
  unknown: 'difficulty not known',
};

/** The scenarios of an environment: tasks by difficulty, tools, verifiers, sides of the split. */
export const environmentOverview = defineChart({
  name: 'environment-overview',
  data: EnvironmentOverviewData,
  figure: (data, options) => {
    const { scenarios } = data;
    const tasks = scenarios.reduce((sum, one) => sum + one.tasks, 0);
    const shown = scenarios.slice(0, SCENARIOS_MAX);
    const levels = OverviewDifficulty.options.filter((level) =>
      shown.some(({ difficulty }) => (difficulty[level] ?? 0) > 0),
    );
    return rowChart(
      {
        name: 'environment-overview',
        title:
          data.title ??
          `${countText(tasks, 'task')} in ${countText(scenarios.length, 'scenario')}${heldOutWords(scenarios)}`,
        subtitle: 'Tasks of each scenario, by difficulty',
        notes: notesOf(
          data,
          scenarios.some(({ solo_runs: runs }) => runs > 0) &&
            '“Alone” counts verified runs without help; several runs of one task are alike, so it is no estimate with an interval.',
          scenarios.length > shown.length &&
            `The first ${String(shown.length)} of ${countText(scenarios.length, 'scenario')} are drawn.`,
        ),
        x: { label: 'Tasks', include: [0], isInteger: true },
        shape: 'bar',
        rows: shown.map((scenario) => ({
          label: scenario.name,
          value: scenario.tasks,
          note: noteOf(scenario),
          segments: levels.flatMap((level) => {
            const value = scenario.difficulty[level] ?? 0;
            return value === 0 ? [] : [{ name: LEVEL_NAMES[level], value, colour: COLOURS[level] }];
          }),
        })),
        empty: 'No scenario of this environment has a task.',
      },
      options,
    );
  },
});

function heldOutWords(scenarios: readonly ScenarioOverview[]): string {
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
