// The texts of what a foreign client's episode adds: the tap, what is missing, what a person changed.
import { textHead } from '../../../shared/events/text.ts';
import type { EpisodeRecord, GatewayItem, Item } from '../../../shared/episode/record.ts';
import type { Touch } from '../../../shared/events/gateway.ts';
import { oneLine } from './phrase.ts';
import type { TimelineRow } from './timelineRow.ts';

const GATEWAY_ITEMS = {
  tapped: true,
  frame: true,
  gap: true,
  touched: true,
  leaked: true,
} satisfies Record<GatewayItem['type'], true>;
export const isGatewayItem = (item: Item): item is GatewayItem => Object.hasOwn(GATEWAY_ITEMS, item.type);

type GatewayRowText = Pick<TimelineRow, 'role' | 'kind' | 'name' | 'detail'> &
  Partial<Pick<TimelineRow, 'isHuman' | 'outcome'>>;

const TOUCHES: Readonly<Record<Touch, string>> = {
  edited: 'replaced by another call',
  answered: 'a person gave the result',
  rejected: 'the call was rejected',
  expired: 'nobody approved the call in time, and it was not made',
  set_aside: 'replaced by a person’s own call',
  stopped: 'the episode was stopped',
  taken_over: 'a person made the call',
  note_in_result: 'a note was added to the result',
};

export function gatewayText({ tapped }: EpisodeRecord, item: GatewayItem): GatewayRowText {
  switch (item.type) {
    case 'tapped':
      return {
        role: 'system',
        kind: 'tapped',
        name: 'A client connected through the tap',
        detail: `${tapped?.user_agent ?? 'unknown client'} · ${tapped?.may_act ? 'actions allowed' : 'advice and notes only'}`,
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
    case 'touched': {
      const isPerson = item.touch !== 'expired';
      return {
        role: isPerson ? 'human' : 'system',
        kind: 'touched',
        name: `Turn ${String(item.turn)} ${isPerson ? 'changed by a person' : 'not approved in time'}`,
        detail: TOUCHES[item.touch],
        isHuman: isPerson,
      };
    }
    case 'leaked':
      return {
        role: 'agent',
        kind: 'leaked',
        name: 'ask_expert reached the environment',
        detail: 'the client should handle it itself; passed on unchanged',
        outcome: { tone: 'error', label: 'leak' },
      };
  }
}
