// The line that `public/early.js` opened while the console's scripts were still on their way: what was asked over it is
// not asked again.
import { canonical } from '../../shared/canonical.ts';
import type { ToMain } from '../../shared/contract/envelope.ts';

export type EarlyLine = {
  origin: string;
  entry: string;
  seat: string;
  socket: WebSocket;
  /** Sent as soon as the line opens, under ids that no other message has. */
  asked: readonly ToMain[];
  /** What came so far; from then on the caller listens. */
  take: () => readonly unknown[];
};

const NAME = 'interjectEarly';

/** The line for this entry and seat, once; null where there is none that may still open. */
export function takeEarlyLine(
  scope: object,
  { origin, entry, seat }: Pick<EarlyLine, 'origin' | 'entry' | 'seat'>,
): EarlyLine | null {
  const found: unknown = Reflect.get(scope, NAME);
  Reflect.deleteProperty(scope, NAME);
  if (typeof found !== 'object' || found === null) return null;
  // The page's own script wrote it.
  const early = found as EarlyLine;
  const isOurs = early.origin === origin && early.entry === entry && early.seat === seat;
  if (isOurs && early.socket.readyState <= WebSocket.OPEN) return early;
  early.socket.close();
  return null;
}

type FirstLine = {
  /** The line to begin with; null where one has to be opened. */
  socket: () => WebSocket | null;
  /** Whether this was asked already: its answer comes under the id it had then. */
  hasAsked: (message: ToMain) => boolean;
  /** The message under the id that the server knows. */
  written: (message: ToMain) => ToMain;
  /** The id that we gave what the server answers to. */
  ours: (id: number) => number;
  /** What came before the line was taken over. */
  frames: () => readonly unknown[];
  /** The line is gone: the next one knows nothing of it. */
  end: () => void;
};

export function createFirstLine(early: EarlyLine | null): FirstLine {
  let line = early;
  const open = new Map((early?.asked ?? []).map(({ id, ...rest }) => [canonical(rest), id]));
  const oursBy = new Map<number, number>();
  return {
    socket: () => line?.socket ?? null,
    hasAsked: ({ id, ...rest }) => {
      const key = canonical(rest);
      const theirs = open.get(key);
      if (theirs === undefined) return false;
      open.delete(key);
      oursBy.set(theirs, id);
      return true;
    },
    written: (message) => {
      const [theirs] = [...oursBy].find(([, ours]) => ours === message.id) ?? [message.id];
      return { ...message, id: theirs };
    },
    ours: (id) => oursBy.get(id) ?? id,
    frames: () => {
      const kept = line?.take() ?? [];
      line = null;
      return kept;
    },
    end: () => {
      line = null;
      open.clear();
      oursBy.clear();
    },
  };
}
