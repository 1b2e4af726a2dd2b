// Words of the bench view.
import type { BenchState } from '../../../shared/contract/bench.ts';

export const STATE_LABELS: Readonly<Record<BenchState, string>> = {
  running: 'Running',
  stopped: 'Stopped',
  complete: 'Complete',
};

/** How long it will take, rounded as far as anybody can know it. */
export function remainingText(seconds: number): string {
  if (seconds < 60) return 'less than a minute left';
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `about ${String(minutes)} min left`;
  const rest = minutes % 60;
  return `about ${String(Math.floor(minutes / 60))} h${rest === 0 ? '' : ` ${String(rest)} min`} left`;
}
