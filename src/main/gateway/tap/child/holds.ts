// Requests that wait for a person: each goes on by main's word or, before the client gives up, by itself.
import { HELD_FLAG, RecordKind, type OpenHold, type HeldVerdict } from '../linkProtocol.ts';
import { editedFrame, ownReply, stoppedReply, type Channel, type ParsedFrame } from './frames.ts';
import { extrasOf, finishPlay, keepRecord, keepAction, type TapPlayer, type TapShared } from './player.ts';

type Request = {
  player: TapPlayer;
  channel: Channel;
  frame: Buffer;
  call: Extract<ParsedFrame, { type: 'call' | 'action' }>;
  /** The id of a JSON-RPC request. */
  id: unknown;
  /** To the environment; `seq` is the record it goes under. */
  go: (frame: Buffer, seq: number) => void;
  /** To the client, in its turn. */
  answer: (reply: Buffer, seq: number) => void;
};

export type Holds = {
  hold(request: Request): void;
  decide(ask: number, verdict: HeldVerdict): void;
  /** Answers what this player has waiting as stopped. */
  drop(player: TapPlayer): void;
  /** The player is gone: nothing of it goes on. */
  forget(player: TapPlayer): void;
  /** Requests that wait now. */
  open(): OpenHold[];
  close(): void;
};

/** Released this much before the limit, however late main's own word is. */
const MARGIN_MS = 100;

export function createHolds(shared: TapShared): Holds {
  const waiting = new Map<number, { request: Request; timer: NodeJS.Timeout }>();
  const release = (ask: number): Request | null => {
    const held = waiting.get(ask);
    if (held === undefined) return null;
    clearTimeout(held.timer);
    waiting.delete(ask);
    return held.request;
  };
  const expire = (ask: number): void => {
    const request = release(ask);
    if (request === null) return;
    if (shared.rules().hold_fallback === 'approve') {
      keepAction(shared, request.player, ask, { did: 'passed', by: 'deadline' });
      return request.go(request.frame, ask);
    }
    fabricate(
      shared,
      request,
      ask,
      { text: 'nobody approved it in time', isError: true, did: 'rejected' },
      'deadline',
    );
  };
  return {
    hold: (request) => {
      const kind = request.channel === 'ws' ? RecordKind.request : RecordKind.rpcRequest;
      const ask = keepRecord(shared, request.player, kind, request.frame, { flags: HELD_FLAG });
      const timer = setTimeout(() => expire(ask), Math.max(0, shared.rules().hold_limit_ms - MARGIN_MS));
      waiting.set(ask, { request, timer });
      shared.outbox.flush();
    },
    decide: (ask, verdict) => {
      const request = release(ask);
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
    forget: (player) => {
      for (const [ask, { request }] of waiting) if (request.player === player) release(ask);
    },
    open: () =>
      [...waiting].flatMap(([ask, { request }]) =>
        request.player.episode === null ? [] : [{ ask, episode: request.player.episode }],
      ),
    close: () => {
      for (const { timer } of waiting.values()) clearTimeout(timer);
      waiting.clear();
    },
  };
}

const stoppedFor = ({ channel, player, id, frame }: Request, reason: string): Buffer =>
  stoppedReply(channel, reason, { extras: extrasOf(player), id, frame });

function carryOut(shared: TapShared, request: Request, ask: number, verdict: HeldVerdict): void {
  const { player } = request;
  if (verdict.do === 'pass') {
    keepAction(shared, player, ask, { did: 'passed', by: 'person' });
    return request.go(request.frame, ask);
  }
  player.touched = verdict.touched;
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
  fabricate(shared, request, ask, said, 'person');
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

function fabricate(
  shared: TapShared,
  request: Request,
  ask: number,
  { text, isError, did }: { text: string; isError: boolean; did: 'answered' | 'rejected' },
  by: 'person' | 'deadline',
): void {
  const { player, channel, call, id } = request;
  keepAction(shared, player, ask, { did, by });
  const reply = ownReply(channel, call.type === 'action' ? 'actions' : player.dialect, {
    tool: call.type === 'action' ? '' : call.tool,
    text,
    isError,
    extras: extrasOf({ ...player, notes: [] }),
    id,
  });
  request.answer(reply, ask);
}
