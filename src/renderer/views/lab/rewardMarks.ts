// What the strip of a reward shows: the recorded episodes, or an example where there are none. Pure.
import type { LabReport } from '../../../shared/contract/rewards.ts';
import type { ShapingSettings } from '../../../shared/rewards/settings.ts';
import { scoreText } from './labText.ts';
import type { StripMark } from './RewardStrip.tsx';

/** The rewards the chosen settings give, one mark for each value. */
export function marksOf({ dots }: LabReport): StripMark[] {
  const counts = new Map<string, StripMark>();
  for (const { after, complete, other } of dots.list) {
    for (const [isComplete, count] of [
      [true, complete],
      [false, other],
    ] as const) {
      if (count === 0) continue;
      const key = `${String(isComplete)} ${String(after)}`;
      counts.set(key, { at: after, isComplete, count: count + (counts.get(key)?.count ?? 0) });
    }
  }
  return [...counts.values()];
}

const spanText = (values: readonly number[]): string => {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const [from, to] = [scoreText(low), scoreText(high)].map((text) => text.replace('-', '−'));
  return from === to ? String(from) : `${String(from)} to ${String(to)}`;
};

/** The picture as a sentence: what completed episodes get, and what the others do. */
export function stripTitle(marks: readonly StripMark[]): string {
  const at = (isComplete: boolean): number[] =>
    marks.filter((mark) => mark.isComplete === isComplete).map((mark) => mark.at);
  const [complete, other] = [at(true), at(false)];
  if (complete.length === 0) return `No episode is complete; the others get ${spanText(other)}`;
  if (other.length === 0) return `Complete episodes get ${spanText(complete)}`;
  const overlap = Math.max(...other) >= Math.min(...complete) ? ': some of these earn as much or more' : '';
  return `Complete episodes get ${spanText(complete)}, others ${spanText(other)}${overlap}`;
}

/** What the graduated reward gives in each case, by its numbers. */
export const exampleMarks = ({ base, modifiers }: ShapingSettings): (StripMark & { label: string })[] => [
  { label: 'Complete, alone', at: base.complete + modifiers.solo, count: 1, isComplete: true },
  {
    label: 'Complete, after a failed try and advice',
    at: base.complete + modifiers.recovery,
    count: 1,
    isComplete: true,
  },
  { label: 'Complete, asked before trying', at: base.complete + modifiers.blind, count: 1, isComplete: true },
  { label: 'Incomplete', at: base.incomplete, count: 1, isComplete: false },
  { label: 'Anything else', at: base.other, count: 1, isComplete: false },
  { label: 'Format errors', at: base.format_error, count: 1, isComplete: false },
];
