// Stated confidence against what the verifier said, from the bins that were computed once.
import type { Calibration } from '../shared/calibration.ts';
import { wilson } from '../shared/statistics/proportions.ts';
import { calibration as chart } from './charts/calibration.ts';
import { drawingOf, type Drawing } from './charts/chart.ts';
import { formatNumber } from './text.ts';

export function calibrationFigure(calibration: Calibration, notes: readonly string[] = []): Drawing {
  const { bins, brier, ece } = calibration;
  return drawingOf(chart, {
    title: titleOf(calibration),
    bins: bins.flatMap(({ n, stated, right }) => {
      if (n === 0 || stated === null || right === null) return [];
      return [{ stated, complete: right, ...wilson(Math.round(right * n), n), n }];
    }),
    notes: [
      `Brier score ${formatNumber(brier)}, expected calibration error ${formatNumber(ece)}: 0 is best. Lines: 95 % interval by Wilson; episodes of one task are alike, so the true interval is wider.`,
      ...notes,
    ],
  });
}

/** Only what the numbers say: how much was stated on average, and how much was complete. */
function titleOf({ n, bins }: Calibration): string {
  const meanOf = (value: (bin: Calibration['bins'][number]) => number | null): number =>
    bins.reduce((sum, bin) => sum + bin.n * (value(bin) ?? 0), 0) / n;
  const percent = (share: number): string => `${formatNumber(share * 100)} %`;
  const [stated, right] = [meanOf((bin) => bin.stated), meanOf((bin) => bin.right)];
  return `The agent stated ${percent(stated)} confidence on average; ${percent(right)} were complete`;
}
