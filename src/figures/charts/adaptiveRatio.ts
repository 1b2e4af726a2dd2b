import { z } from 'zod';
import { formatNumber } from '../text.ts';
import { xyChart } from '../xyChart.ts';
import { defineChart } from './chart.ts';
import { Frame, notesOf, number } from './shapes.ts';

const AdaptiveRatioData = z.strictObject({
  ...Frame,
  /** What the rule read, and the share of rollouts with an expert that it chose. Shares from 0 to 1. */
  path: z.array(z.strictObject({ step: number, format_error_rate: number, expert_share: number })),
  /** The phases by their format-error rates, and their share. */
  phases: z.array(
    z.strictObject({ name: z.string().min(1), from: number, to: number, expert_share: number }),
  ),
});

/** More changes than this cannot be named in the figure. */
const NAMED_MAX = 8;

const ruleText = (
  phases: readonly { name: string; from: number; to: number; expert_share: number }[],
): string =>
  phases
    .map(
      ({ name, from, to, expert_share: share }) =>
        `in ${name} (${formatNumber(from * 100)} to ${formatNumber(to * 100)} % of rollouts with a format error) ${formatNumber(share * 100)} % have an expert`,
    )
    .join('; ');

/** The rule that turns format errors into a share of expert rollouts, and the way a training run took over it. */
export const adaptiveRatio = defineChart({
  name: 'adaptive-ratio',
  data: AdaptiveRatioData,
  figure: (data, options) => {
    const last = data.path.length - 1;
    const changes = data.path.filter(
      ({ expert_share: share }, index) => index > 0 && data.path[index - 1]?.expert_share !== share,
    ).length;
    const areNamed = changes <= NAMED_MAX;
    return xyChart(
      {
        name: 'adaptive-ratio',
        title: data.title ?? 'Fewer format errors leave fewer rollouts to the expert',
        subtitle:
          'Share of rollouts with an expert, against the format errors of the same step; shaded: the phases of the rule',
        notes: notesOf(
          data,
          data.phases.length > 0 && `Rule: ${ruleText(data.phases)}.`,
          data.path.length > 0 &&
            (areNamed
              ? 'Numbers name the first and the last step, and every step at which the share changed.'
              : `Numbers name the first and the last step. The share changed ${String(changes)} times.`),
        ),
        x: { label: 'Rollouts with a format error, %', domain: [0, 100] },
        y: { label: 'Rollouts with an expert, %', domain: [0, 100] },
        stretches: data.phases.map(({ name, from, to }) => ({ from: from * 100, to: to * 100, label: name })),
        series: [
          {
            name: 'Training path',
            points: data.path.map(({ step, format_error_rate: errors, expert_share: share }, index) => ({
              x: errors * 100,
              y: share * 100,
              ...(index === 0 || index === last || (areNamed && data.path[index - 1]?.expert_share !== share)
                ? { label: `step ${String(step)}` }
                : {}),
            })),
          },
          {
            name: 'Rule',
            colour: 'system',
            points: data.phases.map(({ from, to, expert_share: share }) => ({
              x: ((from + to) / 2) * 100,
              y: share * 100,
            })),
            isJoined: false,
          },
        ],
        empty: 'No step of this run says which share of its rollouts had an expert.',
      },
      options,
    );
  },
});
