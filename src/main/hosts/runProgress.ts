// What `interject run` tells while it goes on: how many episodes are over, how they ended, and when the rest will be.
import type { CommandOutput } from './output.ts';

export type RunProgress = {
  /** One more episode is over; gives its place, such as `3 of 40, about 5 min left`. */
  ended(outcome: string, isComplete: boolean): string;
};

/** `skipped` episodes were over before this command began. */
export function createProgress(
  { total, skipped }: { total: number; skipped: number },
  clock: () => number,
  output: CommandOutput,
): RunProgress {
  const startedAt = clock();
  const outcomes: Record<string, number> = {};
  let [finished, complete] = [0, 0];
  return {
    ended: (outcome, isComplete) => {
      finished += 1;
      if (isComplete) complete += 1;
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      const left = total - finished;
      const etaS = Math.round((((clock() - startedAt) / finished) * left) / 1000);
      output.line({ type: 'progress', finished, total, skipped, complete, outcomes, eta_s: etaS });
      return `${String(finished)} of ${String(total)}${left === 0 ? '' : `, about ${durationText(etaS)} left`}`;
    },
  };
}

export const durationText = (seconds: number): string =>
  seconds < 90
    ? `${String(seconds)} s`
    : seconds < 5400
      ? `${String(Math.round(seconds / 60))} min`
      : `${String(Math.round(seconds / 360) / 10)} h`;
