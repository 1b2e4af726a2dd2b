// The rewards of an episode over its turns, in the inspector.
import { useMemo, type ReactNode } from 'react';
import { drawingOf } from '../../../figures/charts/chart.ts';
import { episodeRewards } from '../../../figures/charts/episodeRewards.ts';
import { FigureView } from '../figure/FigureView.tsx';
import type { RewardPoint } from './rewardSeries.ts';

export function RewardChart({ points }: { points: readonly RewardPoint[] }): ReactNode {
  const drawing = useMemo(() => drawingOf(episodeRewards, { points: [...points] }), [points]);
  return <FigureView drawing={drawing} label="Reward by turn" isBare />;
}
