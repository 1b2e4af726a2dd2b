// A desk told again over one line. Of a crowd's desk few lines are new: for the others their place in the desk told
// before is enough.
import type { DeskPush } from './envelope.ts';
import type { DeskChanges } from './frames.ts';

/** `now`, to somebody who was told `before`. A line is known where it is the same object. */
export const deskChanges = (before: DeskPush, now: DeskPush): DeskChanges => ({
  total: now.total,
  items: placed(before.items, now.items),
  holds: placed(before.holds, now.holds),
  seats: now.seats,
});

/** The desk that `changes` tell of; what stayed is the same object. Null where they name a line that `before` has not. */
export function deskAfter(before: DeskPush, changes: DeskChanges): DeskPush | null {
  const items = found(before.items, changes.items);
  const holds = found(before.holds, changes.holds);
  return items === null || holds === null ? null : { topic: 'desk', ...changes, items, holds };
}

function placed<T extends object>(before: readonly T[], now: readonly T[]): (number | T)[] {
  const places = new Map(before.map((line, at) => [line, at]));
  return now.map((line) => places.get(line) ?? line);
}

function found<T extends object>(before: readonly T[], told: readonly (number | T)[]): T[] | null {
  const lines = told.flatMap((line) => (typeof line === 'number' ? (before[line] ?? []) : line));
  return lines.length === told.length ? (lines as T[]) : null;
}
