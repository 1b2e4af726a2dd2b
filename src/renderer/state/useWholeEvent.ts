// An event as the log holds it, where texts of it were put away.
import { useEffect, useState } from 'react';
import { isBlobRef } from '../../shared/events/text.ts';
import type { Recorded } from '../../shared/events/vocabulary.ts';
import { useSession } from './hooks.ts';
import { isPutAway } from './putAway.ts';
import { readEvent } from './readPlace.ts';

/** The event itself; until its texts are read, or where they cannot be, with their beginnings. */
export function useWholeEvent(recorded: Recorded): Recorded {
  const { call } = useSession();
  const [known, setKnown] = useState<{ of: Recorded; whole: Recorded } | null>(null);
  const isPartly = Object.values(recorded.event).some(
    (value: unknown) => isBlobRef(value) && isPutAway(value),
  );
  useEffect(() => {
    if (!isPartly) return undefined;
    let isOver = false;
    readEvent(call, recorded.stream, recorded.n).then(
      (whole) => {
        if (!isOver) setKnown({ of: recorded, whole });
      },
      () => undefined,
    );
    return () => {
      isOver = true;
    };
  }, [call, recorded, isPartly]);
  return known?.of === recorded ? known.whole : recorded;
}
