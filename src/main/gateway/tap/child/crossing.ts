// Getting bytes from one socket to another at the pace of the slower one, and that one's end is the other's.
import type { Holds } from './holds.ts';
import { finishPlay, type TapPlayer, type TapShared } from './player.ts';
import { ABNORMAL_CLOSE, NO_STATUS, type Wire } from './wire.ts';

/** A client and its environment. */
export type CrossingEnds = {
  shared: TapShared;
  holds: Holds;
  player: TapPlayer;
  client: Wire;
  upstream: Wire;
  /** How long the client's next step has to wait, in ms. */
  pace: () => number;
};

/** While this much waits for one side to read it, the other side is not read. */
export const CROSSING_UNSENT_MAX = 8 << 20;

export type Cross = {
  /** A frame as it came. */
  pass: (frame: Buffer) => void;
  /** A message of our own, or one that came in pieces. */
  send: (payload: Buffer, isBinary: boolean) => void;
};

/** Sends across, and stops reading from the other side while this one does not keep up. */
export function crossing(to: Wire, from: Wire): Cross {
  const readOn = (): void => {
    if (to.unsent() < CROSSING_UNSENT_MAX / 2 && from.isOpen()) from.resume();
  };
  const sent = (): (() => void) | undefined => {
    if (to.unsent() <= CROSSING_UNSENT_MAX) return undefined;
    from.pause();
    return readOn;
  };
  return {
    pass: (frame) => to.pass(frame, sent()),
    send: (payload, isBinary) => to.send(payload, isBinary, sent()),
  };
}

/** One side's end is the other's, with the same code: what to do when the one or the other has ended. */
export function mirrorClose({ shared, holds, player, client, upstream }: CrossingEnds) {
  const end = (side: 'client' | 'environment') => (code: number, reason: string) => {
    // An environment that closes in order because it was asked to has done what the client wanted.
    const by = player.isLeaving && code === NORMAL_CLOSE ? 'client' : side;
    player.sendOwn = null;
    player.cutShort = null;
    holds.forget(player);
    finishPlay(shared, player, { by, code, reason });
    closeLike(side === 'client' ? upstream : client, code, reason);
  };
  return { ofClient: end('client'), ofUpstream: end('environment') };
}

const NORMAL_CLOSE = 1000;
const NO_TLS = 1015;

function closeLike(wire: Wire, code: number, reason: string): void {
  if (!wire.isOpen()) return;
  if (code === NO_STATUS) return wire.close();
  // A side that was cut off is mirrored as cut off: these codes are never on the wire.
  if (code === ABNORMAL_CLOSE || code === NO_TLS) return wire.terminate();
  wire.close(code, reason);
}
