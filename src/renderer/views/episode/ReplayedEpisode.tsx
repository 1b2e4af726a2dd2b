// An episode replayed from the log: the same view over a prefix of its events.
import { memo, useEffect, useMemo, useState, type ReactNode } from 'react';
import { foldBatch } from '../../../shared/episode/fold.ts';
import { emptyRecord, type EpisodeRecord } from '../../../shared/episode/record.ts';
import type { Recorded } from '../../../shared/events/vocabulary.ts';
import { rowsOf } from '../../../shared/timeline/rows.ts';
import { outcomeWords, ROLE_LABELS, type TimelineRow } from '../../../shared/timeline/timelineRow.ts';
import { EpisodeStage } from '../../parts/episode/EpisodeStage.tsx';
import { eventsOf } from '../../parts/timeline/StepEvents.tsx';
import { useAnswerKey } from '../../parts/inspector/useAnswerKey.ts';
import { formatCount } from '../../parts/text/size.ts';
import { WorldPanel } from '../../parts/world/WorldPanel.tsx';
import { useConsole, useEpisodeRecord, useSession } from '../../state/hooks.ts';
import { loadedRecord } from '../../state/loadedRecord.ts';
import { episodeRoute, isOfEpisode, navigate } from '../../state/route.ts';
import { emptyEntry } from '../../state/store.ts';
import { cx, variantClass } from '../../ui/cx.ts';
import { VirtualList } from '../../ui/VirtualList.tsx';
import { ReplayActs } from './ReplayActs.tsx';
import { Scrubber, stopsOf, usePlayer } from './Scrubber.tsx';
import { useInstead } from './useEpisode.tsx';
import * as styles from './Episode.module.css';

type ReplayProps = {
  episode: string;
  /** The event that the address names. */
  asked: number | null;
};

export function ReplayedEpisode({ episode, asked }: ReplayProps): ReactNode {
  const [enough] = useState(asked ?? 1);
  const instead = useInstead(episode, enough);
  return instead ?? <Replay episode={episode} asked={asked} />;
}

/** A place must stand for so long before it is written into the address. */
const ADDRESS_DELAY_MS = 250;

type ReplayedEpisode = { events: readonly Recorded[]; whole: EpisodeRecord; isLoaded: boolean };

/**
 * The first events, and then all: drawing each batch in between costs more than reading them. Whoever shows it watches
 * the episode.
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

const Replay = memo(function Replay({ episode, asked }: ReplayProps): ReactNode {
  const { store } = useSession();
  const { events, whole, isLoaded } = useKnown(episode);
  // Null is the end, wherever that is. What came in pieces stands at its first lines until the person moves.
  const [chosen, setN] = useState(asked);
  const [wasLoaded] = useState(isLoaded);
  const replayer = useMemo(() => createReplayer(episode, events, whole), [episode, events, whole]);
  const stops = useMemo(() => stopsOf(events), [events]);
  const at = Math.max(1, Math.min(chosen ?? replayer.last, replayer.last));
  const record = replayer.at(at);
  const answerKey = useAnswerKey(episode);
  useAddress(episode, isLoaded && (wasLoaded || chosen !== null) ? at : null, asked, setN);
  const player = usePlayer(events, at, setN);
  return (
    <EpisodeStage
      record={record}
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
          step={eventsOf(events, all, activeKey, at)}
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
      if (!isOfEpisode(window.location.hash, episode)) return;
      setWritten(n);
      navigate(episodeRoute(episode, n), { replace: true });
    }, ADDRESS_DELAY_MS);
    return () => clearTimeout(timer);
  }, [episode, n]);
}

type OutlineProps = {
  /** The episode to its end, whatever is shown of it. */
  whole: EpisodeRecord;
  /** The event shown now. */
  n: number;
  onGo: (n: number) => void;
};

const isHeading = (row: TimelineRow): boolean => row.shape === 'step' || row.isHuman;

export function Outline({ whole, n, onGo }: OutlineProps): ReactNode {
  const rows = useMemo(() => rowsOf(whole).filter(isHeading), [whole]);
  const here = rows.findLastIndex((row) => row.n <= n);
  return (
    <div className={styles.outline}>
      <VirtualList
        label="Outline"
        count={rows.length}
        rowHeight={28}
        rowKey={(index) => rows[index]?.key ?? index}
        activeIndex={here}
        onActivate={(index) => {
          const row = rows[index];
          if (row !== undefined) onGo(lastOf(rows, whole, index));
        }}
        renderRow={(index) => <OutlineRow row={rows[index]} isHere={index === here} isAhead={index > here} />}
      />
    </div>
  );
}

/** A step is shown with what came back: up to the event before the next one. */
const lastOf = (rows: readonly TimelineRow[], whole: EpisodeRecord, index: number): number =>
  Math.max(rows[index]?.n ?? 1, (rows[index + 1]?.n ?? whole.n + 1) - 1);

function OutlineRow({
  row,
  isHere,
  isAhead,
}: {
  row: TimelineRow | undefined;
  isHere: boolean;
  isAhead: boolean;
}): ReactNode {
  if (row === undefined) return null;
  const turn = row.subject.type === 'turn' ? String(row.subject.turn.turn) : '';
  return (
    <div className={cx(styles.row, isHere && styles.isHere, isAhead && styles.isAhead)}>
      <span className={styles.turn}>{turn}</span>
      <span className={cx(styles.role, variantClass(styles, row.role))}>{ROLE_LABELS[row.role]}</span>
      <b>{row.name}</b>
      {row.outcome?.tone === 'error' ? (
        <span className={styles.error}>{outcomeWords(row.outcome)}</span>
      ) : null}
    </div>
  );
}

type Replayer = {
  /** The record after the event with that n; the empty record at 0. */
  at: (n: number) => EpisodeRecord;
  /** The n of the last event. */
  last: number;
};

const CHECKPOINT = 200;
/** Records in between kept for stepping back and forth. */
const RECENT_MAX = 64;

/** `whole` is the record after the last event where it is known already: nothing is folded to show the end. */
export function createReplayer(
  id: string,
  events: readonly Recorded[],
  whole: EpisodeRecord | null = null,
): Replayer {
  const checkpoints: EpisodeRecord[] = [emptyRecord(id)];
  const recent = new Map<number, EpisodeRecord>();
  const last = events.length;

  // A stretch at a time: the record's lists are copied once for it, not once per event.
  const foldOn = (from: EpisodeRecord, start: number, end: number): EpisodeRecord =>
    start >= end ? from : foldBatch(from, events.slice(start, end));
  const checkpoint = (index: number): EpisodeRecord => {
    for (let at = checkpoints.length; at <= index; at += 1) {
      const before = checkpoints[at - 1] ?? emptyRecord(id);
      checkpoints.push(foldOn(before, (at - 1) * CHECKPOINT, at * CHECKPOINT));
    }
    return checkpoints[index] ?? emptyRecord(id);
  };
  return {
    last,
    at(n) {
      const end = Math.max(0, Math.min(last, n));
      if (whole !== null && end === last && whole.n === last) return whole;
      const known = recent.get(end);
      if (known !== undefined) return known;
      const index = Math.floor(end / CHECKPOINT);
      const near = recent.get(end - 1) ?? checkpoint(index);
      const record = foldOn(near, near.n, end);
      recent.set(end, record);
      for (const [oldest] of recent) {
        if (recent.size <= RECENT_MAX) break;
        recent.delete(oldest);
      }
      return record;
    },
  };
}
