// The drift of a rebuilt state: the calls made again, and those that gave something else.
import type { ReactNode } from 'react';
import type { Drift } from '../../../shared/events/world.ts';
import { DataText } from '../text/DataText.tsx';

/** The calls that gave something else when they were made again, each with both results. */
export function DriftList({ drift, replayed }: { drift: readonly Drift[]; replayed: number }): ReactNode {
  const made = `${String(replayed)} ${replayed === 1 ? 'call' : 'calls'} replayed`;
  if (drift.length === 0) return <p className="soft small">{`${made}, all results as in the log.`}</p>;
  return (
    <>
      <p className="soft small">{`${made}, ${String(drift.length)} with a different result:`}</p>
      {drift.map(({ turn, tool_name: name, logged, again }) => (
        <section key={turn} aria-label={`Drift at turn ${String(turn)}`}>
          <DataText label={`Turn ${String(turn)}, ${name}: in the log`} text={logged} />
          <DataText label={`Turn ${String(turn)}, ${name}: replayed`} text={again} tone="error" />
        </section>
      ))}
    </>
  );
}
