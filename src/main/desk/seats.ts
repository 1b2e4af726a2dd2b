// The seats at the desk now. A seat that is connected is on duty until it says otherwise.
import { seatActor } from '../../shared/events/actor.ts';
import { once } from '../../shared/once.ts';
import type { EventLog } from '../log/eventLog.ts';
import type { Schedule } from './waiting.ts';

type SeatPresence = 'on_duty' | 'away' | 'off';

export type SeatRegistry = {
  /** A console of this seat is there; the returned function says it has gone. */
  connect(seat: string): () => void;
  /** A seat that may not come back, as its invite was revoked: it is off at once when no console of it is left. */
  dismiss(seat: string): void;
  /**
   * Something answers in people's place (a file of answers), where it is said only in those episodes: their asks are
   * attended, and no seat is counted.
   */
  attend(isMeant?: (episode: string) => boolean): () => void;
  isAttended(episode: string): boolean;
  /** Those who were on duty when the program last ended. */
  expected: Pick<ExpectedSeats, 'begin' | 'names' | 'wait'>;
  set(seat: string, presence: SeatPresence): void;
  onDuty(): string[];
  all(): { seat: string; presence: SeatPresence }[];
  /** Nobody is noted as leaving any more. */
  close(): void;
};

/** A reload must not look like a person leaving. */
const LEAVING_GRACE_MS = 30_000;

type SeatState = { consoles: number; chosen: SeatPresence; cancelLeaving: (() => void) | null };

export function createSeats({ log, schedule }: { log: EventLog; schedule: Schedule }): SeatRegistry {
  const seats = new Map<string, SeatState>();
  const attending = new Set<(episode: string) => boolean>();
  let isClosed = false;
  const presence = (seat: string): SeatPresence => seats.get(seat)?.chosen ?? 'off';
  const record = (seat: string): void => {
    log.append(`seat/${seat}`, seatActor(seat), { kind: 'seat.changed', seat, presence: presence(seat) });
  };
  const expected = createExpectedSeats({ log, schedule }, record);
  const leave = (name: string, seat: SeatState): void => {
    seat.consoles -= 1;
    if (seat.consoles > 0 || isClosed) return;
    seat.cancelLeaving = schedule(LEAVING_GRACE_MS, () => {
      seats.delete(name);
      record(name);
    });
  };
  const onDuty = (): string[] => [...seats.keys()].filter((seat) => presence(seat) === 'on_duty');

  return {
    connect: (name) => {
      const known = seats.get(name);
      const seat = known ?? { consoles: 0, chosen: 'on_duty' as const, cancelLeaving: null };
      seat.cancelLeaving?.();
      seat.cancelLeaving = null;
      seat.consoles += 1;
      seats.set(name, seat);
      if (known === undefined) nowOrLater(schedule, () => record(name));
      expected.arrived(name);
      return once(() => leave(name, seat));
    },
    dismiss: (name) => {
      const seat = seats.get(name);
      if (seat === undefined || seat.consoles > 0 || isClosed) return;
      seat.cancelLeaving?.();
      seats.delete(name);
      record(name);
    },
    attend: (isMeant = () => true) => {
      const one = (episode: string): boolean => isMeant(episode);
      attending.add(one);
      return () => void attending.delete(one);
    },
    isAttended: (episode) => onDuty().length > 0 || [...attending].some((isMeant) => isMeant(episode)),
    expected,
    set: (name, next) => {
      const seat = seats.get(name);
      if (seat === undefined || seat.chosen === next) return;
      seat.chosen = next;
      record(name);
    },
    onDuty,
    close: () => {
      isClosed = true;
      expected.close();
      for (const { cancelLeaving } of seats.values()) cancelLeaving?.();
    },
    all: () => [...seats.keys()].map((seat) => ({ seat, presence: presence(seat) })),
  };
}

/** A full disk keeps nobody from looking: what it cannot take is written once it has space. */
function nowOrLater(schedule: Schedule, write: () => void): void {
  try {
    write();
  } catch {
    schedule(0, write);
  }
}

// The seats that were on duty when the program last ended. Their consoles find it again within seconds, and until then a
// question waits for them, instead of being told that nobody is there.
type ExpectedSeats = {
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
function createExpectedSeats(
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
