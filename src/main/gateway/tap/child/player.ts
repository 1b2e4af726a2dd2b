// One client as the tap sees it: its key, the episode it plays, what main wants to know or to say about that. A
// socket is a player, and so is a session opened over HTTP until its socket joins it.
import {
  type Began,
  type TapAction,
  type EndedPlay,
  RecordKind,
  type TapLinkKey,
  type TapRules,
} from '../linkProtocol.ts';
import { createCover, type Cover } from '../../../../shared/redact/cover.ts';
import { recordedFrame, type EnvironmentDialect, type Extras } from './frames.ts';
import { upstreamSecrets } from './upstream.ts';
import type { Outbox } from './outbox.ts';

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
  /** The client has said that it leaves. */
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

/** Ends the episode, if there is one. */
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

/** Keeps what the tap itself did. */
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
