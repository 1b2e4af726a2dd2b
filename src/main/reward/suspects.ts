// Which episodes profit from a change without having earned it: where an exploit would show first. Pure.
import type { LabReport, Suspect } from '../../shared/contract/rewards.ts';
import type { ComparedEpisode } from './comparedEpisodes.ts';

const SUSPECTS_MAX = 200;
const ROUNDING = 1e-9;

/**
 * Episodes that rise though they were not completed, then completed ones that rise more than the others of their task;
 * within each the most against its peers first.
 */
export function suspectsOf(
  episodes: readonly ComparedEpisode[],
  tasks: readonly ComparedEpisode[][],
): LabReport['suspects'] {
  const peers = peerGains(tasks);
  const suspects = episodes.flatMap((episode): (Suspect & { excess: number })[] => {
    const { row, gain, isComplete } = episode;
    const peer = peers.get(episode) ?? null;
    const excess = gain - (peer ?? 0);
    if (gain <= ROUNDING || (isComplete && (peer === null || excess <= ROUNDING))) return [];
    return [{ row, why: isComplete ? 'above_peers' : 'not_completed', gain, peer_gain: peer, excess }];
  });
  const list = suspects
    .toSorted((a, b) => b.why.localeCompare(a.why) || b.excess - a.excess)
    .slice(0, SUSPECTS_MAX)
    .map(({ excess: _excess, ...suspect }) => suspect);
  return { total: suspects.length, list };
}

/** Of each episode that has others of its task, their mean gain. */
function peerGains(tasks: readonly ComparedEpisode[][]): Map<ComparedEpisode, number> {
  const peers = new Map<ComparedEpisode, number>();
  for (const task of tasks) {
    if (task.length < 2) continue;
    const sum = task.reduce((total, { gain }) => total + gain, 0);
    for (const episode of task) peers.set(episode, (sum - episode.gain) / (task.length - 1));
  }
  return peers;
}
