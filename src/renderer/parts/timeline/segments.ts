// A message the agent reads, as stretches: what the environment said, what an expert said, what the host added.
import type { Segment } from '../../../shared/events/turns.ts';
import type { Message } from '../../../shared/episode/record.ts';
import { textHead } from '../../../shared/events/text.ts';
import type { RowRole } from '../../../shared/timeline/timelineRow.ts';

type TextSegment = { type: Segment['type'] | 'plain'; text: string };

export const STRETCH_LABELS: Readonly<Record<TextSegment['type'], string>> = {
  environment: 'environment',
  fabricated: 'written by a person for the tool',
  advice: 'advice',
  nudge: 'reminder',
  notice: 'host',
  note: 'note',
  plain: '',
};

export const STRETCH_ROLES: Readonly<Record<TextSegment['type'], RowRole>> = {
  environment: 'environment',
  fabricated: 'human',
  advice: 'human',
  nudge: 'system',
  notice: 'system',
  note: 'human',
  plain: 'system',
};

/** The stretches of what is at hand of a message, in order and without gaps. */
export function textSegments({ content, segments }: Pick<Message, 'content' | 'segments'>): TextSegment[] {
  const text = textHead(content);
  const stretches: TextSegment[] = [];
  let at = 0;
  for (const { type, start, end } of segments.toSorted((a, b) => a.start - b.start)) {
    const [from, to] = [Math.max(at, Math.min(start, text.length)), Math.min(end, text.length)];
    if (from > at) stretches.push({ type: 'plain', text: text.slice(at, from) });
    if (to > from) stretches.push({ type, text: text.slice(from, to) });
    at = Math.max(at, to);
  }
  if (at < text.length) stretches.push({ type: 'plain', text: text.slice(at) });
  return stretches.filter((stretch) => stretch.text.trim() !== '');
}
