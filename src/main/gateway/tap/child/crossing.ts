// Owns: getting bytes from one socket to another at the pace of the slower one, and that one's end is the other's.
import type WebSocket from 'ws';
import type { Holds } from './holds.ts';
import { finish, type Player, type Shared } from './player.ts';

/** A client and its environment. */
export type Ends = { shared: Shared; holds: Holds; player: Player; client: WebSocket; upstream: WebSocket };

/** While this much waits for one side to read it, the other side is not read. */
export const UNSENT_MAX = 8 << 20;

/** Sends across, and stops reading from the other side while this one does not keep up. */
export function crossing(to: WebSocket, from: WebSocket): (bytes: Buffer, isBinary: boolean) => void {
  return (bytes, isBinary) => {
    if (to.readyState !== to.OPEN) return;
    if (to.bufferedAmount <= UNSENT_MAX) return to.send(bytes, { binary: isBinary });
    from.pause();
    to.send(bytes, { binary: isBinary }, () => {
      if (to.bufferedAmount < UNSENT_MAX / 2 && from.readyState === from.OPEN) from.resume();
    });
  };
}

/** One side's end is the other's, with the same code. */
export function mirrorClose({ shared, holds, player, client, upstream }: Ends): void {
  const end = (by: 'client' | 'environment') => (code: number, reason: Buffer) => {
    player.sendOwn = null;
    player.cutShort = null;
    holds.forget(player);
    finish(shared, player, { by, code, reason: reason.toString('utf8') });
    closeLike(by === 'client' ? upstream : client, code, reason);
  };
  client.on('close', end('client'));
  upstream.on('close', end('environment'));
}

const NO_STATUS = 1005;
const ABNORMAL = 1006;
const NO_TLS = 1015;

function closeLike(socket: WebSocket, code: number, reason: Buffer): void {
  if (socket.readyState !== socket.OPEN) return;
  if (socket.isPaused) socket.resume();
  if (code === NO_STATUS) return socket.close();
  // A side that was cut off is mirrored as cut off: these codes are never on the wire.
  if (code === ABNORMAL || code === NO_TLS) return socket.terminate();
  socket.close(code, reason);
}
