// Scores that were stored beside the episodes, read from their events. Pure.
import type { Recorded } from '../../shared/events/vocabulary.ts';
import type { Breakdown } from '../../shared/rewards/breakdown.ts';

type KeptScore = { profile: string; version: number; at: number; breakdown: Breakdown };

/** The newest score of each episode. Give it the events of one profile's `scoredStream`. */
export function storedScores(events: readonly Recorded[]): Map<string, KeptScore> {
  const kept = new Map<string, KeptScore>();
  for (const { at, event } of events) {
    if (event.kind !== 'episodes.scored') continue;
    const { profile, version } = event;
    for (const { episode, breakdown } of event.scores) kept.set(episode, { profile, version, at, breakdown });
  }
  return kept;
}
