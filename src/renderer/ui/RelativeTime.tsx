// Owns: a moment as its age, the exact moment on hover.
import type { ReactNode } from 'react';
import { useClockValue } from './clock.ts';
import { formatAge, formatMoment } from './time.ts';

/** Draws again only when the age reads differently. */
export function RelativeTime({ at, className }: { at: number; className?: string }): ReactNode {
  const age = useClockValue((now) => formatAge(now - at));
  return (
    <time dateTime={new Date(at).toISOString()} title={formatMoment(at)} className={className}>
      {age}
    </time>
  );
}
