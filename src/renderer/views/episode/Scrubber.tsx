// Moving through a replay: by hand, by turn, call or advice, or playing.
import { Pause, Play, SkipBack, SkipForward } from 'lucide-react';
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { isLine } from '../../../shared/episode/turns.ts';
import { KINDS, type LogEvent, type Recorded } from '../../../shared/events/vocabulary.ts';
import { isToolError } from '../../../shared/wire.ts';
import { formatOffset } from '../../parts/text/offset.ts';
import { useKeys } from '../../state/hooks.ts';
import { IconButton } from '../../ui/Button.tsx';
import { variantClass } from '../../ui/cx.ts';
import { Select } from '../../ui/Field.tsx';
import { formatDuration } from '../../ui/time.ts';
import * as styles from './Scrubber.module.css';

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
  useKeys({
    pause: player.toggle,
    right: () => go(n + 1),
    left: () => go(n - 1),
    next: step('turn', 1),
    previous: step('turn', -1),
    'replay.next_advice': step('advice', 1),
    'replay.previous_advice': step('advice', -1),
  });
  const label = scrubberLabel(events, stops, n);
  return (
    <section className={styles.scrubber} aria-label="Playback">
      <IconButton
        label={player.isPlaying ? 'Pause' : 'Play'}
        chord="pause"
        icon={player.isPlaying ? <Pause /> : <Play />}
        onClick={player.toggle}
      />
      <IconButton label="Previous turn" chord="previous" icon={<SkipBack />} onClick={step('turn', -1)} />
      <IconButton label="Next turn" chord="next" icon={<SkipForward />} onClick={step('turn', 1)} />
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
function scrubberLabel(events: readonly Recorded[], stops: readonly Stop[], n: number): string {
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

export type Player = {
  isPlaying: boolean;
  pace: string;
  setPace: (pace: string) => void;
  toggle: () => void;
  stop: () => void;
  /** How long until the next event; null while it stands. */
  waitMs: number | null;
};

export function usePlayer(events: readonly Recorded[], n: number, onGo: (n: number) => void): Player {
  const [isPlaying, setIsPlaying] = useState(false);
  const [pace, setPace] = useState(PACES[4]?.value ?? '');
  const chosen: Pace = PACES.find(({ value }) => value === pace)?.pace ?? { type: 'steady', perSecond: 3 };
  const frame = isPlaying ? nextFrame(events, n, chosen) : null;
  const [next, delayMs] = [frame?.n ?? null, frame?.delayMs ?? 0];
  if (isPlaying && frame === null) setIsPlaying(false);
  useEffect(() => {
    if (next === null) return undefined;
    const timer = setTimeout(() => onGo(next), delayMs);
    return () => clearTimeout(timer);
  }, [next, delayMs, onGo]);
  const toggle = (): void => {
    // Playing from the end begins anew.
    if (!isPlaying && n >= events.length) onGo(1);
    setIsPlaying(!isPlaying);
  };
  return {
    isPlaying,
    pace,
    setPace,
    toggle,
    stop: () => setIsPlaying(false),
    waitMs: frame === null ? null : delayMs,
  };
}

export type Pace = { type: 'recorded'; factor: number } | { type: 'steady'; perSecond: number };

export const PACES: readonly { value: string; label: string; pace: Pace }[] = [
  { value: 'recorded-1', label: 'As recorded', pace: { type: 'recorded', factor: 1 } },
  { value: 'recorded-4', label: 'As recorded, 4×', pace: { type: 'recorded', factor: 4 } },
  { value: 'recorded-16', label: 'As recorded, 16×', pace: { type: 'recorded', factor: 16 } },
  { value: 'steady-1', label: '1 step a second', pace: { type: 'steady', perSecond: 1 } },
  { value: 'steady-3', label: '3 steps a second', pace: { type: 'steady', perSecond: 3 } },
  { value: 'steady-10', label: '10 steps a second', pace: { type: 'steady', perSecond: 10 } },
];

/** Events that change nothing a viewer waits for: shown together with the one before them. */
const SILENT: ReadonlySet<string> = new Set(['message.added', 'call.sent', 'move.proposed']);

const isSilent = (event: LogEvent | undefined): boolean =>
  event !== undefined && SILENT.has(event.kind) && !(event.kind === 'message.added' && isLine(event));

/** The event to show next and how long to wait for it; null at the end. */
export function nextFrame(
  events: readonly Recorded[],
  n: number,
  pace: Pace,
): { n: number; delayMs: number } | null {
  const [now, next] = [events[n - 1], events[n]];
  if (next === undefined) return null;
  if (pace.type === 'recorded') {
    const delayMs = now === undefined ? 0 : Math.max(0, next.at - now.at) / pace.factor;
    return { n: n + 1, delayMs };
  }
  let end = n + 1;
  while (end < events.length && isSilent(events[end]?.event)) end += 1;
  return { n: end, delayMs: 1000 / pace.perSecond };
}

export type StopType = 'turn' | 'call' | 'advice' | 'error' | 'human' | 'label';
export type Stop = { n: number; type: StopType };

/** Every stop of an episode, in order; an event may be several. */
export function stopsOf(events: readonly Recorded[]): Stop[] {
  return events.flatMap(({ n, event, actor }) => {
    const types: StopType[] = [];
    if (event.kind === 'turn.generated') types.push('turn');
    if (event.kind === 'call.returned' || event.kind === 'call.refused') types.push('call');
    if (event.kind === 'consultation.asked' || KINDS[event.kind].settles === 'question') types.push('advice');
    if (isError(event)) types.push('error');
    if (event.kind === 'label.given') types.push('label');
    else if (actor.type === 'human') types.push('human');
    return types.map((type) => ({ n, type }));
  });
}

function isError(event: Recorded['event']): boolean {
  switch (event.kind) {
    case 'call.returned':
      return isToolError(event.error, event.reward_type);
    case 'call.refused':
    case 'model.failed':
    case 'advice.draft_failed':
      return true;
    case 'move.proposed':
      return event.move.type === 'malformed';
    case 'connection.changed':
      return event.state === 'failed';
    case 'episode.ended':
      return event.outcome === 'error' || event.outcome === 'interrupted';
    default:
      return false;
  }
}

/** The nearest stop of a type after (or before) an event; null when there is none. */
function nextStop(stops: readonly Stop[], type: StopType, n: number, direction: 1 | -1): number | null {
  const ofType = stops.filter((stop) => stop.type === type);
  const stop = direction === 1 ? ofType.find((s) => s.n > n) : ofType.findLast((s) => s.n < n);
  return stop?.n ?? null;
}
