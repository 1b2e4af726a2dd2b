// The scale that rewards are drawn on. Pure.
import { plain } from './readObservation.ts';

/** Least and greatest of what is drawn, and the round numbers between them that are named at the axis; 0 is one. */
export function rewardScale(values: readonly number[]): { min: number; max: number; ticks: number[] } {
  const min = Math.min(0, ...values);
  const max = Math.max(0, ...values);
  if (min === max) return { min: 0, max: 1, ticks: [0, 1] };
  const step = roundStep((max - min) / 4);
  const first = Math.ceil(plain(min / step));
  const last = Math.floor(plain(max / step));
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => plain((first + index) * step));
  return { min, max, ticks };
}

/** 1, 2 or 5 times a power of ten, as little above as there is. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const times = [1, 2, 5, 10].find((one) => one * power >= least * 0.999_999) ?? 10;
  return times * power;
}

/** `−0.25`: with the sign of typography, and no more digits than a reader can use. */
export const formatReward = (value: number): string => String(Number(value.toPrecision(6))).replace('-', '−');
