// Reads what main says over one line, in the order it came.
import { z } from 'zod';
import { deskAfter } from './deskChanges.ts';
import { type DeskPush, ToView } from './envelope.ts';
import { DeskItem, HoldItem, SeatRow } from '../episode/rowShapes.ts';

/** A line of the desk told before, by its place there. */
const Place = z.number().int().nonnegative();

const DeskChanges = z.strictObject({
  total: z.number().int(),
  items: z.array(z.union([Place, DeskItem])),
  holds: z.array(z.union([Place, HoldItem])),
  seats: z.array(SeatRow),
});
export type DeskChanges = z.infer<typeof DeskChanges>;

/** A frame on a line: a message to the view, or news of the desk that was told on this line before. */
const Frame = z.discriminatedUnion('type', [
  ...ToView.options,
  z.strictObject({ type: z.literal('desk'), id: z.number().int(), desk: DeskChanges }),
]);
export type Frame = z.infer<typeof Frame>;

/** The message of a frame, given as parsed JSON; null where it is not in the agreed form. One reader for each line. */
export function createFrameReader(): (raw: unknown) => ToView | null {
  let desk: DeskPush | null = null;
  return (raw) => {
    const { data: frame } = Frame.safeParse(raw);
    if (frame === undefined) return null;
    if (frame.type !== 'desk') {
      if (frame.type === 'push' && frame.push.topic === 'desk') desk = frame.push;
      return frame;
    }
    const told = desk === null ? null : deskAfter(desk, frame.desk);
    if (told === null) return null;
    desk = told;
    return { type: 'push', id: frame.id, push: told };
  };
}
