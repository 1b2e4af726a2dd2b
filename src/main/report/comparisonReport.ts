// The report of several training runs: the same figures for all, and no winner.
import { COMPARISON_CAUTION, comparisonFigures } from '../../figures/comparisonFigures.ts';
import { completionEstimate } from '../../figures/runSeries.ts';
import { formatNumber } from '../../figures/text.ts';
import { completedShare, type RunStep, type TrainingRun } from '../../shared/training/run.ts';
import { COMPARISON_SUMMARY_VERSION, TrainingComparison } from '../../shared/training/summary.ts';
import { markdownTable, plain, type ReportContent } from './report.ts';

const WINDOW = 5;

export function comparisonReport(runs: readonly TrainingRun[]): ReportContent {
  const drawings = comparisonFigures(runs);
  return {
    title: `${String(runs.length)} training runs side by side`,
    sections: [
      [
        COMPARISON_CAUTION,
        ...runs.flatMap(({ run, notes }) => notes.map((note) => `${run}: ${note}`)).map(plain),
      ].join('\n\n'),
      runSection(runs),
      READING,
    ],
    drawings,
    summary: TrainingComparison.parse({
      kind: 'interject.training_comparison',
      version: COMPARISON_SUMMARY_VERSION,
      runs,
      figures: drawings.map(({ name, title }) => ({
        file: `figures/${name}`,
        title,
      })),
    }),
  };
}

function runSection(runs: readonly TrainingRun[]): string {
  const rows = runs.map(({ run, source, steps }) => {
    const rewarded = steps.filter(({ reward }) => reward !== null);
    const judged = steps.filter((step) => completedShare(step) !== null);
    return [
      plain(run),
      source === 'episodes' ? 'episodes' : plain(source),
      String(steps.length),
      meanReward(rewarded.slice(0, WINDOW)),
      meanReward(rewarded.slice(-WINDOW)),
      completionText(judged.slice(0, WINDOW)),
      completionText(judged.slice(-WINDOW)),
    ];
  });
  const columns = [
    'Run',
    'Read from',
    'Steps',
    'Reward, first 5',
    'Reward, last 5',
    'Complete, first 5',
    'Complete, last 5',
  ];
  return `## The first and the last 5 steps of each\n\n${markdownTable(columns, rows)}`;
}

function meanReward(steps: readonly RunStep[]): string {
  if (steps.length < WINDOW) return '–';
  return formatNumber(steps.reduce((sum, { reward }) => sum + (reward ?? 0), 0) / steps.length);
}

function completionText(steps: readonly RunStep[]): string {
  if (steps.length < WINDOW) return '–';
  const { value, low, high } = completionEstimate(steps);
  if (value === null) return '–';
  const interval =
    typeof low === 'number' && typeof high === 'number'
      ? ` (${formatNumber(low)} to ${formatNumber(high)})`
      : '';
  return `${formatNumber(value)} %${interval}`;
}

const READING = [
  '## How to read it',
  '- The last 5 steps of a short run and of a long one are not the same steps: the figures show which.',
  '- Completion is the verifier’s word; where it was counted, its 95 % interval by Wilson stands behind it. Rollouts of one prompt are alike, so the true interval is wider.',
  '- Rewards of different runs compare only where they are made of the same parts.',
].join('\n');
