// One message exactly as the agent reads it, with whose words each stretch holds and what was cut.
import type { ReactNode } from 'react';
import type { Message } from '../../../shared/episode/record.ts';
import { useText } from '../../state/hooks.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { actorStyle } from '../actors.tsx';
import { LongText } from '../text/LongText.tsx';
import { formatCount, formatSize } from '../text/size.ts';
import * as styles from './Details.module.css';
import { STRETCH_LABELS, STRETCH_ROLES, textSegments } from './segments.ts';

const ROLES: Readonly<Record<Message['role'], string>> = {
  system: 'System prompt',
  user: 'User message',
  assistant: 'Agent',
  tool: 'Tool result',
};

export function MessageText({ message }: { message: Message }): ReactNode {
  const { role, content, full_length, segments, name, toolCalls } = message;
  const { text, isWhole } = useText(content);
  const isMarked = isWhole && segments.length > 0;
  return (
    <section className={styles.message} aria-label={ROLES[role]}>
      <header className={styles.messageHead}>
        <h4 className={styles.label}>
          {role === 'assistant' ? ROLES[role] : `The agent read: ${ROLES[role].toLowerCase()}`}
          {name === null ? '' : ` of ${name}`}
        </h4>
        <span className={styles.size}>{formatSize(content)}</span>
        {full_length > content.length ? (
          <span className={styles.cut}>
            {`cut for the agent: ${formatCount(content.length, 'character')} of ${formatCount(full_length, 'character')}`}
          </span>
        ) : null}
        <CopyButton label={isWhole ? 'Copy the message' : 'Copy the first part'} text={text} />
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
      ) : (
        <LongText text={content} />
      )}
      {toolCalls.map((native) => (
        <LongText key={native.id} text={`${native.name}(${native.arguments})`} />
      ))}
    </section>
  );
}
