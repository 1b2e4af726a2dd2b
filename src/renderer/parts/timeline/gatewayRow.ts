// Owns: the words of what a foreign client's episode adds: the tap, what is missing, what a person changed.
import { textHead } from '../../../shared/events/text.ts';
import type { EpisodeRecord, Item } from '../../../shared/episode/record.ts';
import type { Touch } from '../../../shared/events/gateway.ts';
import { oneLine } from './phrase.ts';
import type { Row } from './row.ts';

export type GatewayItem = Extract<Item, { type: 'tapped' | 'frame' | 'gap' | 'touched' | 'leaked' }>;
type Words = Pick<Row, 'role' | 'kind' | 'name' | 'detail'> & Partial<Pick<Row, 'isHuman' | 'outcome'>>;

const TOUCHES: Readonly<Record<Touch, string>> = {
  edited: 'another call was made in its place',
  answered: 'a person gave the result',
  rejected: 'the call was rejected',
  set_aside: 'the call was set aside for a person’s own',
  stopped: 'the episode was stopped',
  taken_over: 'a person made the call',
  note_in_result: 'a note was added to the result',
};

export function gatewayWords({ tapped }: EpisodeRecord, item: GatewayItem): Words {
  switch (item.type) {
    case 'tapped':
      return {
        role: 'system',
        kind: 'tapped',
        name: 'A client connected through the tap',
        detail: `${tapped?.user_agent ?? 'unknown client'} · ${tapped?.may_act ? 'people may act' : 'advice and notes only'}`,
      };
    case 'frame':
      return {
        role: item.direction === 'to_client' ? 'environment' : 'system',
        kind: 'frame',
        name: item.direction === 'to_client' ? 'Another reply' : 'Another request',
        detail: oneLine(textHead(item.frame)),
      };
    case 'gap':
      return {
        role: 'system',
        kind: 'gap',
        name: 'Not recorded',
        detail: `${String(item.frames)} frames went through · ${oneLine(item.reason)}`,
        outcome: { tone: 'error', label: 'gap' },
      };
    case 'touched':
      return {
        role: 'human',
        kind: 'touched',
        name: `Turn ${String(item.turn)} touched`,
        detail: TOUCHES[item.touch],
        isHuman: true,
      };
    case 'leaked':
      return {
        role: 'agent',
        kind: 'leaked',
        name: 'ask_expert reached the environment',
        detail: 'the client should answer it itself; it was passed on unchanged',
        outcome: { tone: 'error', label: 'leak' },
      };
  }
}
