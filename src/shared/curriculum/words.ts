// Describes a change of a curriculum and its reason in a sentence: for the console and the command line alike.
import type { CurriculumChange, SignalDecision } from './plan.ts';
import type { HintTier, TaskName } from './rollout.ts';
import type { SignalName } from './settings.ts';

export const taskLabel = ({ scenario, task_idx }: TaskName): string =>
  [scenario ?? 'the task', task_idx === null ? null : `#${String(task_idx)}`].filter(Boolean).join(' ');

const HINTS: Readonly<Record<HintTier, string>> = {
  none: 'no hint',
  knowledge: 'what to know',
  plan: 'a plan',
  solution: 'the solution',
};
export const hintLabel = (tier: HintTier): string => HINTS[tier];

const SIGNALS: Readonly<Record<SignalName, string>> = {
  format_error_rate: 'Format errors',
  timeout_rate: 'Timeouts',
  solo_completion: 'Completed alone',
  reward: 'Mean reward',
  calibration_error: 'Calibration error',
};
const signalLabel = (signal: SignalName): string => SIGNALS[signal];

/** The measurement, and where it points. */
export function signalText(decision: SignalDecision): string {
  const { signal, rate, from, towards, phase, reason, streak } = decision;
  const measured =
    rate === null
      ? 'not measured'
      : signal === 'reward'
        ? String(Number(rate.toFixed(3))).replace('-', '−')
        : percent(rate);
  const points =
    reason === 'changes'
      ? `${from} to ${phase}`
      : reason === 'waits'
        ? `points to ${towards} (${String(streak)} in a row), waits`
        : `stays ${from}`;
  return `${signalLabel(signal)} ${measured}: ${points}`;
}

/** `nameOf` says a task's own words where they are known. */
export function changeText(change: CurriculumChange, nameOf: (task: TaskName) => string = taskLabel): string {
  switch (change.what) {
    case 'expert': {
      const { solved, of, lower } = change;
      const bound = lower === null ? '' : `, at least ${percent(lower)} with 95 % confidence`;
      const why = `alone it completed ${String(solved)} of the last ${String(of)}${bound}`;
      return change.change === 'withdrawn'
        ? `the expert leaves ${nameOf(change)}: ${why}`
        : `the expert comes back to ${nameOf(change)}: ${why}`;
    }
    case 'hint': {
      const groups = change.groups.map(
        ({ completed, judged }) => `${String(completed)} of ${String(judged)}`,
      );
      return `${nameOf(change)} gets ${hintLabel(change.to)} (before: ${hintLabel(change.from)}): its groups alone completed ${groups.join(', ')}`;
    }
    case 'difficulty':
      return difficultyText(change);
  }
}

function difficultyText({
  change,
  level,
  mean,
  rollouts,
}: Extract<CurriculumChange, { what: 'difficulty' }>): string {
  const measured = `mean reward ${(mean ?? 0).toFixed(3)} over ${String(rollouts)} rollouts`;
  switch (change) {
    case 'triggered':
      return `only ${level ?? ''} tasks are played from here: ${measured}`;
    case 'began':
      return `only ${level ?? ''} tasks are played at first`;
    case 'unlocked':
      return `${level ?? ''} tasks are played too: ${measured} alone on the level below`;
    case 'opened':
      return 'all levels of difficulty are played';
  }
}

const percent = (share: number): string => `${String(Number((share * 100).toFixed(1)))} %`;
