// Pieces of data that several charts take.
import { z } from 'zod';
import { joinNotes } from '../text.ts';

export const number = z.number().refine(Number.isFinite, 'a finite number');
const maybe = number.nullable();

/** A number with its interval; both ends or neither. */
export const Estimate = z
  .strictObject({
    value: maybe,
    low: maybe.optional(),
    high: maybe.optional(),
    n: z.number().int().nonnegative().nullable().optional(),
  })
  .refine(
    ({ low, high }) => (typeof low === 'number') === (typeof high === 'number'),
    'both ends of an interval, or none',
  );
export type Estimate = z.infer<typeof Estimate>;

export const StepPoint = z.strictObject({
  step: number,
  value: number,
  low: maybe.optional(),
  high: maybe.optional(),
  /** Some group of rollouts had one reward in all of them: a trainer that compares them learns nothing from it. */
  is_flat: z.boolean().optional(),
});
export type StepPoint = z.infer<typeof StepPoint>;
export const StepSeries = z.strictObject({ name: z.string().min(1), points: z.array(StepPoint) });
export type StepSeries = z.infer<typeof StepSeries>;

/** What every chart takes beside its numbers. */
export const Frame = {
  /** A sentence; by default one that the numbers say. */
  title: z.string().min(1).optional(),
  /** Whose numbers they are. */
  source: z.string().min(1).optional(),
  notes: z.array(z.string()).optional(),
};
type Framed = { source?: string | undefined; notes?: string[] | undefined };

export const notesOf = ({ source, notes = [] }: Framed, ...own: (string | null | false)[]): string[] =>
  joinNotes(...own, ...notes, source === undefined ? null : `Source: ${source}`);

export const xyPoints = (points: readonly z.infer<typeof StepPoint>[]) =>
  points.map(({ step, value, low, high, is_flat: isFlat = false }) => ({
    x: step,
    y: value,
    low,
    high,
    isHollow: isFlat,
  }));

/** Said where a reader would look for an interval and finds none. */
export const noIntervals = (hasAny: boolean): string | null =>
  hasAny ? null : 'No interval is shown: each point is one measurement.';

export const anyInterval = (list: readonly { low?: number | null | undefined }[]): boolean =>
  list.some(({ low }) => typeof low === 'number');
