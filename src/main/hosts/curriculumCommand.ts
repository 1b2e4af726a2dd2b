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
import type { RunStep } from '../../shared/training/run.ts';
import { readMetrics } from '../training/readMetrics.ts';
import type { CommandOutput } from './output.ts';
import { fromCaller } from './paths.ts';
import { integerFrom } from './runFlags.ts';

export type CurriculumOptions = {
  series: string;
  hysteresis: number;
  dwell: number;
  start: PhaseName;
  group: number;
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
      'what share of the rollouts would have had an expert, decided over a recorded run (a dry run)',
    )
    .option(
      '--series <file>',
      'metrics of a run (JSONL, CSV, TensorBoard, trainer_state.json), or example',
      'example',
    )
    .option(
      '--hysteresis <share>',
      'how far past a bound the format-error rate must be',
      hysteresis,
      PHASE_DEFAULTS.hysteresis,
    )
    .option('--dwell <n>', 'for how many steps in a row', integerFrom(1), PHASE_DEFAULTS.dwell)
    .addOption(
      new Option('--start <phase>', 'the first phase')
        .choices(['scaffold', 'balanced', 'independence'])
        .default(PHASE_DEFAULTS.start),
    )
    .option('--group <n>', 'rollouts of a group', integerFrom(2), 8)
    .option('--json', 'one JSON object per line on stdout');

export function curriculumCommand(options: CurriculumOptions, output: CommandOutput): Promise<number> {
  const steps = stepsIn(options.series);
  const series = steps.map(({ step, format_error_rate: rate }) => ({ step, rate }));
  if (series.every(({ rate }) => rate === null))
    throw new Failure('bad_input', `${options.series} tells no format-error rate`, {
      next: 'It is a column such as format_error_rate, from 0 to 1, one value a step.',
    });
  const { hysteresis: width, dwell, start, group } = options;
  const decisions = decidePhases(series, { hysteresis: width, dwell, start });
  for (const decision of decisions)
    output.line({ type: 'decision', ...decision, ...groupSplit(decision.expert_share, group) });
  const changes = decisions.filter(({ reason }) => reason === 'changes');
  for (const words of changes.map((change) => changeText(change, group))) output.say(words);
  if (changes.length === 0) output.say(`It would have stayed in ${start}.`);
  const recorded = recordedChanges(steps);
  output.line({
    type: 'curriculum',
    steps: steps.length,
    hysteresis: width,
    dwell,
    changes_after: changes.map(({ step }) => step),
    recorded_changes_after: recorded,
  });
  if (recorded.length > 0) output.say(`The run itself changed after ${stepList(recorded)}.`);
  return Promise.resolve(0);
}

function stepsIn(path: string): RunStep[] {
  if (path === 'example') return PUBLIC_EXAMPLE.steps;
  const file = fromCaller(path);
  try {
    return readMetrics(basename(file), readFileSync(file)).steps;
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    throw new Failure('bad_input', `cannot read ${path}`, { cause, next: 'Check the path.' });
  }
}

function changeText({ step, rate, from, phase, expert_share: share }: PhaseDecision, group: number): string {
  const { expert, solo } = groupSplit(share, group);
  const percent = ((rate ?? 0) * 100).toFixed(1);
  return `After step ${String(step)} (${percent} % format errors): ${from} to ${phase}, ${String(expert)} with an expert to ${String(solo)} without`;
}

/** Steps after which another phase was played, where the run says its phases. */
const recordedChanges = (steps: readonly RunStep[]): number[] =>
  steps.flatMap(({ step, phase }, at) => {
    const next = steps[at + 1]?.phase ?? null;
    return phase !== null && next !== null && next !== phase ? [step] : [];
  });

const stepList = (steps: readonly number[]): string =>
  `step${steps.length === 1 ? '' : 's'} ${steps.join(' and ')}`;
