// What stands above a message: who wrote it, or what the agent read. Where a person plays, no agent read anything.
import { isPlayedByPerson } from '../../../shared/episode/phase.ts';
import type { EpisodeRecord, Message } from '../../../shared/episode/record.ts';
import { turnRole } from '../../../shared/timeline/turnRow.ts';
import { ROLE_LABELS } from '../../../shared/timeline/timelineRow.ts';

export const MESSAGE_ROLES: Readonly<Record<Message['role'], string>> = {
  system: 'System prompt',
  user: 'User message',
  assistant: 'Reply',
  tool: 'Tool result',
};

/** The heading of a message of the record. */
export function messageLabel(record: EpisodeRecord, { role, n, turn, name }: Message): string {
  const of = name === null ? '' : ` of ${name}`;
  if (role !== 'assistant') {
    const what = `${MESSAGE_ROLES[role]}${of}`;
    return isPlayedByPerson(record) ? what : `The agent read: ${lowerFirst(what)}`;
  }
  const by = record.turns.find((one) => one.n === n) ?? record.turns.findLast((one) => one.turn === turn);
  return `${ROLE_LABELS[by === undefined ? 'agent' : turnRole(by)]}${of}`;
}

/** The messages there is something of: a client that tells only calls leaves those of its agent without a word. */
export function toldMessages({ messages, turns }: Pick<EpisodeRecord, 'messages' | 'turns'>): Message[] {
  const untold = new Set(turns.filter(({ hasText }) => !hasText).map(({ turn }) => turn));
  if (untold.size === 0) return messages;
  return messages.filter(
    ({ role, turn, content, toolCalls }) =>
      role !== 'assistant' || content !== '' || toolCalls.length > 0 || !untold.has(turn),
  );
}

const lowerFirst = (text: string): string => `${text.slice(0, 1).toLowerCase()}${text.slice(1)}`;
