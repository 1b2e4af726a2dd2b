// The episode as far as it is shown, one line a step: to read at once, and to save as a picture.
import { useMemo, type ReactNode } from 'react';
import { walkthroughFigure } from '../../../figures/walkthrough.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { episodeSummary } from '../../../shared/episode/walkthrough.ts';
import { FigureView } from '../figure/FigureView.tsx';

export function Walkthrough({ record }: { record: EpisodeRecord }): ReactNode {
  const drawing = useMemo(() => walkthroughFigure(episodeSummary(record)), [record]);
  return <FigureView drawing={drawing} />;
}
