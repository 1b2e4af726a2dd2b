// The link to main: what main tells is done at once, what is recorded goes out in batches. Main may be gone at any
// time and come back as another process; nothing here waits for it.
import { parseJson } from '../../../../shared/json.ts';
import type WebSocket from 'ws';
import type { RawData } from 'ws';
import { type Cover, createCover } from '../../../../shared/redact/cover.ts';
import {
  type Began,
  type EndedPlay,
  type FromTap,
  PROTOCOL,
  RecordKind,
  type TapAction,
  type TapLinkKey,
  type TapRules,
  type ToTap,
} from '../linkProtocol.ts';
import {
  type Channel,
  type EnvironmentDialect,
  type Extras,
  recordedFrame,
  stoppedReply,
  withExtras,
  withWordsInResult,
} from './frames.ts';
import type { Holds } from './holds.ts';
import type { Outbox } from './outbox.ts';
import { upstreamSecrets } from './upstream.ts';

export type TapControl = {
  keys(): ReadonlyMap<string, TapLinkKey>;
  /** Names of keys that open other doors, by digest. */
  strangers(): ReadonlyMap<string, string>;
  rules(): TapRules;
  isAttached(): boolean;
  /** Whether new clients of this environment are refused, as main is about to close. */
  isClosing: (environment: string) => boolean;
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
  let closing: Extract<ToTap, { type: 'closing' }> | null = null;
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
    known = {
      keys: new Map(message.keys.map((key) => [key.sha256, key])),
      strangers: new Map(message.strangers.map(({ sha256, name }) => [sha256, name])),
      rules: message.rules,
    };
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
      socket.on('message', (data: RawData) => hear(parseJson((data as Buffer).toString('utf8')) as ToTap));
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

function handleEpisodeMessage(
  parts: TapControlDependencies,
  player: TapPlayer,
  message: Extract<ToTap, { episode: string }>,
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

// One client as the tap sees it: its key, the episode it plays, what main wants to know or to say about that. A
// socket is a player, and so is a session opened over HTTP until its socket joins it.
export type TapShared = {
  outbox: Outbox;
  rules: () => TapRules;
  clock: () => number;
  newId: () => string;
  /** Players by the episode they play now. */
  playing: Map<string, TapPlayer>;
};

export type TapPlayer = {
  key: TapLinkKey;
  /** What it calls its rollout behind its key. */
  rollout: string | null;
  userAgent: string | null;
  /** Null before the first frame, and after a person stopped the episode until the next reset. */
  episode: string | null;
  isLeaving: boolean;
  /** Main decides about this episode's calls. */
  isArmed: boolean;
  /** Set once a person stopped the episode: what its steps are answered. */
  stopped: string | null;
  touched: number[];
  notes: { note: string; text: string }[];
  /** Notes that came already, so that a new main does not bring them twice. */
  known: Set<string>;
  /** Covers secrets in the record: of the environment's address, and those that the client or the environment says. */
  cover: Cover;
  dialect: EnvironmentDialect;
  /** Sends a frame of a person's between the client's own; null while there is no socket. */
  sendOwn: ((id: string, frame: Buffer) => void) | null;
  /** Answers what is under way as stopped. */
  cutShort: (() => void) | null;
};

export const newPlayer = (
  { key, rollout }: Pick<TapPlayer, 'key' | 'rollout'>,
  userAgent: string | null,
): TapPlayer => ({
  key,
  rollout,
  userAgent,
  episode: null,
  isLeaving: false,
  isArmed: false,
  stopped: null,
  touched: [],
  notes: [],
  known: new Set(),
  cover: createCover([]),
  dialect: 'generic',
  sendOwn: null,
  cutShort: null,
});

type Beginning = Pick<Began, 'trainer' | 'scenario' | 'task_idx'>;
/** An episode of a client that has not reset yet. */
export const UNSET: Beginning = { trainer: {}, scenario: null, task_idx: null };

/** Begins an episode; the one before it ends with this. */
export function beginPlay(shared: TapShared, player: TapPlayer, reset: Beginning): void {
  const { outbox, clock, rules } = shared;
  finishPlay(shared, player, { by: 'reset', code: null, reason: 'the client began another episode' });
  const episode = shared.newId();
  Object.assign(player, { episode, isArmed: false, stopped: null, touched: [], notes: [] });
  player.cover = coverOf(player, []);
  shared.playing.set(episode, player);
  const { may_act, on_touch } = rules();
  const { hold_limit_ms, hold_fallback } = player.key;
  const began: Began = {
    key: player.key.name,
    key_id: player.key.id,
    environment: player.key.environment,
    user_agent: player.userAgent,
    ...reset,
    // What the reset says itself counts before the name behind the key.
    trainer: { ...(player.rollout === null ? {} : { interject_episode: player.rollout }), ...reset.trainer },
    may_act,
    on_touch,
    hold_limit_ms,
    hold_fallback,
  };
  outbox.add(RecordKind.began, { episode, at: clock() }, Buffer.from(JSON.stringify(began)));
}

/** Covers these secrets of a reset, and those of the environment's address. */
export const coverOf = ({ key }: TapPlayer, secrets: readonly string[]): Cover =>
  createCover([...secrets, ...upstreamSecrets(key)]);

export function finishPlay({ outbox, clock, playing }: TapShared, player: TapPlayer, ended: EndedPlay): void {
  const { episode } = player;
  if (episode === null) return;
  player.episode = null;
  player.isArmed = false;
  playing.delete(episode);
  outbox.add(RecordKind.ended, { episode, at: clock() }, Buffer.from(JSON.stringify(ended)));
}

/** Keeps a frame of the player's episode. Returns the record's number, 0 when no episode is recorded. */
export function keepRecord(
  { outbox, clock }: TapShared,
  { episode, cover }: TapPlayer,
  kind: RecordKind,
  frame: Buffer,
  {
    ref = 0,
    flags = 0,
    request = null,
    at = clock(),
  }: { ref?: number; flags?: number; request?: Buffer | null; at?: number } = {},
): number {
  if (episode === null) return 0;
  const clean = recordedFrame(frame, cover);
  const lead = request === null ? null : recordedFrame(request, cover);
  return outbox.add(kind, { episode, at, ref, flags }, clean, lead);
}

export function keepAction(
  { outbox, clock }: TapShared,
  { episode }: TapPlayer,
  ref: number,
  action: TapAction,
): void {
  if (episode === null) return;
  outbox.add(RecordKind.tapAction, { episode, at: clock(), ref }, Buffer.from(JSON.stringify(action)));
}

/** Turns that a person changed stay so: news of main may have been under way when another turn was changed. */
export function addTouched(player: TapPlayer, turns: readonly number[]): void {
  player.touched = [...new Set([...player.touched, ...turns])].toSorted((a, b) => a - b);
}

export const extrasOf = ({ touched, notes }: TapPlayer): Extras => ({
  ...(notes.length === 0 ? {} : { notes: notes.map(({ text }) => text) }),
  ...(touched.length === 0 ? {} : { touched_turns: touched }),
});

const statusOf = ({ sockets, outbox }: TapControlDependencies): FromTap => ({
  type: 'status',
  sockets: sockets(),
  backlog: outbox.backlog(),
  lost: outbox.lost(),
});

// Adds to an answer on its way to the client: notes, and the turns a person changed. Nothing is added while there is
// nothing to say, and `reward` and `done` are never touched.
const OBSERVATION_KEY = Buffer.from('"observation"');

export function decorate(
  shared: TapShared,
  player: TapPlayer,
  channel: Channel,
  { seq, episode }: { seq: number; episode: string | null },
  bytes: Buffer,
): Buffer {
  if (player.notes.length === 0 && player.touched.length === 0) return bytes;
  if (episode === null || episode !== player.episode) return bytes;
  if (channel === 'ws' && !bytes.includes(OBSERVATION_KEY)) return bytes;
  const decorated = withExtras(bytes, channel, extrasOf(player));
  if (decorated === null || player.notes.length === 0) return decorated ?? bytes;
  return withNotes(shared, player, channel, seq, decorated);
}

function withNotes(
  shared: TapShared,
  player: TapPlayer,
  channel: Channel,
  seq: number,
  decorated: Buffer,
): Buffer {
  const { note_in_result, on_touch } = shared.rules();
  const words = player.notes.map(({ text }) => `[A person notes] ${text}`).join('\n');
  const inResult = note_in_result ? withWordsInResult(decorated, channel, words) : null;
  const notes = player.notes.map(({ note }) => note);
  keepAction(shared, player, seq, { did: 'noted', notes, in_result: inResult !== null });
  player.notes = [];
  if (inResult === null) return decorated;
  if (on_touch === 'mark') return inResult;
  const reason = 'A person stepped in; this episode is not to be learnt from.';
  player.stopped = reason;
  finishPlay(shared, player, { by: 'person', code: null, reason: 'discarded: a person changed it' });
  return stoppedReply(channel, reason, { extras: extrasOf(player), id: null, frame: decorated });
}
