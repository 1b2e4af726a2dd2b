// The figure of an episode, drawn from its summary alone: the same in the console and in a report.
import { outcomeSentence, type EpisodeSummary } from '../shared/episode/summary.ts';
import { isShortened, SHORTENED_NOTE } from '../shared/episode/walkthrough.ts';
import { drawingOf, type Drawing } from './charts/chart.ts';
import { walkthrough } from './charts/walkthrough.ts';

export const walkthroughFigure = (summary: EpisodeSummary): Drawing =>
  drawingOf(walkthrough, {
    title: outcomeSentence(summary),
    task: summary.task,
    steps: summary.walkthrough,
    verdict: summary.verdict,
    notes: isShortened(summary.walkthrough) ? [SHORTENED_NOTE] : [],
  });
