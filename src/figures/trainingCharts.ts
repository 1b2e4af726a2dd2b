// The charts of training runs: what each draws, and the words around it.
import { countText } from '../shared/countText.ts';
import { completedShare, type RunStep, type TrainingRun, RECIPE_PHASES } from '../shared/training/run.ts';
import type { Drawing } from './frame.ts';
import { MARKS_MAX, plot, type PlotSeries } from './plot.ts';
import { rowChart } from './rows.ts';
import { completionEstimate } from './runSeries.ts';
import { formatNumber, noIntervalNote } from './text.ts';

const STEP_AXIS = { label: 'Training step', isInteger: true };
const PERCENT_AXIS = { domain: [0, 100] as const };

type Curves = { title?: string; series: readonly PlotSeries[]; notes: readonly string[] };

/** `hasHiddenIntervals`: they are known and left out, and a note says why. */
export function rewardCurves({
  title,
  series,
  notes,
  isShaped = false,
  hasHiddenIntervals = false,
}: Curves & { isShaped?: boolean; hasHiddenIntervals?: boolean }): Drawing {
  const points = series.flatMap((one) => one.points);
  return plot({
    name: 'reward-curves',
    title: title ?? rewardTitle(series),
    subtitle: `Mean reward of a step, by training step${isShaped ? '. Shaped reward: a diagnostic, not a result' : ''}`,
    notes: [hasHiddenIntervals ? '' : noIntervalNote(points), flatNote(series), ...notes],
    x: STEP_AXIS,
    y: { label: 'Reward', include: [0] },
    series,
    empty: 'No step of this run has a reward yet, so there is no curve to draw.',
  });
}

/** Marks are drawn in short series alone: in long ones the note has the count. */
function flatNote(series: readonly PlotSeries[]): string {
  const points = series.flatMap((one) => one.points);
  const flat = points.filter(({ isHollow }) => isHollow === true).length;
  if (flat === 0) return '';
  const areMarked = series.every((one) => one.points.length <= MARKS_MAX);
  return `${areMarked ? 'Hollow marks' : 'Groups of equal rewards'}: in ${String(flat)} of ${countText(points.length, 'step')} some group of rollouts had one reward in all of them, which teaches a trainer nothing.`;
}

function rewardTitle([one]: readonly PlotSeries[]): string {
  const [first, last] = [one?.points[0], one?.points.at(-1)];
  if (one === undefined || first === undefined || last === undefined) return 'Reward by training step';
  const [from, to] = [first, last].map(({ x, y }) => `${formatNumber(y)} at step ${formatNumber(x)}`);
  if (first === last) return `${one.name}: reward ${from ?? ''}`;
  if (first.y === last.y)
    return `${one.name}: reward stayed at ${formatNumber(last.y)} from step ${formatNumber(first.x)} to step ${formatNumber(last.x)}`;
  return `${one.name}: reward ${last.y > first.y ? 'rose' : 'fell'} from ${from ?? ''} to ${to ?? ''}`;
}

/** Percent, with the thresholds of the phases. */
export const formatErrors = ({ title, series, notes }: Curves): Drawing =>
  plot({
    name: 'format-errors',
    title: title ?? 'Share of rollouts with a format error, by training step',
    subtitle: 'Rollouts with a format error, percent of a step’s rollouts',
    notes: [noIntervalNote(series.flatMap(({ points }) => points)), ...notes],
    x: STEP_AXIS,
    y: { label: 'Format errors, %', ...PERCENT_AXIS },
    series,
    levels: [
      { y: 70, label: 'scaffold above 70 %' },
      { y: 40, label: 'independence below 40 %' },
    ],
    empty: 'No step of this run says how many rollouts had a format error.',
  });

/** Stretches of steps, each with a column for every run. */
export const completions = ({
  title,
  subtitle = 'Rollouts that the verifier calls complete',
  unit = 'Completed rollouts, %',
  stretches,
  series,
  notes,
}: {
  title: string;
  subtitle?: string;
  unit?: string;
  stretches: readonly string[];
  series: readonly PlotSeries[];
  notes: readonly string[];
}): Drawing =>
  plot({
    name: 'completions',
    title,
    subtitle,
    notes: [noIntervalNote(series.flatMap(({ points }) => points)), ...notes],
    x: { label: 'Training steps' },
    categories: stretches,
    y: { label: unit },
    series,
  });

/** In at most so many stretches of equal length; a run that has no verdict in one has no column there. */
export function completionStretches(
  runs: readonly TrainingRun[],
  most: number,
  words: { title: string; notes: readonly string[] },
): Drawing[] {
  const told = runs.map(({ run, steps }) => ({
    run,
    steps: steps.filter((step) => completedShare(step) !== null),
  }));
  const all = told.flatMap(({ steps }) => steps.map(({ step }) => step));
  if (all.length === 0) return [];
  const [first, last] = [Math.min(...all), Math.max(...all)];
  const size = Math.ceil((last - first + 1) / most);
  const stretches = Array.from({ length: Math.ceil((last - first + 1) / size) }, (_, at) => {
    const from = first + at * size;
    return { from, to: Math.min(from + size - 1, last) };
  });
  return [
    completions({
      ...words,
      stretches: stretches.map(({ from, to }) => [...new Set([from, to])].join('–')),
      series: told.map(({ run, steps }) => ({
        name: run,
        points: stretches.flatMap(({ from, to }, x) => {
          const within = steps.filter(({ step }) => step >= from && step <= to);
          const { value, low, high } = completionEstimate(within);
          return value === null ? [] : [{ x, y: value, low, high }];
        }),
      })),
    }),
  ];
}

/** More changes than this cannot be named in the figure. */
const NAMED_MAX = 8;

const RULE = RECIPE_PHASES.map(
  ({ name, from, to, expert_share: share }) =>
    `in ${name} (${formatNumber(from * 100)} to ${formatNumber(to * 100)} % of rollouts with a format error) ${formatNumber(share * 100)} % have an expert`,
).join('; ');

/** The rule that turns format errors into a share of expert rollouts, and the way a run took over it; none without either. */
export function adaptiveRatio(steps: readonly RunStep[], notes: readonly string[]): Drawing[] {
  const path = steps.flatMap(({ step, format_error_rate: errors, expert_share: share }) =>
    errors === null || share === null ? [] : [{ step, x: errors * 100, y: share * 100 }],
  );
  if (path.length === 0) return [];
  const hasChanged = path.map(({ y }, index) => index > 0 && path[index - 1]?.y !== y);
  const changes = hasChanged.filter(Boolean).length;
  const areNamed = changes <= NAMED_MAX;
  const isNamed = (index: number): boolean =>
    index === 0 || index === path.length - 1 || (areNamed && hasChanged[index] === true);
  return [
    plot({
      name: 'adaptive-ratio',
      title: 'Fewer format errors leave fewer rollouts to the expert',
      subtitle:
        'Share of rollouts with an expert, against the format errors of the same step; shaded: the phases of the rule',
      notes: [
        `Rule: ${RULE}.`,
        areNamed
          ? 'Numbers name the first and the last step, and every step at which the share changed.'
          : `Numbers name the first and the last step. The share changed ${String(changes)} times.`,
        ...notes,
      ],
      x: { label: 'Rollouts with a format error, %', ...PERCENT_AXIS },
      y: { label: 'Rollouts with an expert, %', ...PERCENT_AXIS },
      stretches: RECIPE_PHASES.map(({ name, from, to }) => ({ from: from * 100, to: to * 100, label: name })),
      series: [
        {
          name: 'Training path',
          points: path.map(({ step, x, y }, index) =>
            isNamed(index) ? { x, y, label: `step ${String(step)}` } : { x, y },
          ),
        },
        {
          name: 'Rule',
          colour: 'system',
          points: RECIPE_PHASES.map(({ from, to, expert_share: share }) => ({
            x: ((from + to) / 2) * 100,
            y: share * 100,
          })),
          isJoined: false,
        },
      ],
    }),
  ];
}

/** Kinds of asking. */
export const ASKED = [
  { key: 'solo', name: 'Completed alone', colour: 'agent' },
  { key: 'recovery', name: 'Asked after a failed try', colour: 'human' },
  { key: 'blind', name: 'Asked before any try', colour: 'scripted' },
] as const;

/** Added up over the steps: alone, after a failed try, before any; none where no step tells it. */
export function behaviour(steps: readonly RunStep[], notes: readonly string[]): Drawing[] {
  const told = steps.flatMap(({ step, asked }) => (asked === null ? [] : [{ step, asked }]));
  if (told.length === 0) return [];
  const series = ASKED.map(({ key, name, colour }) => {
    let sum = 0;
    return { name, colour, points: told.map(({ step, asked }) => ({ x: step, y: (sum += asked[key]) })) };
  });
  return [
    plot({
      name: 'behaviour',
      title: 'How the agent asked, added up over training',
      subtitle: 'Rollouts by how they asked, added up over the steps so far',
      notes,
      x: STEP_AXIS,
      y: { label: 'Rollouts so far', include: [0] },
      series,
    }),
  ];
}

const PHASE_METRICS: readonly (readonly [name: string, of: (step: RunStep) => number | null])[] = [
  ['Complete', completedShare],
  ['Format errors', ({ format_error_rate: rate }) => rate],
  ['With an expert', ({ expert_share: share }) => share],
];

/** Means over the steps of each phase, in the order in which they came; none where no step tells its phase. */
export function trainingWheels(steps: readonly RunStep[], notes: readonly string[]): Drawing[] {
  const phases = [...Map.groupBy(steps, ({ phase }) => phase)].filter(([phase]) => phase !== null);
  if (phases.length === 0) return [];
  return [
    plot({
      name: 'training-wheels',
      title: 'What the rollouts of each phase came to',
      subtitle: 'Means over the steps of a phase, percent of rollouts',
      notes: [
        'No interval is shown: the steps of one run are not independent of one another.',
        phases.length > 1
          ? 'Phases follow one another in one run: what changes between them is time as well as help.'
          : '',
        ...notes,
      ],
      x: { label: 'Phase' },
      categories: phases.map(([phase, list]) => `${phase ?? ''}, ${countText(list.length, 'step')}`),
      y: { label: 'Rollouts, %', ...PERCENT_AXIS },
      series: PHASE_METRICS.map(([name, of]) => ({
        name,
        points: phases.flatMap(([, list], x) => {
          const told = list.map(of).filter((share) => share !== null);
          const mean = told.reduce((sum, one) => sum + one, 0) / told.length;
          return told.length === 0 ? [] : [{ x, y: mean * 100 }];
        }),
      })),
    }),
  ];
}

/** A share among the components, and no reward. */
const FLAT_SHARE = 'groups of equal rewards';

/** Of which parts the mean reward is made, at the first step that tells them and at the last. */
export function componentStack(steps: readonly RunStep[], notes: readonly string[]): Drawing[] {
  const told = steps.flatMap(({ step, rollouts, components }) => {
    const parts = Object.entries(components).filter(([name]) => name !== FLAT_SHARE);
    return parts.length === 0 ? [] : [{ step, rollouts, parts }];
  });
  if (told.length === 0) return [];
  return [
    rowChart({
      name: 'component-stack',
      title: 'Of which parts the reward is made',
      subtitle: 'Mean of each component as it was told, added up',
      notes,
      x: { label: 'Reward', include: [0] },
      shape: 'bar',
      rows: [...new Set([told[0], told.at(-1)])].flatMap((one) =>
        one === undefined
          ? []
          : [
              {
                label: `Step ${String(one.step)}`,
                value: one.parts.reduce((sum, [, value]) => sum + value, 0),
                ...(one.rollouts === null ? {} : { note: `n ${String(one.rollouts)}` }),
                parts: one.parts.map(([name, value]) => ({ name, value })),
              },
            ],
      ),
    }),
  ];
}
