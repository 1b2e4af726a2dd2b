// Owns: what people's time came to, in one quiet item: minutes this hour, and reward per minute on hover.
import { useEffect, useState, type ReactNode } from 'react';
import type { Outputs } from '../../../shared/contract/contract.ts';
import { useDesk, useSession } from '../../state/hooks.ts';

type Summary = Outputs['people.summary'];

/** How often the figure is read while nothing is decided. */
const REFRESH_MS = 60_000;

export function PeopleTime({ className }: { className: string | undefined }): ReactNode {
  const { call } = useSession();
  const { total } = useDesk();
  const [summary, setSummary] = useState<Summary | null>(null);
  // A question less on the desk may be a decision more.
  useEffect(() => {
    let isGone = false;
    const read = (): void => {
      call('people.summary', {}).then(
        (found) => (isGone ? undefined : setSummary(found)),
        () => undefined,
      );
    };
    read();
    const timer = setInterval(read, REFRESH_MS);
    return () => {
      isGone = true;
      clearInterval(timer);
    };
  }, [call, total]);
  if (summary === null || summary.acts === 0) return null;
  return (
    <span className={className} title={peopleTitle(summary)}>
      {`${minutesWords(summary.minutes_last_hour)} of people’s time this hour`}
    </span>
  );
}

/** `0.4 min`, `12 min`: tenths only where they matter. */
export const minutesWords = (minutes: number): string =>
  `${minutes > 0 && minutes < 10 ? minutes.toFixed(1) : String(Math.round(minutes))} min`;

/** The figures behind the item, in a sentence each. */
export function peopleTitle({ minutes, acts, episodes, reward, reward_per_minute }: Summary): string {
  const rate = reward_per_minute === null ? 'not known yet' : reward_per_minute.toFixed(2);
  return [
    `${String(acts)} ${acts === 1 ? 'decision' : 'decisions'} in ${minutesWords(minutes)} of active time.`,
    `${String(episodes)} ended ${episodes === 1 ? 'episode' : 'episodes'} with help, reward ${String(reward)} in all.`,
    `Reward per minute of people’s time: ${rate}.`,
  ].join('\n');
}
