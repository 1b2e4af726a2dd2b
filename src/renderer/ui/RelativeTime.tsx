// A moment as its age, the exact moment on hover.
import type { ReactNode } from 'react';
import { useClockValue } from './clock.ts';
import { formatAge, formatMoment } from './time.ts';

type Props = {
  at: number;
  className?: string;
  /** Amid words, where an age alone would read as how long it took. */
  isSpoken?: boolean;
};

/** Draws again only when the age reads differently. */
export function RelativeTime({ at, className, isSpoken = false }: Props): ReactNode {
  const age = useClockValue((now) => formatAge(now - at));
  return (
    <time dateTime={new Date(at).toISOString()} title={formatMoment(at)} className={className}>
      {isSpoken && age !== 'now' ? `${age} ago` : age}
    </time>
  );
}
