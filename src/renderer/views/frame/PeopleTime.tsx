// What people's time came to, in one quiet item: minutes this hour, and reward per minute on hover.
import type { ReactNode } from 'react';
import type { Outputs } from '../../../shared/contract/contract.ts';
import { useDesk } from '../../state/hooks.ts';
import { useAsk } from '../../state/queries.ts';

type PeopleTimeSummary = Outputs['people.summary'];

/** How often the figure is read while nothing is decided. */
const REFRESH_MS = 60_000;

export function PeopleTime({ className }: { className: string | undefined }): ReactNode {
  const { total } = useDesk();
  // A question less on the desk may be a decision more.
  const { value: summary } = useAsk('people.summary', {}, { everyMs: REFRESH_MS, revision: total });
  if (summary === null || summary.acts === 0) return null;
  return (
    <span className={className} title={peopleTitle(summary)}>
      {`${minutesLabel(summary.minutes_last_hour)} of people’s time this hour`}
    </span>
  );
}

/** `0.4 min`, `12 min`: tenths only where they matter. */
export const minutesLabel = (minutes: number): string =>
  `${minutes > 0 && minutes < 10 ? minutes.toFixed(1) : String(Math.round(minutes))} min`;

/** The figures behind the item, in a sentence each. */
export function peopleTitle({
  minutes,
  acts,
  episodes,
  reward,
  reward_per_minute,
}: PeopleTimeSummary): string {
  const rate = reward_per_minute === null ? 'not known yet' : reward_per_minute.toFixed(2);
  return [
    `${String(acts)} ${acts === 1 ? 'decision' : 'decisions'} in ${minutesLabel(minutes)} of active time.`,
    `${String(episodes)} ended ${episodes === 1 ? 'episode' : 'episodes'} with help, total reward ${String(reward)}.`,
    `Reward per minute of people’s time: ${rate}.`,
  ].join('\n');
}
