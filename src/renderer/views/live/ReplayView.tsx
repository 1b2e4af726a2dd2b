// Owns: an episode replayed from the log: the same view over a prefix of its events.
import { Link, Radio } from 'lucide-react';
import { memo, useCallback, useEffect, useMemo, useState, type ReactNode } from 'react';
import { formatDeepLink } from '../../../shared/deepLink.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import type { Recorded } from '../../../shared/events/vocabulary.ts';
import { AgainActs } from '../../parts/again/AgainActs.tsx';
import { WorldPanel } from '../../parts/world/WorldPanel.tsx';
import { EpisodeStage } from '../../parts/episode/EpisodeStage.tsx';
import { useAnswerKey } from '../../parts/inspector/useAnswerKey.ts';
import { formatCount } from '../../parts/text/size.ts';
import { createReplayer } from '../../parts/timeline/replayer.ts';
import { stopsOf } from '../../parts/timeline/stops.ts';
import { useConsole, useEpisodeRecord, useSession, useToast } from '../../state/hooks.ts';
import { emptyEntry } from '../../state/receive.ts';
import { formatRoute, navigate, useRoute } from '../../state/route.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { copyText } from '../../ui/CopyButton.tsx';
import { Branches } from './Branches.tsx';
import styles from './LiveView.module.css';
import { Outline } from './Outline.tsx';
import { RepeatPanel } from './RepeatPanel.tsx';
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
const WRITE_AFTER_MS = 250;

type Known = { events: readonly Recorded[]; whole: EpisodeRecord; isLoaded: boolean };

/**
 * What was there at first, and then all of it: drawing each batch in between costs more than reading them. Whoever shows
 * it watches the episode.
 */
function useKnown(episode: string): Known {
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
  const { call } = useSession();
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
  const fetchKey = useCallback((id: string) => call('answer_key.show', { episode: id }), [call]);
  const answerKey = useAnswerKey(episode, fetchKey);
  useAddress(episode, isLoaded && (wasLoaded || chosen !== null) ? at : null, asked, setN);
  const player = usePlayer(events, at, setN);
  return (
    <EpisodeStage
      record={record}
      events={shown}
      answerKey={answerKey}
      place={at}
      follows={wasLoaded || chosen !== null}
      actions={
        <>
          <Branches shown={record} whole={whole} />
          <AgainActs
            episode={episode}
            outcome={whole.ended?.outcome ?? null}
            hasTask={(whole.reset?.task_idx ?? null) !== null}
          />
          <Actions episode={episode} n={at} isRunning={isLoaded && whole.ended === null} />
        </>
      }
      panels={[
        { id: 'world', label: 'World', panel: <WorldPanel record={record} isReplay /> },
        { id: 'outline', label: 'Outline', panel: <Outline whole={whole} n={at} onGo={setN} /> },
        ...(whole.ended === null
          ? []
          : [{ id: 'again', label: 'Run again', panel: <RepeatPanel whole={whole} onGo={setN} /> }]),
      ]}
      band={
        <>
          <Scrubber events={events} stops={stops} n={at} onGo={setN} player={player} />
          {isLoaded ? null : <Reading episode={episode} />}
        </>
      }
    />
  );
});

/** The rest of a long episode comes while its beginning is read. */
function Reading({ episode }: { episode: string }): ReactNode {
  const { record } = useEpisodeRecord(episode);
  return (
    <p role="status" className={styles['reading']}>
      {`Reading the rest: ${formatCount(record.n, 'event')} so far`}
    </p>
  );
}

function Actions({ episode, n, isRunning }: { episode: string; n: number; isRunning: boolean }): ReactNode {
  const toast = useToast();
  const isDesktop = useConsole(({ record }) => record.app?.host === 'desktop');
  const copyLink = async (): Promise<void> => {
    const hash = formatRoute({ view: 'replay', episode, n });
    // The desktop's own address leads nowhere else: there the link is one that the system hands to the product.
    const link = isDesktop
      ? formatDeepLink({ episode, n })
      : `${window.location.origin}${window.location.pathname}${hash}`;
    const isCopied = await copyText(link);
    toast(
      isCopied
        ? { tone: 'ok', title: 'Link to this event copied' }
        : { tone: 'error', title: 'The browser refused to copy', text: link },
    );
  };
  return (
    <>
      {isRunning ? (
        <Button size="small" icon={<Radio />} onClick={() => navigate({ view: 'live', episode })}>
          Watch live
        </Button>
      ) : null}
      <IconButton label="Copy a link to this event" icon={<Link />} onClick={() => void copyLink()} />
    </>
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
      setWritten(n);
      navigate({ view: 'replay', episode, n }, { replace: true });
    }, WRITE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [episode, n]);
}
