// Requests that wait for a person: main's word decides each; without one it is refused before the client gives up, or
// goes on where the owner of its key chose that.
import { startTimer } from '../../../../shared/longTimer.ts';
import { HELD_FLAG, type HeldVerdict, type OpenHold, RecordKind } from '../linkProtocol.ts';
import { type Channel, editedFrame, ownReply, type ParsedFrame, stoppedReply } from './frames.ts';
import {
  addTouched,
  extrasOf,
  finishPlay,
  keepAction,
  keepRecord,
  type TapPlayer,
  type TapShared,
} from './control.ts';

type Request = {
  player: TapPlayer;
  channel: Channel;
  frame: Buffer;
  call: Extract<ParsedFrame, { type: 'call' | 'action' }>;
  id: unknown;
  /** To the environment; `seq` is the record it goes under. */
  go: (frame: Buffer, seq: number) => void;
  /** To the client, in its turn. */
  answer: (reply: Buffer, seq: number) => void;
};

export type Holds = {
  /** Returns the number that it waits under. */
  hold(request: Request): number;
  decide(ask: number, verdict: HeldVerdict): void;
  /** Answers what this player has waiting as stopped. */
  drop(player: TapPlayer): void;
  /** The client has left the request: it never goes on. Whether it still waited. */
  leave(ask: number): boolean;
  /** The player is gone: nothing of it goes on. */
  forget(player: TapPlayer): void;
  open(): OpenHold[];
  close(): void;
};

/** Decided this much before the limit, however late main's own word is. */
const MARGIN_MS = 100;

/** The reply to an agent whose call nobody decided. */
const NOBODY_APPROVED = 'nobody approved this in time';
const EPISODE_OVER = 'the episode is over';

export function createHolds(shared: TapShared): Holds {
  const { waiting, release, releaseLive } = createWaiting();
  const expire = (ask: number): void => {
    const request = releaseLive(ask);
    if (request === null) return;
    if (request.player.key.hold_fallback === 'approve') {
      keepAction(shared, request.player, ask, { did: 'passed', by: 'deadline' });
      return request.go(request.frame, ask);
    }
    keepAction(shared, request.player, ask, { did: 'expired', by: 'deadline' });
    answerFor(request, ask, { text: NOBODY_APPROVED, isError: true });
  };
  return {
    hold: (request) => {
      const kind = request.channel === 'ws' ? RecordKind.request : RecordKind.rpcRequest;
      const at = shared.clock();
      const ask = keepRecord(shared, request.player, kind, request.frame, { flags: HELD_FLAG, at });
      const limit = Math.max(0, request.player.key.hold_limit_ms - MARGIN_MS);
      const { episode } = request.player;
      waiting.set(ask, { request, episode, at, stopTimer: startTimer(limit, () => expire(ask)) });
      shared.outbox.flush();
      return ask;
    },
    decide: (ask, verdict) => {
      if (verdict.do === 'expire') return expire(ask);
      const request = releaseLive(ask);
      if (request !== null) carryOut(shared, request, ask, verdict);
    },
    drop: (player) => {
      for (const [ask, { request }] of waiting) {
        if (request.player !== player) continue;
        release(ask);
        keepAction(shared, player, ask, { did: 'discarded', by: 'person' });
        request.answer(stoppedFor(request, player.stopped ?? ''), ask);
      }
    },
    leave: (ask) => {
      const request = release(ask);
      if (request !== null) keepAction(shared, request.player, ask, { did: 'left' });
      return request !== null;
    },
    forget: (player) => {
      for (const [ask, { request }] of waiting) {
        if (request.player !== player) continue;
        release(ask);
        // Its HTTP request is one of its own, and still waits for an answer.
        if (request.channel === 'rpc') request.answer(stoppedFor(request, EPISODE_OVER), ask);
      }
    },
    open: () =>
      [...waiting].flatMap(([ask, { request, episode, at }]) =>
        episode === null || episode !== request.player.episode ? [] : [{ ask, episode, at }],
      ),
    close: () => {
      for (const { stopTimer } of waiting.values()) stopTimer();
      waiting.clear();
    },
  };
}

type Waiting = { request: Request; episode: string | null; at: number; stopTimer: () => void };

function createWaiting() {
  const waiting = new Map<number, Waiting>();
  const release = (ask: number): Request | null => {
    const held = waiting.get(ask);
    if (held === undefined) return null;
    held.stopTimer();
    waiting.delete(ask);
    return held.request;
  };
  /** A request whose episode is over goes nowhere any more. */
  const releaseLive = (ask: number): Request | null => {
    const episode = waiting.get(ask)?.episode ?? null;
    const request = release(ask);
    if (request === null || episode === request.player.episode) return request;
    request.answer(stoppedFor(request, EPISODE_OVER), ask);
    return null;
  };
  return { waiting, release, releaseLive };
}

const stoppedFor = ({ channel, player, id, frame }: Request, reason: string): Buffer =>
  stoppedReply(channel, reason, { extras: extrasOf(player), id, frame });

function carryOut(
  shared: TapShared,
  request: Request,
  ask: number,
  verdict: Exclude<HeldVerdict, { do: 'expire' }>,
): void {
  const { player } = request;
  if (verdict.do === 'pass') {
    keepAction(shared, player, ask, { did: 'passed', by: 'person' });
    return request.go(request.frame, ask);
  }
  addTouched(player, verdict.touched);
  if (shared.rules().on_touch === 'discard') return discard(shared, request, ask);
  if (verdict.do === 'edit') {
    keepAction(shared, player, ask, { did: 'edited', by: 'person' });
    return request.go(
      editedFrame(request.frame, request.channel, {
        tool: verdict.tool_name,
        args: player.cover.reveal(verdict.arguments),
        action: verdict.action === undefined ? null : player.cover.reveal(verdict.action),
      }),
      ask,
    );
  }
  const said =
    verdict.do === 'answer'
      ? { text: verdict.text, isError: verdict.is_error, did: 'answered' as const }
      : { text: verdict.reason, isError: true, did: 'rejected' as const };
  keepAction(shared, player, ask, { did: said.did, by: 'person' });
  answerFor(request, ask, said);
}

/** A changed turn ends the episode, where that was chosen: the label makes rollouts leave it out. */
function discard(shared: TapShared, request: Request, ask: number): void {
  const { player } = request;
  const reason = 'A person stepped in; this episode is not to be learnt from.';
  keepAction(shared, player, ask, { did: 'discarded', by: 'person' });
  player.stopped = reason;
  request.answer(stoppedFor(request, reason), ask);
  finishPlay(shared, player, { by: 'person', code: null, reason: 'discarded: a person changed it' });
}

function answerFor(
  { player, channel, call, id, answer }: Request,
  ask: number,
  { text, isError }: { text: string; isError: boolean },
): void {
  const reply = ownReply(channel, call.type === 'action' ? 'actions' : player.dialect, {
    tool: call.type === 'action' ? '' : call.tool,
    text,
    isError,
    extras: extrasOf({ ...player, notes: [] }),
    id,
  });
  answer(reply, ask);
}
