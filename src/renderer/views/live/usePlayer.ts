// Playing a replay: one timer, to the end or until the person acts.
import { useEffect, useState } from 'react';
import type { Recorded } from '../../../shared/events/vocabulary.ts';
import { nextFrame, PACES, type Pace } from '../../parts/timeline/pace.ts';

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
