// `interject curriculum`: what the phase controller would have decided over a recorded series.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { Failure } from '../../shared/failure.ts';
import {
  decidePhases,
  groupSplit,
  PHASE_DEFAULTS,
  type PhaseDecision,
  type PhaseName,
} from '../../shared/training/controller.ts';
import { PUBLIC_EXAMPLE } from '../../shared/training/publicExample.ts';
import { completedShare, type RunStep } from '../../shared/training/run.ts';
import { SIGNAL_BOUNDS } from '../../shared/curriculum/settings.ts';
import { repeatRun } from './curriculumRun.ts';
import { readMetrics } from '../training/readMetrics.ts';
import type { CommandOutput } from './output.ts';
import { fromCaller } from './paths.ts';
import { integerFrom } from './runFlags.ts';

export type CurriculumOptions = {
  series?: string;
  signal: SeriesSignal;
  run?: string;
  settings?: string;
  data?: string;
  hysteresis: number;
  dwell: number;
  start: PhaseName;
  group: number;
};

/** What a series of steps can say; whose completions they are it does not, so those of all rollouts are taken. */
const SERIES_VALUES = {
  format_error_rate: ({ format_error_rate: rate }: RunStep) => rate,
  timeout_rate: ({ timeout_rate: rate }: RunStep) => rate,
  solo_completion: completedShare,
  reward: ({ reward }: RunStep) => reward,
} as const;
type SeriesSignal = keyof typeof SERIES_VALUES;
const SERIES_SIGNALS = Object.keys(SERIES_VALUES) as SeriesSignal[];
const SIGNAL_WORDS: Readonly<Record<SeriesSignal, string>> = {
  format_error_rate: 'format error',
  timeout_rate: 'timeout',
  solo_completion: 'completion',
  reward: 'reward',
};

const SIGNAL_COLUMNS: Readonly<Record<SeriesSignal, string>> = {
  format_error_rate: 'format_error_rate',
  timeout_rate: 'timeout_rate',
  solo_completion: 'completed/solo or success_rate',
  reward: 'reward',
};

const HYSTERESIS_MAX = 0.15;

const hysteresis = (text: string): number => {
  const value = Number(text);
  if (text.trim() !== '' && value >= 0 && value <= HYSTERESIS_MAX) return value;
  throw new InvalidArgumentError(`a number from 0 to ${String(HYSTERESIS_MAX)} is needed.`);
};

export const addCurriculumFlags = (command: Command): Command =>
  command
    .description(
      'what share of the rollouts would have had an expert, over a recorded series; or a run’s decisions, taken again',
    )
    .option(
      '--series <file>',
      'metrics of a run (JSONL, CSV, TensorBoard, trainer_state.json); without it or --run the published example',
    )
    .option(
      '--hysteresis <share>',
      'of --series: how far past a bound the signal must be',
      hysteresis,
      PHASE_DEFAULTS.hysteresis,
    )
    .option('--dwell <n>', 'of --series: for how many steps in a row', integerFrom(1), PHASE_DEFAULTS.dwell)
    .addOption(
      new Option('--start <phase>', 'of --series: the first phase')
        .choices(['scaffold', 'balanced', 'independence'])
        .default(PHASE_DEFAULTS.start),
    )
    .addOption(
      new Option('--signal <name>', 'of --series: what the phases follow')
        .choices(SERIES_SIGNALS)
        .default(SERIES_SIGNALS[0]),
    )
    .option('--group <n>', 'of --series: rollouts of a group', integerFrom(2), 8)
    .option('--run <name>', 'take the decisions of this run again, from what the log has of each')
    .option('--settings <file>', 'of --run: with these settings (JSON) in place of its own')
    .option('--data <dir>', 'of --run: data folder (else INTERJECT_HOME, else the platform’s own)')
    .option('--json', 'one JSON object per line on stdout');

export function curriculumCommand(options: CurriculumOptions, output: CommandOutput): Promise<number> {
  const { run, series, settings } = options;
  if (run !== undefined && series !== undefined) {
    throw new Failure('bad_input', '--run and --series are two different questions', {
      next: '--run takes the decisions of a run again, --series decides over a file: give one of them.',
    });
  }
  if (run === undefined && settings !== undefined) {
    throw new Failure('bad_input', '--settings is of --run, and no run was named', {
      next: 'Add --run NAME; over a series --hysteresis, --dwell and --start say otherwise.',
    });
  }
  return run === undefined
    ? Promise.resolve(seriesDecisions({ ...options, series: series ?? 'example' }, output))
    : repeatRun(run, options, output);
}

function seriesDecisions(options: CurriculumOptions & { series: string }, output: CommandOutput): number {
  const { steps, unread } = stepsIn(options.series);
  if (unread.length > 0) output.say(`Not read: ${unread.join('; ')}`);
  const { signal, hysteresis: width, dwell, start, group } = options;
  const series = steps.map((one) => ({ step: one.step, rate: SERIES_VALUES[signal](one) }));
  if (series.every(({ rate }) => rate === null))
    throw new Failure('bad_input', `${options.series} tells no ${SIGNAL_WORDS[signal]}s by step`, {
      next: [
        ...(unread.length === 0 ? [] : [`Not read: ${unread.join('; ')}.`]),
        `It is a column such as ${SIGNAL_COLUMNS[signal]}, one value a step. Names that are read: docs/figures.md.`,
      ].join(' '),
    });
  const decisions = decidePhases(series, { ...SIGNAL_BOUNDS[signal], hysteresis: width, dwell, start });
  for (const decision of decisions)
    output.line({ type: 'decision', ...decision, ...groupSplit(decision.expert_share, group) });
  const changes = decisions.filter(({ reason }) => reason === 'changes');
  for (const words of changes.map((change) => changeText(change, signal, group))) output.say(words);
  if (changes.length === 0) output.say(`It would have stayed in ${start}.`);
  const recorded = recordedChanges(steps);
  output.line({
    type: 'curriculum',
    steps: steps.length,
    signal,
    hysteresis: width,
    dwell,
    changes_after: changes.map(({ step }) => step),
    recorded_changes_after: recorded,
    unread,
  });
  if (recorded.length > 0) output.say(`The run itself changed after ${stepList(recorded)}.`);
  return 0;
}

function stepsIn(path: string): { steps: RunStep[]; unread: string[] } {
  if (path === 'example') return { steps: PUBLIC_EXAMPLE.steps, unread: [] };
  const file = fromCaller(path);
  try {
    return readMetrics(basename(file), readFileSync(file));
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    throw new Failure('bad_input', `cannot read ${path}`, { cause, next: 'Check the path.' });
  }
}

function changeText(
  { step, rate, from, phase, expert_share: share }: PhaseDecision,
  signal: SeriesSignal,
  group: number,
): string {
  const { expert, solo } = groupSplit(share, group);
  const value =
    signal === 'reward'
      ? `reward ${(rate ?? 0).toFixed(3)}`
      : `${((rate ?? 0) * 100).toFixed(1)} % ${SIGNAL_WORDS[signal]}s`;
  return `After step ${String(step)} (${value}): ${from} to ${phase}, ${String(expert)} with an expert to ${String(solo)} without`;
}

/** Steps after which another phase was played, where the run says its phases. */
const recordedChanges = (steps: readonly RunStep[]): number[] =>
  steps.flatMap(({ step, phase }, at) => {
    const next = steps[at + 1]?.phase ?? null;
    return phase !== null && next !== null && next !== phase ? [step] : [];
  });

const stepList = (steps: readonly number[]): string =>
  `step${steps.length === 1 ? '' : 's'} ${steps.join(' and ')}`;
