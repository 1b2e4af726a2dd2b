// The link to main: what main tells is done at once, what is recorded goes out in batches. Main may be gone at any
// time and come back as another process; nothing here waits for it.
import type WebSocket from 'ws';
import type { RawData } from 'ws';
import { PROTOCOL, type FromTap, type TapLinkKey, type TapRules, type ToTap } from '../linkProtocol.ts';
import type { Holds } from './holds.ts';
import type { Outbox } from './outbox.ts';
import { addTouched, finishPlay, type TapPlayer, type TapShared } from './player.ts';

export type TapControl = {
  keys(): ReadonlyMap<string, TapLinkKey>;
  /** Names of keys that open other doors, by digest. */
  strangers(): ReadonlyMap<string, string>;
  rules(): TapRules;
  isAttached(): boolean;
  /** Whether new clients of this environment are refused, as main is about to close. */
  isClosing: (environment: string) => boolean;
  /** Tells main, where there is one, that a key of this name came up against its limits. */
  limited(key: string): void;
  /** Another main takes over from the one before. */
  attach(socket: WebSocket): void;
  close(): void;
};

/** Until main has said otherwise, the tap only passes on. */
const QUIET: TapRules = {
  may_act: false,
  on_touch: 'mark',
  reserved_tools: 'pass',
  note_in_result: false,
};
const STATUS_MS = 250;

type TapControlDependencies = {
  run: string;
  port: () => number;
  outbox: Outbox;
  shared: () => TapShared;
  holds: () => Holds;
  sockets: () => number;
  /** Keys are not what they were. */
  rekeyed: (keys: ReadonlyMap<string, TapLinkKey>) => void;
  /** Main wants this process to end. */
  quit: () => void;
};

export function createControl(parts: TapControlDependencies): TapControl {
  const { outbox } = parts;
  let known: Known = { keys: new Map(), strangers: new Map(), rules: QUIET };
  let closing: ClosingNotice | null = null;
  let main: WebSocket | null = null;
  let told = '';

  const tell = (message: FromTap): void => main?.send(JSON.stringify(message));
  const status = (): void => {
    const text = JSON.stringify(statusOf(parts));
    if (text !== told) main?.send(text);
    told = text;
  };
  const ticking = setInterval(status, STATUS_MS).unref();
  const hear = (message: ToTap): void => {
    if (message.type === 'ping') {
      // What was seen until now goes before the answer.
      outbox.flush();
      return tell({ type: 'pong', id: message.id, seq: outbox.lastSeq() });
    }
    if (message.type === 'closing') return void (closing = message);
    if (message.type !== 'config') return obey(parts, message);
    known = knownFrom(message);
    parts.rekeyed(known.keys);
  };
  return {
    keys: () => known.keys,
    strangers: () => known.strangers,
    rules: () => known.rules,
    isAttached: () => main !== null,
    isClosing: (environment) => closing?.environments?.includes(environment) ?? closing !== null,
    limited: (key) => tell({ type: 'limited', key }),
    attach: (socket) => {
      main?.close(1000, 'another main took over');
      main = socket;
      closing = null;
      told = '';
      socket.on('message', (data: RawData) => hear(JSON.parse((data as Buffer).toString('utf8')) as ToTap));
      socket.on('close', () => {
        if (main !== socket) return;
        main = null;
        closing = null;
        outbox.detach();
      });
      tell(helloOf(parts));
      outbox.attach((batch) => socket.send(batch));
      status();
    },
    close: () => {
      clearInterval(ticking);
      tell({ type: 'bye' });
      main?.close(1000);
    },
  };
}

type Known = {
  keys: ReadonlyMap<string, TapLinkKey>;
  strangers: ReadonlyMap<string, string>;
  rules: TapRules;
};

const knownFrom = ({ keys, strangers, rules }: Extract<ToTap, { type: 'config' }>): Known => ({
  keys: new Map(keys.map((key) => [key.sha256, key])),
  strangers: new Map(strangers.map(({ sha256, name }) => [sha256, name])),
  rules,
});

type ClosingNotice = Extract<ToTap, { type: 'closing' }>;
const statusOf = ({ sockets, outbox }: TapControlDependencies): FromTap => ({
  type: 'status',
  sockets: sockets(),
  backlog: outbox.backlog(),
  lost: outbox.lost(),
});

const helloOf = ({ run, port, outbox, shared, holds }: TapControlDependencies): FromTap => ({
  type: 'hello',
  protocol: PROTOCOL,
  run,
  seq: outbox.lastSeq(),
  port: port(),
  live: [...shared().playing.keys()],
  asks: holds().open(),
});

function obey(
  parts: TapControlDependencies,
  message: Exclude<ToTap, { type: 'config' | 'ping' | 'closing' }>,
): void {
  switch (message.type) {
    case 'ack':
      return parts.outbox.acknowledge(message.seq);
    case 'verdict':
      return parts.holds().decide(message.ask, message.verdict);
    case 'quit':
      return parts.quit();
    default: {
      const player = parts.shared().playing.get(message.episode);
      if (player !== undefined) handleEpisodeMessage(parts, player, message);
    }
  }
}

type EpisodeMessage = Extract<ToTap, { episode: string }>;

function handleEpisodeMessage(
  parts: TapControlDependencies,
  player: TapPlayer,
  message: EpisodeMessage,
): void {
  switch (message.type) {
    case 'arm':
      player.isArmed = message.is_armed;
      addTouched(player, message.touched);
      return;
    case 'note':
      if (player.known.has(message.note)) return;
      player.known.add(message.note);
      player.notes.push({ note: message.note, text: message.text });
      return;
    case 'own':
      return player.sendOwn?.(message.id, Buffer.from(player.cover.reveal(message.frame)));
    case 'stop':
      player.stopped = message.reason;
      player.cutShort?.();
      parts.holds().drop(player);
      finishPlay(parts.shared(), player, { by: 'person', code: null, reason: message.reason });
      return;
    default:
      message satisfies never;
  }
}
