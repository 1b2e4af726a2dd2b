// The conversation exactly as the agent reads it.
import { useMemo, type ReactNode } from 'react';
import { isPlayedByPerson } from '../../../shared/episode/phase.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { GrowingList } from '../list/GrowingList.tsx';
import { MessageText } from '../timeline/MessageText.tsx';
import { toldMessages } from '../timeline/messageLabel.ts';
import * as styles from './Inspector.module.css';

export function Conversation({ record }: { record: EpisodeRecord }): ReactNode {
  const { ended, messages: all, turns } = record;
  const messages = useMemo(() => toldMessages({ messages: all, turns }), [all, turns]);
  const isPlayed = isPlayedByPerson(record);
  const none = noneText(record, isPlayed);
  if (messages.length === 0) return <p className={styles.none}>{none}</p>;
  return (
    <GrowingList
      label={isPlayed ? 'Conversation' : 'What the agent reads'}
      count={messages.length}
      rowKey={(index) => String(messages[index]?.n ?? index)}
      rowHeight={160}
      startAtEnd={ended === null}
      renderRow={(index) => {
        const message = messages[index];
        return message === undefined ? null : (
          <div className={styles.message}>
            <MessageText message={message} record={record} />
          </div>
        );
      }}
    />
  );
}

function noneText({ messages }: EpisodeRecord, isPlayed: boolean): string {
  if (messages.length > 0) return 'The client told no messages of its agent, only its calls.';
  return isPlayed ? 'Nothing has been written yet.' : 'The agent has read nothing yet.';
}
