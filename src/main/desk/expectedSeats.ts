// The seats that were on duty when the program last ended. Their consoles find it again within seconds, and until then a
// question waits for them, instead of being told that nobody is there.
import type { EventLog } from '../log/eventLog.ts';
import type { Schedule } from './wait.ts';

export type ExpectedSeats = {
  /** From now on they are waited for, for a while. */
  begin(): void;
  names(): string[];
  arrived(seat: string): void;
  /** Resolves once one of them is there, or none is waited for any more; null where none is. */
  wait(): Promise<void> | null;
  close(): void;
};

/** A console tries again every few seconds. */
const RETURN_GRACE_MS = 20_000;
const PREFIX = 'seat/';

/** `missed` is told of each that did not come back. */
export function createExpectedSeats(
  { log, schedule }: { log: Pick<EventLog, 'streams' | 'read'>; schedule: Schedule },
  missed: (seat: string) => void,
): ExpectedSeats {
  let expected = new Set<string>();
  let cancel = (): void => undefined;
  let waiting: (() => void)[] = [];
  const tellWaiting = (): void => {
    const told = waiting;
    waiting = [];
    for (const resolve of told) resolve();
  };
  return {
    begin: () => {
      expected = new Set(seatsOnDuty(log));
      if (expected.size === 0) return;
      cancel = schedule(RETURN_GRACE_MS, () => {
        const gone = [...expected];
        expected.clear();
        tellWaiting();
        for (const seat of gone) missed(seat);
      });
    },
    names: () => [...expected],
    arrived: (seat) => {
      expected.delete(seat);
      tellWaiting();
    },
    wait: () => (expected.size === 0 ? null : new Promise((resolve) => waiting.push(resolve))),
    close: () => cancel(),
  };
}

/** As the log says it: a process that ends, in order or not, takes nobody off duty. */
function seatsOnDuty(log: Pick<EventLog, 'streams' | 'read'>): string[] {
  return log.streams(PREFIX).flatMap((stream) => {
    const last = log.read(stream).findLast(({ event }) => event.kind === 'seat.changed');
    return last?.event.kind === 'seat.changed' && last.event.presence === 'on_duty' ? [last.event.seat] : [];
  });
}
