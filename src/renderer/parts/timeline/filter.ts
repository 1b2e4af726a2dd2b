// Which lines a filter leaves. What a person did, and how it ended, is never filtered away.
import { textHead } from '../../../shared/events/text.ts';
import {
  type Facet,
  type TimelineRow,
  firstSentence,
  proseOf,
} from '../../../shared/timeline/timelineRow.ts';

export type TimelineFilter = 'everything' | 'calls' | 'messages' | 'reasoning';

export const FILTERS: readonly { value: TimelineFilter; label: string }[] = [
  { value: 'everything', label: 'Everything' },
  { value: 'calls', label: 'Calls' },
  { value: 'messages', label: 'Messages' },
  { value: 'reasoning', label: 'Reasoning' },
];

const FACETS: Readonly<Record<Exclude<TimelineFilter, 'everything'>, Facet>> = {
  calls: 'call',
  messages: 'message',
  reasoning: 'reasoning',
};

/** The lines a filter leaves, led by the words it is about. */
export function filterRows(rows: readonly TimelineRow[], filter: TimelineFilter): readonly TimelineRow[] {
  if (filter === 'everything') return rows;
  const facet = FACETS[filter];
  return rows
    .filter(
      (row) => row.isHuman || row.role === 'verifier' || row.kind === 'ended' || row.facets.includes(facet),
    )
    .map((row) => leadBy(row, filter));
}

/** With messages or reasoning chosen, a turn is led by what the agent said or thought, its call beside it. */
function leadBy(row: TimelineRow, filter: TimelineFilter): TimelineRow {
  if (row.subject.type !== 'turn' || filter === 'calls') return row;
  const { turn } = row.subject;
  const text = filter === 'reasoning' ? textHead(turn.reasoning ?? '') : proseOf(turn.content);
  if (text === '' || row.kind === 'final') return row;
  return { ...row, said: firstSentence(text), detail: '', isDetailCode: false };
}
