// Looking for words in texts that were put away: read through page by page once the person stops typing.
import { useEffect, useState } from 'react';
import { useConsole, useSession } from '../../state/hooks.ts';
import { fieldOf } from '../../state/putAway.ts';
import { visitHolding } from '../../state/readAway.ts';

/** How long the words must stand: reading all of an episode is not for every letter. */
const STAND_MS = 250;

type Away = {
  /** Places whose text holds the words; null where nothing was put away, or it could not be read. */
  away: ReadonlySet<string> | null;
  isReading: boolean;
};

const NOTHING_AWAY: Away = { away: null, isReading: false };
const READING: Away = { away: null, isReading: true };

/** The places in an episode whose whole text holds `query`, case ignored. */
export function useAway(episode: string, query: string): Away {
  const { call } = useSession();
  const isPartly = useConsole(({ record }) => record.episodes[episode]?.isPartly ?? false);
  const needle = isPartly ? query.trim().toLowerCase() : '';
  const [known, setKnown] = useState<{ needle: string; away: Away }>({ needle: '', away: NOTHING_AWAY });
  useEffect(() => {
    if (needle === '') return undefined;
    const stop = new AbortController();
    const settle = (away: Away): void => {
      if (!stop.signal.aborted) setKnown({ needle, away });
    };
    const look = async (): Promise<void> => {
      const places = new Set<string>();
      await visitHolding(
        call,
        episode,
        needle,
        ({ n, event }) => {
          for (const field of Object.keys(event))
            if (fieldOf(event, field)?.toLowerCase().includes(needle) === true)
              places.add(`${String(n)} ${field}`);
        },
        stop.signal,
      );
      settle({ away: places, isReading: false });
    };
    const timer = setTimeout(() => void look().catch(() => settle(NOTHING_AWAY)), STAND_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [call, episode, needle]);
  if (needle === '') return NOTHING_AWAY;
  return known.needle === needle ? known.away : READING;
}
