// Episodes that wait for a place, kept so that they outlive a kill.
import { failureShape } from '../../shared/failure.ts';
import { SYSTEM } from '../../shared/events/actor.ts';
import { closing } from '../../shared/episode/restarts.ts';
import type { EventLog, LogEntry } from '../log/eventLog.ts';
import type { RunSpec } from './stage.ts';

export type WaitingLine = ReturnType<typeof createWaitingLine>;

type WaitingLineDependencies = {
  log: Pick<EventLog, 'queue' | 'checkWritable' | 'appendAll'>;
  /** What the log of such an episode begins with. */
  openingOf: (spec: RunSpec) => LogEntry[];
};

export function createWaitingLine({ log, openingOf }: WaitingLineDependencies) {
  const waiting = new Set<string>();
  const leave = (ids: readonly string[]): void => {
    const left = ids.filter((id) => waiting.has(id));
    if (left.length > 0) log.queue.remove(left);
    for (const id of left) waiting.delete(id);
  };
  return {
    /** Rejects where the log takes no events. */
    enter: async (id: string, spec: RunSpec, isKept: boolean): Promise<void> => {
      if (!isKept) return log.checkWritable();
      log.queue.add({ id, opening: openingOf(spec) });
      waiting.add(id);
    },
    /** Its log has begun, which took it out. */
    begun: (id: string): void => void waiting.delete(id),
    /** Interject is closed before there was a place: their logs begin, and they wait for a person's word. */
    leaveOpen: (now: number): void => {
      const failure = failureShape(closing());
      const event = { kind: 'episode.broke_off', ran_until: now, reason: null, failure } as const;
      try {
        for (const { id, opening } of log.queue.all().filter((one) => waiting.has(one.id))) {
          log.appendAll(id, [...opening, { actor: SYSTEM, event }]);
          waiting.delete(id);
        }
      } catch {
        // Where the log takes no events they come back at the next start.
      }
    },
    /** They are not begun. Throws where the log takes no events. */
    leave,
    /** Where the log takes no events they come back at the next start. */
    tryLeave: (ids: readonly string[]): void => {
      try {
        leave(ids);
      } catch {
        // Whoever stops them goes on.
      }
    },
  };
}
