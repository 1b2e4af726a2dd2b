// One client's socket and its environment's: frames cross unchanged, and answers keep the order of the requests.
import { BINARY, LOCAL, RecordKind } from '../linkProtocol.ts';
import {
  dialectOf,
  isLeave,
  mayReset,
  readClientFrame,
  readResetFrame,
  refusedTool,
  stoppedReply,
} from './frames.ts';
import { ABNORMAL_CLOSE, NO_STATUS, type WebSocketMessage, type Wire } from './wire.ts';
import type { Holds } from './holds.ts';
import {
  beginPlay,
  coverOf,
  extrasOf,
  finishPlay,
  keepAction,
  keepRecord,
  type TapPlayer,
  type TapShared,
  UNSET,
  decorate,
} from './control.ts';
import { refusalReply, refuseCall } from './httpDoor.ts';

type Slot = {
  frame: Buffer;
  seq: number;
  episode: string | null;
  /** The id of a person's own call; null for the client's requests. */
  own: string | null;
  /** Ready, but an earlier request is not answered yet. */
  reply: (WebSocketMessage & { flags: number }) | null;
};

type TapLine = CrossingEnds & {
  toClient: Cross;
  toUpstream: Cross;
  /** In the order the client asked, and in the order the environment was asked. */
  asked: Slot[];
  sent: Slot[];
  /** What the client sent while a call of its waits. */
  behind: WebSocketMessage[];
  isHolding: boolean;
  /** Set while a step waits because its key is over its limit. */
  late: NodeJS.Timeout | null;
};

const STEP_KEY = Buffer.from('"step"');

/** Requests that wait behind a held one; a client that floods is read no further. */
const BEHIND_MAX = 64;

export type JoinedClient = {
  key: string;
  /** Cuts a client off that did not answer since the last time. */
  ping(): void;
  close(code: number, reason: string): void;
};

/** Joins both sockets until one of them ends; `left` is called when the client has. */
export function joinLine(ends: CrossingEnds, left: () => void): JoinedClient {
  const { shared, player, client, upstream } = ends;
  const line: TapLine = {
    ...ends,
    toClient: crossing(client, upstream),
    toUpstream: crossing(upstream, client),
    asked: [],
    sent: [],
    behind: [],
    isHolding: false,
    late: null,
  };
  let isThere = true;
  player.sendOwn = (id, frame) => sendOwn(line, id, frame);
  player.cutShort = () => cutShort(line);
  const ended = mirrorClose(ends);
  client.listen({
    message: (message) => {
      if (!line.isHolding) return arrive(line, message);
      line.behind.push(message);
      if (line.behind.length >= BEHIND_MAX) client.pause();
    },
    pong: () => {
      isThere = true;
    },
    closed: (code, reason) => {
      if (line.late !== null) clearTimeout(line.late);
      ended.ofClient(code, reason);
      left();
    },
  });
  upstream.listen({ message: (message) => onAnswer(line, message), closed: ended.ofUpstream });
  return {
    key: player.key.sha256,
    ping: () => {
      if (!isThere) return client.terminate();
      isThere = false;
      client.ping();
    },
    close: (code, reason) => {
      finishPlay(shared, player, { by: 'tap', code, reason });
      client.close(code, reason);
      upstream.close(1000);
    },
  };
}

const slotOf = ({ player }: TapLine, frame: Buffer, seq: number): Slot => ({
  frame,
  seq,
  episode: player.episode,
  own: null,
  reply: null,
});

/** A frame of the client goes on in its turn; one of a key that is over its limit waits, and what comes after it too. */
function arrive(line: TapLine, message: WebSocketMessage): void {
  const delayMs = line.pace();
  if (delayMs === 0) return takeMessage(line, message);
  line.isHolding = true;
  line.late = setTimeout(() => {
    line.late = null;
    line.isHolding = false;
    takeMessage(line, message);
    if (!line.isHolding) releaseBehind(line);
  }, delayMs);
}

function takeMessage(line: TapLine, message: WebSocketMessage): void {
  const { shared, player } = line;
  const { payload, isBinary } = message;
  player.isLeaving = isLeave(payload);
  const reset = !isBinary && mayReset(payload) ? readResetFrame(payload) : null;
  if (reset !== null) {
    const { trainer, scenario, task_idx, frame } = reset;
    beginPlay(shared, player, { trainer, scenario, task_idx });
    player.cover = coverOf(player, reset.secrets);
    return forward(line, frame === payload ? message : { payload: frame, isBinary: false, frame: null });
  }
  if (player.episode === null && player.stopped === null) beginPlay(shared, player, UNSET);
  const { reserved_tools } = shared.rules();
  const isPlain = !player.isArmed && player.stopped === null && reserved_tools === 'pass';
  if (isPlain || isBinary || !isStepIn(line, payload)) forward(line, message);
}

function cross({ pass, send }: Cross, { payload, isBinary, frame }: WebSocketMessage): void {
  if (frame === null) send(payload, isBinary);
  else pass(frame);
}

function forward(line: TapLine, message: WebSocketMessage): void {
  cross(line.toUpstream, message);
  const { payload, isBinary } = message;
  const slot = slotOf(line, payload, 0);
  line.asked.push(slot);
  line.sent.push(slot);
  slot.seq = keepRecord(line.shared, line.player, RecordKind.request, payload, {
    flags: isBinary ? BINARY : 0,
  });
}

/** True if the frame does not simply go on: the episode was stopped, the tool is refused, or the call waits. */
function isStepIn(line: TapLine, frame: Buffer): boolean {
  const { shared, player } = line;
  if (player.stopped !== null && frame.includes(STEP_KEY)) {
    const slot = slotOf(line, frame, 0);
    line.asked.push(slot);
    answerSlot(line, slot, stoppedFor(player, player.stopped, frame));
    return true;
  }
  const tool = refusedTool(frame, shared.rules(), readClientFrame);
  if (tool !== null) {
    const slot = slotOf(line, frame, refuseCall(shared, player, frame, tool, RecordKind.request));
    line.asked.push(slot);
    answerSlot(line, slot, refusalReply('ws', player, tool, null));
    return true;
  }
  return player.isArmed && hold(line, frame);
}

const stoppedFor = (player: TapPlayer, reason: string, frame: Buffer): Buffer =>
  stoppedReply('ws', reason, { extras: extrasOf(player), id: null, frame });

/** Holds a call of the client; its verifying and finishing belong to whoever runs the episode and go on. */
function hold(line: TapLine, frame: Buffer): boolean {
  const call = readClientFrame(frame);
  if (call.type !== 'call' && call.type !== 'action') return false;
  if (call.type === 'call' && (call.tool === 'verify' || call.tool === 'done')) return false;
  const slot = slotOf(line, frame, 0);
  line.asked.push(slot);
  line.isHolding = true;
  line.holds.hold({
    player: line.player,
    channel: 'ws',
    frame,
    call,
    id: null,
    go: (changed, seq) => {
      slot.seq = seq;
      line.toUpstream.send(changed, false);
      line.sent.push(slot);
      releaseBehind(line);
    },
    answer: (reply, seq) => {
      slot.seq = seq;
      answerSlot(line, slot, reply);
      releaseBehind(line);
    },
  });
  return true;
}

/** The call is decided: what its client sent meanwhile goes on. */
function releaseBehind(line: TapLine): void {
  const { client, upstream, behind } = line;
  line.isHolding = false;
  for (let next = behind.shift(); next !== undefined; next = line.isHolding ? undefined : behind.shift()) {
    arrive(line, next);
  }
  if (client.isPaused() && behind.length === 0 && upstream.unsent() < CROSSING_UNSENT_MAX) client.resume();
}

function answerSlot(line: TapLine, slot: Slot, bytes: Buffer): void {
  slot.reply = { payload: bytes, isBinary: false, frame: null, flags: LOCAL };
  drain(line);
}

/** A frame of the environment: the answer to the oldest request it has. */
function onAnswer(line: TapLine, message: WebSocketMessage): void {
  const { shared, player } = line;
  const { payload: bytes, isBinary } = message;
  const slot = line.sent.shift();
  if (slot === undefined) {
    keepRecord(shared, player, RecordKind.unasked, bytes);
    shared.outbox.secure();
    return cross(line.toClient, message);
  }
  if (slot.own !== null) {
    const request = Buffer.from(slot.own);
    keepRecord(shared, player, RecordKind.ownReply, bytes, { ref: slot.seq, request });
    return shared.outbox.flush();
  }
  // Answered as stopped meanwhile: nobody waits for this any more.
  if (slot.reply !== null || slot !== line.asked.find(({ reply }) => reply === null)) return;
  player.dialect = dialectOf(bytes) ?? player.dialect;
  slot.reply = { ...message, flags: isBinary ? BINARY : 0 };
  drain(line);
}

/** Sends what is ready, in the order it was asked for. */
function drain(line: TapLine): void {
  const { asked, shared, player, toClient } = line;
  for (let first = asked[0]; first !== undefined && first.reply !== null; first = asked[0]) {
    asked.shift();
    const { payload: bytes, isBinary, flags } = first.reply;
    const isPlain = (flags & LOCAL) !== 0 || (player.notes.length === 0 && player.touched.length === 0);
    if (first.episode !== null && first.episode === player.episode) {
      keepRecord(shared, player, RecordKind.reply, bytes, { ref: first.seq, flags, request: first.frame });
    }
    const decorated = isPlain ? null : decorate(shared, player, 'ws', first, bytes);
    // Nobody outside has heard what could not be said again after a kill.
    shared.outbox.secure();
    if (decorated === null) cross(toClient, first.reply);
    else toClient.send(decorated, isBinary);
  }
}

function sendOwn(line: TapLine, id: string, frame: Buffer): void {
  const { shared, player, upstream } = line;
  if (!upstream.isOpen()) {
    return keepAction(shared, player, 0, { did: 'own_failed', id, reason: 'the environment is gone' });
  }
  line.sent.push({ ...slotOf(line, frame, 0), own: id });
  line.toUpstream.send(frame, false);
}

/** A person stopped the episode: what is under way is answered so now. */
function cutShort(line: TapLine): void {
  const { holds, player } = line;
  holds.drop(player);
  for (const slot of line.asked.filter(({ reply, frame }) => reply === null && frame.includes(STEP_KEY))) {
    answerSlot(line, slot, stoppedFor(player, player.stopped ?? '', slot.frame));
  }
}

type CrossingEnds = {
  shared: TapShared;
  holds: Holds;
  player: TapPlayer;
  client: Wire;
  upstream: Wire;
  /** How long the client's next step has to wait, in ms. */
  pace: () => number;
};

/** While this much waits for one side to read it, the other side is not read. */
const CROSSING_UNSENT_MAX = 8 << 20;

type Cross = {
  pass: (frame: Buffer) => void;
  /** A message of our own, or one that came in pieces. */
  send: (payload: Buffer, isBinary: boolean) => void;
};

/** Sends across, and stops reading from the other side while this one does not keep up. */
function crossing(to: Wire, from: Wire): Cross {
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
function mirrorClose({ shared, holds, player, client, upstream }: CrossingEnds) {
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
