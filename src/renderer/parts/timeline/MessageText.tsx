// One message exactly as the agent reads it, with whose words each stretch holds and what was cut.
import type { ReactNode } from 'react';
import { isPlayedByPerson } from '../../../shared/episode/phase.ts';
import type { EpisodeRecord, Message } from '../../../shared/episode/record.ts';
import { textHead } from '../../../shared/events/text.ts';
import type { Segment } from '../../../shared/events/turns.ts';
import { ROLE_LABELS, type RowRole } from '../../../shared/timeline/timelineRow.ts';
import { turnRole } from '../../../shared/timeline/turnRow.ts';
import { useText } from '../../state/hooks.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { actorStyle } from '../actors.tsx';
import { LongText } from '../text/LongText.tsx';
import { formatCount, formatSize } from '../text/size.ts';
import * as styles from './Details.module.css';

type MessageTextProps = { message: Message; record: EpisodeRecord };

export function MessageText({ message, record }: MessageTextProps): ReactNode {
  const { role, content, full_length, segments, toolCalls } = message;
  const { text, isWhole } = useText(content);
  const isCallAlone = isWhole && text === '' && toolCalls.length > 0;
  const isMarked = isWhole && segments.length > 0;
  return (
    <article className="shrinks" aria-label={MESSAGE_ROLES[role]}>
      <header className={styles.messageHead}>
        <p className="soft tiny bold">{messageLabel(record, message)}</p>
        {isCallAlone ? null : <span className="quiet tiny">{formatSize(content)}</span>}
        {full_length > content.length ? (
          <span className={styles.cut}>
            {`cut for the agent: ${formatCount(content.length, 'character')} of ${formatCount(full_length, 'character')}`}
          </span>
        ) : null}
        {isCallAlone ? null : (
          <CopyButton label={isWhole ? 'Copy the message' : 'Copy the first part'} text={text} />
        )}
      </header>
      {isMarked ? (
        textSegments({ content: text, segments }).map((stretch, index) => (
          <div
            key={`${stretch.type}${String(index)}`}
            className={styles.segment}
            style={actorStyle(STRETCH_ROLES[stretch.type])}
          >
            <span className={styles.segmentLabel}>{STRETCH_LABELS[stretch.type]}</span>
            <LongText text={stretch.text} />
          </div>
        ))
      ) : isCallAlone ? null : (
        <LongText text={content} />
      )}
      {toolCalls.map((native) => (
        <LongText key={native.id} text={`${native.name}(${native.arguments})`} />
      ))}
    </article>
  );
}

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
