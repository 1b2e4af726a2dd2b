// One message exactly as the agent reads it, with whose words each stretch holds and what was cut.
import type { ReactNode } from 'react';
import type { EpisodeRecord, Message } from '../../../shared/episode/record.ts';
import { useText } from '../../state/hooks.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { actorStyle } from '../actors.tsx';
import { LongText } from '../text/LongText.tsx';
import { formatCount, formatSize } from '../text/size.ts';
import * as styles from './Details.module.css';
import { MESSAGE_ROLES, messageLabel } from './messageLabel.ts';
import { STRETCH_LABELS, STRETCH_ROLES, textSegments } from './segments.ts';

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
