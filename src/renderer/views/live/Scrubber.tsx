// Moving through a replay: by hand, by turn, call or advice, or playing.
import { Pause, Play, SkipBack, SkipForward } from 'lucide-react';
import { useMemo, type ReactNode } from 'react';
import type { Recorded } from '../../../shared/events/vocabulary.ts';
import { formatOffset } from '../../parts/text/offset.ts';
import { PACES } from '../../parts/timeline/pace.ts';
import { nextStop, type Stop, type StopType } from '../../parts/timeline/stops.ts';
import { useKeys } from '../../state/hooks.ts';
import { IconButton } from '../../ui/Button.tsx';
import { Select } from '../../ui/Field.tsx';
import { formatDuration } from '../../ui/time.ts';
import { variantClass } from '../../ui/cx.ts';
import * as styles from './Scrubber.module.css';
import type { Player } from './usePlayer.ts';

type ScrubberProps = {
  events: readonly Recorded[];
  stops: readonly Stop[];
  n: number;
  onGo: (n: number) => void;
  player: Player;
};

const LONG_WAIT_MS = 2000;

export function Scrubber({ events, stops, n, onGo, player }: ScrubberProps): ReactNode {
  const last = events.length;
  const go = (next: number | null): void => {
    player.stop();
    if (next !== null) onGo(Math.max(1, Math.min(last, next)));
  };
  const step = (type: StopType, direction: 1 | -1) => (): void => go(nextStop(stops, type, n, direction));
  useKeys('replay', {
    'replay.play': player.toggle,
    'replay.next_event': () => go(n + 1),
    'replay.previous_event': () => go(n - 1),
    'replay.next_turn': step('turn', 1),
    'replay.previous_turn': step('turn', -1),
    'replay.next_call': step('call', 1),
    'replay.previous_call': step('call', -1),
    'replay.next_advice': step('advice', 1),
    'replay.previous_advice': step('advice', -1),
  });
  const label = scrubberLabel(events, stops, n);
  return (
    <section className={styles.scrubber} aria-label="Playback">
      <IconButton
        label={player.isPlaying ? 'Pause' : 'Play'}
        chord="replay.play"
        icon={player.isPlaying ? <Pause /> : <Play />}
        onClick={player.toggle}
      />
      <IconButton
        label="Previous turn"
        chord="replay.previous_turn"
        icon={<SkipBack />}
        onClick={step('turn', -1)}
      />
      <IconButton
        label="Next turn"
        chord="replay.next_turn"
        icon={<SkipForward />}
        onClick={step('turn', 1)}
      />
      <div className={styles.track}>
        <Ticks stops={stops} last={last} />
        <input
          type="range"
          className={styles.range}
          aria-label="Position in the episode"
          aria-valuetext={label}
          min={1}
          max={Math.max(1, last)}
          value={n}
          onChange={({ target }) => go(Number(target.value))}
        />
      </div>
      <span className={styles.place} aria-live={player.isPlaying ? 'off' : 'polite'}>
        {label}
        {player.waitMs !== null && player.waitMs > LONG_WAIT_MS ? (
          <span className={styles.wait}>{` · next in ${formatDuration(player.waitMs)}`}</span>
        ) : null}
      </span>
      <Select
        className={styles.pace}
        aria-label="Pace"
        value={player.pace}
        options={PACES.map(({ value, label }) => ({ value, label }))}
        onChoose={player.setPace}
      />
    </section>
  );
}

/** `event 34 of 120 · turn 7 · 1:23`. */
export function scrubberLabel(events: readonly Recorded[], stops: readonly Stop[], n: number): string {
  const turns = stops.filter((stop) => stop.type === 'turn' && stop.n <= n).length;
  const [first, here] = [events[0], events[n - 1]];
  const offset = first === undefined || here === undefined ? '' : ` · ${formatOffset(here.at - first.at)}`;
  return `event ${String(n)} of ${String(events.length)} · turn ${String(turns)}${offset}`;
}

const SHOWN_STOPS: readonly StopType[] = ['error', 'advice', 'human', 'label'];
/** Ticks closer than this run into each other: one stands for all. */
const TICK_PLACES = 300;

/** The stops to mark, at most one of a kind at a place. */
export function stopTicks(stops: readonly Stop[], last: number): Stop[] {
  const taken = new Set<string>();
  return stops.filter(({ n, type }) => {
    const place = `${type}${String(Math.round((n / Math.max(1, last)) * TICK_PLACES))}`;
    if (!SHOWN_STOPS.includes(type) || taken.has(place)) return false;
    taken.add(place);
    return true;
  });
}

/** Errors below, people above: the place tells them apart, not the colour alone. */
function Ticks({ stops, last }: { stops: readonly Stop[]; last: number }): ReactNode {
  const ticks = useMemo(() => stopTicks(stops, last), [stops, last]);
  return (
    <div className={styles.ticks} aria-hidden="true">
      {ticks.map(({ n, type }) => (
        <span
          key={`${type}${String(n)}`}
          className={variantClass(styles, type)}
          style={{ left: `${String(((n - 1) / Math.max(1, last - 1)) * 100)}%` }}
        />
      ))}
    </div>
  );
}
