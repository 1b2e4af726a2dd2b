// Owns: an episode replayed from the log: the same view over a prefix of its events.
import { Link, Radio } from 'lucide-react';
import { useCallback, useEffect, useMemo, useState, type ReactNode } from 'react';
import { AgainActs } from '../../parts/again/AgainActs.tsx';
import { WorldPanel } from '../../parts/world/WorldPanel.tsx';
import { EpisodeStage } from '../../parts/episode/EpisodeStage.tsx';
import { useAnswerKey } from '../../parts/inspector/useAnswerKey.ts';
import { createReplayer } from '../../parts/timeline/replayer.ts';
import { stopsOf } from '../../parts/timeline/stops.ts';
import { useEpisodeEvents, useEpisodeRecord, useSession, useToast } from '../../state/hooks.ts';
import { formatRoute, navigate, useRoute } from '../../state/route.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { copyText } from '../../ui/CopyButton.tsx';
import { Branches } from './Branches.tsx';
import { Scrubber } from './Scrubber.tsx';
import { useInstead } from './useEpisode.tsx';
import { usePlayer } from './usePlayer.ts';

export function ReplayView({ episode }: { episode: string }): ReactNode {
  const instead = useInstead(episode);
  return instead ?? <Replay key={episode} episode={episode} />;
}

/** How long a place must stand before it is written into the address. */
const WRITE_AFTER_MS = 250;

function Replay({ episode }: { episode: string }): ReactNode {
  const { call } = useSession();
  const events = useEpisodeEvents(episode);
  const { record: whole } = useEpisodeRecord(episode);
  const route = useRoute();
  const asked = route.view === 'replay' ? route.n : null;
  const [n, setN] = useState(asked ?? events.length);
  const replayer = useMemo(() => createReplayer(episode, events), [episode, events]);
  const stops = useMemo(() => stopsOf(events), [events]);
  const at = Math.max(1, Math.min(n, replayer.last));
  const record = replayer.at(at);
  const shown = useMemo(() => events.slice(0, at), [events, at]);
  const fetchKey = useCallback((id: string) => call('answer_key.show', { episode: id }), [call]);
  const answerKey = useAnswerKey(episode, fetchKey);
  useAddress(episode, at, asked, setN);
  const player = usePlayer(events, at, setN);
  return (
    <EpisodeStage
      record={record}
      events={shown}
      answerKey={answerKey}
      place={at}
      actions={
        <>
          <Branches shown={record} whole={whole} />
          <AgainActs
            episode={episode}
            outcome={whole.ended?.outcome ?? null}
            hasTask={(whole.reset?.task_idx ?? null) !== null}
          />
          <Actions episode={episode} n={at} isRunning={whole.ended === null} />
        </>
      }
      panels={[{ id: 'world', label: 'World', panel: <WorldPanel record={record} isReplay /> }]}
      band={<Scrubber events={events} stops={stops} n={at} onGo={setN} player={player} />}
    />
  );
}

function Actions({ episode, n, isRunning }: { episode: string; n: number; isRunning: boolean }): ReactNode {
  const toast = useToast();
  const copyLink = async (): Promise<void> => {
    const hash = formatRoute({ view: 'replay', episode, n });
    const link = `${window.location.origin}${window.location.pathname}${hash}`;
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
function useAddress(episode: string, n: number, asked: number | null, onMove: (n: number) => void): void {
  const [written, setWritten] = useState(asked);
  if (asked !== written) {
    setWritten(asked);
    if (asked !== null && asked !== n) onMove(asked);
  }
  useEffect(() => {
    const timer = setTimeout(() => {
      setWritten(n);
      navigate({ view: 'replay', episode, n }, { replace: true });
    }, WRITE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [episode, n]);
}
