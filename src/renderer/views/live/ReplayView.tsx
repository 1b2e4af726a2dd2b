// An episode replayed from the log: the same view over a prefix of its events.
import { memo, useEffect, useMemo, useState, type ReactNode } from 'react';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import type { Recorded } from '../../../shared/events/vocabulary.ts';
import { WorldPanel } from '../../parts/world/WorldPanel.tsx';
import { EpisodeStage } from '../../parts/episode/EpisodeStage.tsx';
import { eventsOf } from '../../parts/inspector/StepEvents.tsx';
import { useAnswerKey } from '../../parts/inspector/useAnswerKey.ts';
import { formatCount } from '../../parts/text/size.ts';
import { createReplayer } from '../../parts/timeline/replayer.ts';
import { stopsOf } from '../../parts/timeline/stops.ts';
import { useConsole, useEpisodeRecord, useSession } from '../../state/hooks.ts';
import { loadedRecord } from '../../state/loadedRecord.ts';
import { emptyEntry } from '../../state/receive.ts';
import { isReplayOf, navigate, useRoute } from '../../state/route.ts';
import * as styles from './LiveView.module.css';
import { Outline } from './Outline.tsx';
import { ReplayActs } from './ReplayActs.tsx';
import { Scrubber } from './Scrubber.tsx';
import { useInstead } from './useEpisode.tsx';
import { usePlayer } from './usePlayer.ts';

export function ReplayView({ episode }: { episode: string }): ReactNode {
  const route = useRoute();
  const asked = route.view === 'replay' ? route.n : null;
  const [enough] = useState(asked ?? 1);
  const instead = useInstead(episode, enough);
  return instead ?? <Replay key={episode} episode={episode} />;
}

/** How long a place must stand before it is written into the address. */
const ADDRESS_DELAY_MS = 250;

type ReplayedEpisode = { events: readonly Recorded[]; whole: EpisodeRecord; isLoaded: boolean };

/**
 * What was there at first, and then all of it: drawing each batch in between costs more than reading them. Whoever shows
 * it watches the episode.
 */
function useKnown(episode: string): ReplayedEpisode {
  const { store } = useSession();
  const [first] = useState(() => store.getState().record.episodes[episode]);
  const loaded = useConsole(({ record }) => {
    const entry = record.episodes[episode];
    return entry?.isLoaded === true ? entry : undefined;
  });
  const { events, record: whole, isLoaded } = loaded ?? first ?? emptyEntry(episode);
  return { events, whole, isLoaded };
}

const Replay = memo(function Replay({ episode }: { episode: string }): ReactNode {
  const { store } = useSession();
  const { events, whole, isLoaded } = useKnown(episode);
  const route = useRoute();
  const asked = route.view === 'replay' ? route.n : null;
  // Null is the end, wherever that is. What came in pieces stands at its first lines until the person moves.
  const [chosen, setN] = useState(asked);
  const [wasLoaded] = useState(isLoaded);
  const replayer = useMemo(() => createReplayer(episode, events, whole), [episode, events, whole]);
  const stops = useMemo(() => stopsOf(events), [events]);
  const at = Math.max(1, Math.min(chosen ?? replayer.last, replayer.last));
  const record = replayer.at(at);
  const shown = useMemo(() => events.slice(0, at), [events, at]);
  const answerKey = useAnswerKey(episode);
  useAddress(episode, isLoaded && (wasLoaded || chosen !== null) ? at : null, asked, setN);
  const player = usePlayer(events, at, setN);
  return (
    <EpisodeStage
      record={record}
      events={shown}
      answerKey={answerKey}
      place={at}
      whole={{ last: isLoaded ? replayer.last : null, read: () => loadedRecord(store, episode) }}
      follows={wasLoaded || chosen !== null}
      toolbar={({ all, activeKey }) => (
        <ReplayActs
          shown={record}
          whole={whole}
          n={at}
          isLoaded={isLoaded}
          step={eventsOf(events, all, activeKey)}
        />
      )}
      panels={[
        { id: 'world', label: 'World', panel: <WorldPanel record={record} isReplay /> },
        { id: 'outline', label: 'Outline', panel: <Outline whole={whole} n={at} onGo={setN} /> },
      ]}
      band={
        <>
          <Scrubber events={events} stops={stops} n={at} onGo={setN} player={player} />
          {isLoaded ? null : <ReplayReading episode={episode} />}
        </>
      }
    />
  );
});

/** The rest of a long episode comes while its beginning is read. */
function ReplayReading({ episode }: { episode: string }): ReactNode {
  const { record } = useEpisodeRecord(episode);
  return (
    <p role="status" className={styles.reading}>
      {`Reading the rest: ${formatCount(record.n, 'event')} so far`}
    </p>
  );
}

/** The place is in the address, so that a link leads there; an address that changes moves the place. */
function useAddress(
  episode: string,
  n: number | null,
  asked: number | null,
  onMove: (n: number) => void,
): void {
  const [written, setWritten] = useState(asked);
  if (asked !== written) {
    setWritten(asked);
    if (asked !== null && asked !== n) onMove(asked);
  }
  useEffect(() => {
    if (n === null) return undefined;
    const timer = setTimeout(() => {
      // A link that was followed a moment ago is not taken back.
      if (!isReplayOf(window.location.hash, episode)) return;
      setWritten(n);
      navigate({ view: 'replay', episode, n }, { replace: true });
    }, ADDRESS_DELAY_MS);
    return () => clearTimeout(timer);
  }, [episode, n]);
}
