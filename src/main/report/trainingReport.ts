// What the report of a training run says.
import { trainingFigures } from '../../figures/trainingFigures.ts';
import { stepTable } from '../../figures/runSeries.ts';
import { formatNumber } from '../../figures/text.ts';
import { countText } from '../../shared/countText.ts';
import type { CurriculumSummary } from '../../shared/curriculum/overview.ts';
import type { RunStep, TrainingRun } from '../../shared/training/run.ts';
import { TRAINING_SUMMARY_VERSION, TrainingSummary } from '../../shared/training/summary.ts';
import { curriculumSections } from './curriculumSections.ts';
import { markdownTable, plain, type ReportContent } from './report.ts';

/** `curriculum` null: nothing decided with how much help it went on. */
export function trainingReport(run: TrainingRun, curriculum: CurriculumSummary | null = null): ReportContent {
  const drawings = trainingFigures(run);
  const summary = TrainingSummary.parse({
    kind: 'interject.training',
    version: TRAINING_SUMMARY_VERSION,
    run,
    ...(curriculum === null ? {} : { curriculum }),
    figures: drawings.map(({ name, title }) => ({
      file: `figures/${name}`,
      title,
    })),
  });
  return {
    title: `Training run ${run.run}`,
    sections: [introduction(run), ...curriculumSections(curriculum), stepSection(run.steps), reading(run)],
    drawings,
    summary,
  };
}

function introduction({ steps, notes, unread }: TrainingRun): string {
  const flat = steps.filter(({ flat_groups: groups }) => (groups ?? 0) > 0).length;
  return [
    changeSentence(steps),
    ...notes.map(plain),
    ...(flat === 0
      ? []
      : [
          `In ${String(flat)} of ${countText(steps.length, 'step')} a group had the same reward in every rollout: a trainer that compares rollouts learns nothing from it.`,
        ]),
    ...(unread.length === 0 ? [] : [`Not read: ${unread.map(plain).join('; ')}.`]),
  ].join('\n\n');
}

const WINDOW = 5;

/** The first steps against the last, as plain as that is: without a comparison run nothing says what changed them. */
function changeSentence(steps: readonly RunStep[]): string {
  const told = steps.filter(({ reward }) => reward !== null);
  if (told.length < 2 * WINDOW) {
    return `${countText(steps.length, 'step')}. Too few have a reward to set the first ${String(WINDOW)} against the last ${String(WINDOW)}.`;
  }
  const [begin] = told;
  if (told.every(({ reward }) => reward === begin?.reward)) {
    return `${countText(steps.length, 'step')}. The mean reward is ${formatNumber(begin?.reward ?? 0)} at every step that has one.`;
  }
  const first = meanReward(told.slice(0, WINDOW));
  const last = meanReward(told.slice(-WINDOW));
  return `${countText(steps.length, 'step')}. The mean reward is ${formatNumber(first)} over the first ${String(WINDOW)} steps and ${formatNumber(last)} over the last ${String(WINDOW)}. One run by itself does not show what moved its rewards: that takes a run without the expert, and held-out tasks.`;
}

const meanReward = (steps: readonly RunStep[]): number =>
  steps.reduce((sum, { reward }) => sum + (reward ?? 0), 0) / steps.length;

function stepSection(steps: readonly RunStep[]): string {
  const { columns, rows } = stepTable(steps);
  return `## Steps\n\n${markdownTable(
    columns.map(plain),
    rows.map((row) => row.map(plain)),
  )}`;
}

const reading = ({ source }: TrainingRun): string =>
  [
    '## How to read it',
    '- Completion is the verifier’s word. A shaped reward is a diagnostic: it can rise while nothing more is completed.',
    ...(source === 'episodes'
      ? [
          '- Steps are worked out from the recorded episodes; a format error is a rollout most of which was badly formed.',
        ]
      : ['- The numbers are those of the source; nothing was worked out anew.']),
    '- `results_summary.json` holds the same numbers for programs.',
  ].join('\n');
