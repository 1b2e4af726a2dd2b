// Owns: saying no to a client that calls a tool of the host, where this tap was told to.
import { HELD, type RecordKind } from '../link.ts';
import { ownReply, type Channel } from './frames.ts';
import { extrasOf, keep, keepDeed, type Player, type Shared } from './player.ts';

type Kind = typeof RecordKind.request | typeof RecordKind.rpcRequest;

/** Records that it was called and refused. Returns the request's number. */
export function refuse(shared: Shared, player: Player, frame: Buffer, tool: string, kind: Kind): number {
  const seq = keep(shared, player, kind, frame, { flags: HELD });
  keepDeed(shared, player, seq, { did: 'refused', tool, text: wordsFor(tool) });
  return seq;
}

const wordsFor = (tool: string): string =>
  `${tool} is not for clients of this tap: it belongs to whoever runs the episode.`;

/** The tool error that the client reads. */
export const refusal = (channel: Channel, player: Player, tool: string, id: unknown): Buffer =>
  ownReply(channel, player.dialect, {
    tool,
    text: wordsFor(tool),
    isError: true,
    extras: extrasOf({ ...player, notes: [] }),
    id,
  });
