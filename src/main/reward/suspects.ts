// Which episodes profit from a change without having earned it: where an exploit would show first. Pure.
import type { LabReport, Suspect } from '../../shared/contract/rewards.ts';
import { isEntryComplete, rowAt, type RewardComparison } from './rewardComparison.ts';

const SUSPECTS_MAX = 200;
const ROUNDING = 1e-9;

/**
 * Episodes that rise though they were not completed, then completed ones that rise more than the others of their task;
 * within each the most against its peers first.
 */
export function suspectsOf(compared: RewardComparison, tasks: readonly number[][]): LabReport['suspects'] {
  const { entries, before, after } = compared;
  const gain = (index: number): number => (after[index] ?? 0) - (before[index] ?? 0);
  const peers = peerGains(entries.length, tasks, gain);
  const found: { index: number; why: Suspect['why']; excess: number }[] = [];
  for (const [index, entry] of entries.entries()) {
    const peer = peers[index] ?? null;
    const excess = gain(index) - (peer ?? 0);
    if (gain(index) <= ROUNDING) continue;
    if (!isEntryComplete(entry)) found.push({ index, why: 'not_completed', excess });
    else if (peer !== null && excess > ROUNDING) found.push({ index, why: 'above_peers', excess });
  }
  const list = found
    .toSorted(
      (a, b) =>
        Number(a.why === 'above_peers') - Number(b.why === 'above_peers') ||
        b.excess - a.excess ||
        a.index - b.index,
    )
    .slice(0, SUSPECTS_MAX)
    .map(({ index, why }) => ({
      row: rowAt(compared, index),
      why,
      gain: gain(index),
      peer_gain: peers[index] ?? null,
    }));
  return { total: found.length, list };
}

/** Of each episode, the mean gain of the others of its task; null where there are none. */
function peerGains(
  count: number,
  tasks: readonly number[][],
  gain: (index: number) => number,
): (number | null)[] {
  const peers = Array.from({ length: count }, (): number | null => null);
  for (const places of tasks) {
    if (places.length < 2) continue;
    const sum = places.reduce((total, index) => total + gain(index), 0);
    for (const index of places) peers[index] = (sum - gain(index)) / (places.length - 1);
  }
  return peers;
}
