// Saying no to a client that calls a tool of the host, where this tap was told to.
import { HELD_FLAG, type RecordKind } from '../linkProtocol.ts';
import { ownReply, type Channel } from './frames.ts';
import { extrasOf, keepRecord, keepAction, type TapPlayer, type TapShared } from './player.ts';

type RequestKind = typeof RecordKind.request | typeof RecordKind.rpcRequest;

/** Records that it was called and refused. Returns the request's number. */
export function refuseCall(
  shared: TapShared,
  player: TapPlayer,
  frame: Buffer,
  tool: string,
  kind: RequestKind,
): number {
  const seq = keepRecord(shared, player, kind, frame, { flags: HELD_FLAG });
  keepAction(shared, player, seq, { did: 'refused', tool, text: wordsFor(tool) });
  return seq;
}

const wordsFor = (tool: string): string =>
  `${tool} is not for clients of this tap: it belongs to whoever runs the episode.`;

/** The tool error that the client reads. */
export const refusalReply = (channel: Channel, player: TapPlayer, tool: string, id: unknown): Buffer =>
  ownReply(channel, player.dialect, {
    tool,
    text: wordsFor(tool),
    isError: true,
    extras: extrasOf({ ...player, notes: [] }),
    id,
  });
