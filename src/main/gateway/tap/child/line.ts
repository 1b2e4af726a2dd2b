// Owns: one client's socket and its environment's: frames go across as they came, answers in the order of the requests.
// The way without a person is short: send, then copy for the record.
import type WebSocket from 'ws';
import type { RawData } from 'ws';
import { BINARY, LOCAL, RecordKind } from '../link.ts';
import {
  dialectOf,
  mayReset,
  ownReply,
  readClientFrame,
  readReset,
  refusedTool,
  stoppedReply,
} from './frames.ts';
import type { Holds } from './holds.ts';
import { begin, extrasOf, finish, keep, keepDeed, UNSET, type Player, type Shared } from './player.ts';
import { decorate } from './decorate.ts';

/** A request that was not answered yet. */
type Slot = {
  frame: Buffer;
  seq: number;
  episode: string | null;
  /** The id of a person's own call; null for the client's requests. */
  own: string | null;
  /** Ready, but an earlier request is not answered yet. */
  reply: { bytes: Buffer; isBinary: boolean; flags: number } | null;
};

/** While this much waits for one side to read it, the other side is not read. */
const UNSENT_MAX = 8 << 20;
const SESSION_FRAME = Buffer.from('"step"');

/** Requests that wait behind a held one; a client that floods is read no further. */
const BEHIND_MAX = 64;

export function joinLine(
  shared: Shared,
  holds: Holds,
  player: Player,
  client: WebSocket,
  upstream: WebSocket,
): { close: (code: number, reason: string) => void } {
  /** In the order the client asked, and in the order the environment was asked. */
  const asked: Slot[] = [];
  const sent: Slot[] = [];
  const behind: { frame: Buffer; isBinary: boolean }[] = [];
  let isHolding = false;

  const toClient = crossing(client, upstream);
  const toUpstream = crossing(upstream, client);

  const drain = (): void => {
    for (let first = asked[0]; first?.reply !== null && first !== undefined; first = asked[0]) {
      asked.shift();
      const { bytes, isBinary, flags } = first.reply;
      const isPlain = (flags & LOCAL) !== 0 || (player.notes.length === 0 && player.touched.length === 0);
      if (isPlain) toClient(bytes, isBinary);
      if (first.episode !== null && first.episode === player.episode) {
        keep(shared, player, RecordKind.reply, bytes, { ref: first.seq, flags, request: first.frame });
      }
      if (!isPlain) toClient(decorate(shared, player, 'ws', first, bytes), isBinary);
    }
  };
  const slotOf = (frame: Buffer, seq: number): Slot => ({
    frame,
    seq,
    episode: player.episode,
    own: null,
    reply: null,
  });
  const answer = (slot: Slot, bytes: Buffer): void => {
    slot.reply = { bytes, isBinary: false, flags: LOCAL };
    drain();
  };
  const goOn = (): void => {
    isHolding = false;
    while (!isHolding) {
      const next = behind.shift();
      if (next === undefined) break;
      take(next.frame, next.isBinary);
    }
    if (client.isPaused && behind.length === 0 && upstream.bufferedAmount < UNSENT_MAX) client.resume();
  };
  const forward = (frame: Buffer, isBinary: boolean): void => {
    toUpstream(frame, isBinary);
    const slot = slotOf(frame, 0);
    asked.push(slot);
    sent.push(slot);
    slot.seq = keep(shared, player, RecordKind.request, frame, { flags: isBinary ? BINARY : 0 });
  };
  const stepIn = (frame: Buffer): boolean => {
    if (player.stopped !== null && frame.includes(SESSION_FRAME)) {
      const slot = slotOf(frame, 0);
      asked.push(slot);
      answer(slot, stoppedReply('ws', player.stopped, extrasOf(player), null));
      return true;
    }
    const tool = refusedTool(frame, shared.rules(), readClientFrame);
    if (tool !== null) {
      const slot = slotOf(frame, refuse(shared, player, frame, tool, RecordKind.request));
      asked.push(slot);
      answer(slot, refusal('ws', player, tool, null));
      return true;
    }
    if (!player.isArmed) return false;
    const call = readClientFrame(frame);
    if (call.type !== 'call' || call.tool === 'verify' || call.tool === 'done') return false;
    const slot = slotOf(frame, 0);
    asked.push(slot);
    isHolding = true;
    holds.hold({
      player,
      channel: 'ws',
      frame,
      call,
      id: null,
      go: (changed, seq) => {
        slot.seq = seq;
        toUpstream(changed, false);
        sent.push(slot);
        goOn();
      },
      answer: (reply, seq) => {
        slot.seq = seq;
        answer(slot, reply);
        goOn();
      },
    });
    return true;
  };
  const take = (frame: Buffer, isBinary: boolean): void => {
    const reset = !isBinary && mayReset(frame) ? readReset(frame) : null;
    if (reset !== null) {
      const { trainer, scenario, task_idx } = reset;
      begin(shared, player, { trainer, scenario, task_idx });
      player.secrets = reset.secrets;
      return forward(reset.frame, false);
    }
    if (player.episode === null && player.stopped === null) begin(shared, player, UNSET);
    const { reserved_tools } = shared.rules();
    const isPlain = !player.isArmed && player.stopped === null && reserved_tools === 'pass';
    if (isPlain || isBinary || !stepIn(frame)) forward(frame, isBinary);
  };

  client.on('message', (data: RawData, isBinary: boolean) => {
    const frame = data as Buffer;
    if (!isHolding) return take(frame, isBinary);
    behind.push({ frame, isBinary });
    if (behind.length >= BEHIND_MAX) client.pause();
  });
  upstream.on('message', (data: RawData, isBinary: boolean) => {
    const bytes = data as Buffer;
    const slot = sent.shift();
    if (slot === undefined) {
      toClient(bytes, isBinary);
      keep(shared, player, RecordKind.unasked, bytes);
      return;
    }
    if (slot.own !== null) {
      const request = Buffer.from(slot.own);
      keep(shared, player, RecordKind.ownReply, bytes, { ref: slot.seq, request });
      return shared.outbox.flush();
    }
    if (slot.reply !== null || !asked.includes(slot)) return;
    player.dialect = dialectOf(bytes) ?? player.dialect;
    slot.reply = { bytes, isBinary, flags: isBinary ? BINARY : 0 };
    drain();
  });

  player.sendOwn = (id, frame) => {
    if (upstream.readyState !== upstream.OPEN) {
      return keepDeed(shared, player, 0, { did: 'own_failed', id, reason: 'the environment is gone' });
    }
    sent.push({ ...slotOf(frame, 0), own: id });
    toUpstream(frame, false);
  };
  player.cutShort = () => {
    holds.drop(player);
    for (const slot of [...asked]) {
      if (slot.reply === null && slot.frame.includes(SESSION_FRAME)) {
        answer(slot, stoppedReply('ws', player.stopped ?? '', extrasOf(player), null));
      }
    }
  };
  mirrorClose(shared, holds, player, client, upstream);
  return {
    close: (code, reason) => {
      finish(shared, player, { by: 'tap', code, reason });
      client.close(code, reason);
      upstream.close(1000);
    },
  };
}

/** Records that a host's tool was called and refused. Returns the request's number. */
export function refuse(
  shared: Shared,
  player: Player,
  frame: Buffer,
  tool: string,
  kind: typeof RecordKind.request | typeof RecordKind.rpcRequest,
): number {
  const seq = keep(shared, player, kind, frame, { flags: 1 });
  keepDeed(shared, player, seq, { did: 'refused', tool, text: refusalText(tool) });
  return seq;
}

const refusalText = (tool: string): string =>
  `${tool} is not for clients of this tap: it belongs to whoever runs the episode.`;

export const refusal = (channel: 'ws' | 'rpc', player: Player, tool: string, id: unknown): Buffer =>
  ownReply(channel, player.dialect, {
    tool,
    text: refusalText(tool),
    isError: true,
    extras: extrasOf({ ...player, notes: [] }),
    id,
  });

/** Sends across, and stops reading from the other side while this one does not keep up. */
function crossing(to: WebSocket, from: WebSocket): (bytes: Buffer, isBinary: boolean) => void {
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
function mirrorClose(
  shared: Shared,
  holds: Holds,
  player: Player,
  client: WebSocket,
  upstream: WebSocket,
): void {
  const end = (by: 'client' | 'environment') => (code: number, reason: Buffer) => {
    const other = by === 'client' ? upstream : client;
    player.sendOwn = null;
    player.cutShort = null;
    holds.forget(player);
    finish(shared, player, { by, code, reason: reason.toString('utf8') });
    closeLike(other, code, reason);
  };
  client.on('close', end('client'));
  upstream.on('close', end('environment'));
}

const NO_STATUS = 1005;
const ABNORMAL = 1006;

function closeLike(socket: WebSocket, code: number, reason: Buffer): void {
  if (socket.readyState !== socket.OPEN) return;
  // A side that was cut off is mirrored as cut off, once what was on its way has left.
  if (socket.isPaused) socket.resume();
  if (code === NO_STATUS) return socket.close();
  if (code === ABNORMAL || code === 1015) return socket.terminate();
  socket.close(code, reason);
}
