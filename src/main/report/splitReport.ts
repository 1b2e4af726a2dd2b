// What the report of a split says: which scenarios it has, how hard they are, and what is held out.
import { drawingOf } from '../../figures/charts/chart.ts';
import { environmentOverview } from '../../figures/charts/environmentOverview.ts';
import { formatPercent } from '../../figures/text.ts';
import {
  OverviewDifficulty,
  overviewOfSplit,
  type ScenarioOverview,
  type SplitSummary,
} from '../../shared/environmentOverview.ts';
import { countText } from '../../shared/countText.ts';
import type { SplitManifest } from '../../shared/split.ts';
import { markdownTable, plain, type ReportContent } from './report.ts';

export function splitReport(name: string, manifest: SplitManifest): ReportContent {
  const scenarios = overviewOfSplit(manifest);
  const { train, val } = manifest;
  const all = train.length + val.length;
  return {
    title: `Split ${name}`,
    sections: [
      [
        `**${countText(train.length, 'task')} to train on, ${String(val.length)} held out (${all === 0 ? '–' : formatPercent(val.length / all)}).**`,
        sharedWords(scenarios),
        ...droppedWords(manifest),
      ].join('\n\n'),
      scenarioSection(scenarios),
      READING,
    ],
    drawings: [drawingOf(environmentOverview, { scenarios })],
    summary: {
      kind: 'interject.split_overview',
      version: 1,
      split: name,
      scenarios,
      manifest,
    } satisfies SplitSummary,
  };
}

function sharedWords(scenarios: readonly ScenarioOverview[]): string {
  const cut = scenarios.filter(({ train, held_out: held }) => (train ?? 0) > 0 && (held ?? 0) > 0);
  return cut.length === 0
    ? 'No scenario is on both sides, so no task that trains shares a database with a held-out one.'
    : `${String(cut.length)} of ${countText(scenarios.length, 'scenario')} ${cut.length === 1 ? 'is' : 'are'} on both sides. Tasks of one scenario share its database, so what is learnt on one side helps on the other.`;
}

function droppedWords({ meta }: SplitManifest): string[] {
  const dropped = Object.entries(meta?.['dropped'] ?? {}).map(
    ([cause, count]) => `${String(count)} ${plain(cause.replaceAll('_', ' '))}`,
  );
  return dropped.length === 0 ? [] : [`Left out before the split: ${dropped.join(', ')}.`];
}

function scenarioSection(scenarios: readonly ScenarioOverview[]): string {
  const rows = scenarios.map((one) => [
    plain(one.name),
    String(one.tasks),
    String(one.train ?? 0),
    String(one.held_out ?? 0),
    OverviewDifficulty.options
      .flatMap((level) =>
        one.difficulty[level] === undefined ? [] : [`${level} ${String(one.difficulty[level])}`],
      )
      .join(', '),
    one.verifier === null ? '–' : plain(one.verifier),
    one.solo_runs === 0 ? '–' : `${String(one.solo_completed)} of ${String(one.solo_runs)}`,
  ]);
  return `## Scenarios\n\n${markdownTable(
    ['Scenario', 'Tasks', 'Train', 'Held out', 'Difficulty', 'Verifier', 'Complete without help'],
    rows,
  )}`;
}

const READING = [
  '## How to read it',
  '- Difficulty is that of the manifest: by the share of completed zero-shot rollouts, or where none completed anything, as the author of the task states it.',
  '- “unknown” is a task of which the manifest tells no difficulty, as in the public recipe’s own form.',
].join('\n');
