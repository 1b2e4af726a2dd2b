// What stands above a message: who wrote it, or what the agent read. Where a person plays, no agent read anything.
import { isPlayedByPerson } from '../../../shared/episode/phase.ts';
import type { EpisodeRecord, Message } from '../../../shared/episode/record.ts';
import { turnRole } from './turnRow.ts';
import { ROLE_LABELS } from './timelineRow.ts';

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

const lowerFirst = (text: string): string => `${text.slice(0, 1).toLowerCase()}${text.slice(1)}`;
