// Who stands at which door of the gateway: open requests, clients seen since the start, when the last one came.
import type { Door } from '../../shared/contract/gateway.ts';

type DoorLine = { door: Door; open: number; seen: number; last_at: number | null };
export type DoorWatch = {
  /** A client came in; returns what to call when it leaves. */
  enter(door: Door, client: string): () => void;
  lines(): DoorLine[];
};

/** Clients told apart; beyond these a new one counts without being remembered. */
const CLIENTS_MAX = 10_000;

export function createDoorWatch(doors: readonly Door[], clock: () => number, changed: () => void): DoorWatch {
  const lines = new Map<Door, DoorLine>(
    doors.map((door) => [door, { door, open: 0, seen: 0, last_at: null }]),
  );
  const clients = new Set<string>();
  return {
    enter: (door, client) => {
      const line = lines.get(door);
      if (line === undefined) return () => undefined;
      const known = `${door} ${client}`;
      if (!clients.has(known)) line.seen += 1;
      if (clients.size < CLIENTS_MAX) clients.add(known);
      line.open += 1;
      line.last_at = clock();
      changed();
      let isIn = true;
      return () => {
        if (!isIn) return;
        isIn = false;
        line.open -= 1;
        changed();
      };
    },
    lines: () => [...lines.values()].map((line) => ({ ...line })),
  };
}
