// The report of a training run.
import { trainingFigures } from '../../figures/trainingFigures.ts';
import { stepTable } from '../../figures/runSeries.ts';
import { formatNumber, formatPercent } from '../../figures/text.ts';
import { countText } from '../../shared/countText.ts';
import type { CurriculumSummary } from '../../shared/curriculum/overview.ts';
import { type RunStep, type TrainingRun } from '../../shared/training/run.ts';
import { TRAINING_SUMMARY_VERSION, TrainingSummary } from '../../shared/training/summary.ts';
import { markdownTable, plain, type ReportContent } from './report.ts';
import { changeText, signalText } from '../../shared/curriculum/words.ts';
import { Failure } from '../../shared/failure.ts';
import { CURRICULUM_DEFAULTS } from '../../shared/curriculum/settings.ts';
import { decidePhases, groupSplit, PHASE_DEFAULTS } from '../../shared/training/controller.ts';

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

type Decision = CurriculumSummary['decisions'][number];

/** Nothing where nothing was decided. */
function curriculumSections(curriculum: CurriculumSummary | null): string[] {
  const last = curriculum?.decisions.at(-1);
  if (curriculum === null || last === undefined) return [];
  const { decisions, settings } = curriculum;
  const { fixed_share: fixed } = settings.phases;
  const told = decisions.filter((one, index) => index === 0 || hasNews(one));
  const rest = decisions.length - told.length;
  const standing =
    fixed === null
      ? `${countText(decisions.length, 'decision')}. Step ${String(last.step)} was decided to be played in ${last.phase}: ${String(last.split.expert)} of ${String(last.split.expert + last.split.solo)} rollouts with an expert.`
      : `${countText(decisions.length, 'decision')}, with the expert’s share fixed at ${formatPercent(fixed)}.`;
  const rows = told.map((one) => [
    String(one.step),
    one.phase,
    `${String(one.split.expert)} : ${String(one.split.solo)}`,
    plain(one.signals.map(signalText).join('; ')),
    one.changes.length === 0 ? '–' : plain(one.changes.map((change) => changeText(change)).join('; ')),
    String(one.rollouts),
  ]);
  const head = ['Step', 'Phase', 'Expert : alone', 'What was measured', 'What changed', 'Rollouts'];
  return [
    [
      '## Curriculum',
      standing,
      markdownTable(head, rows),
      ...(rest === 0
        ? []
        : [`${countText(rest, 'decision')} more changed nothing; \`results_summary.json\` holds them all.`]),
    ].join('\n\n'),
  ];
}

const hasNews = ({ signals, changes }: Decision): boolean =>
  changes.length > 0 || signals.some(({ reason }) => reason === 'changes');

/** Rollouts of a group, as in the recipe. */
const GROUP = 8;

/** One decision after each step, for the one after it. Throws `bad_input` where the series tells no format errors. */
export function seriesPhases({ run, steps, unread }: TrainingRun): CurriculumSummary {
  if (steps.every(({ format_error_rate: rate }) => rate === null)) {
    throw new Failure('bad_input', `${run} tells no format errors by step`, {
      next: [
        ...(unread.length === 0 ? [] : [`Not read: ${unread.join('; ')}.`]),
        'It is a column such as format_error_rate, one value a step. Names that are read: docs/runs.md#reports.',
      ].join(' '),
    });
  }
  const series = steps.map(({ step, format_error_rate: rate }) => ({ step, rate }));
  const decisions = decidePhases(series, PHASE_DEFAULTS).map((decision, at) => ({
    step: decision.step + 1,
    phase: decision.phase,
    expert_share: decision.expert_share,
    split: groupSplit(decision.expert_share, GROUP),
    signals: [{ signal: 'format_error_rate' as const, ...decision }],
    changes: [],
    level: null,
    rollouts: steps[at]?.rollouts ?? 0,
  }));
  return { settings: CURRICULUM_DEFAULTS, decisions };
}
