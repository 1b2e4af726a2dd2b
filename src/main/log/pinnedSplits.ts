// The splits that hold in a data folder: their `val` tasks are kept out of everything that trains.
import { SYSTEM } from '../../shared/events/actor.ts';
import type { EventOf } from '../../shared/events/vocabulary.ts';
import { SplitManifest } from '../../shared/split.ts';
import type { EventLog } from './eventLog.ts';

export const SPLITS = 'splits';

export type PinnedSplit = { name: string; manifest: SplitManifest };

/** In the order in which their names came up; of each name the last one pinned. */
export function pinnedSplits(log: Pick<EventLog, 'read'>): PinnedSplit[] {
  const pinned = new Map<string, SplitManifest>();
  for (const { event } of log.read(SPLITS)) {
    if (event.kind !== 'split.changed') continue;
    if (event.pinned === null) pinned.delete(event.name);
    else pinned.set(event.name, SplitManifest.parse(event.pinned));
  }
  return [...pinned].map(([name, manifest]) => ({ name, manifest }));
}

/** All splits that hold: the one that was given for this run of the product, and those pinned. */
export const splitsIn = (
  log: Pick<EventLog, 'read'>,
  given: SplitManifest | null = null,
): SplitManifest[] => [
  ...(given === null ? [] : [given]),
  ...pinnedSplits(log).map(({ manifest }) => manifest),
];

export type SplitPin = EventOf<'split.changed'>['pinned'];

/** Holds the val tasks of a split out from now on; null ends that. */
export const noteSplit = (log: Pick<EventLog, 'append'>, name: string, pinned: SplitPin): void =>
  void log.append(SPLITS, SYSTEM, { kind: 'split.changed', name, pinned });
