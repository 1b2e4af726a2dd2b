// Interjecting a note: words the agent reads before its next turn. What is not sent is kept over a reload.
import { Send } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { z } from 'zod';
import { useHumanTime } from '../../parts/advice/useHumanTime.ts';
import { useKeys, useSession, useToast } from '../../state/hooks.ts';
import { useAct } from '../../state/queries.ts';
import { useKeptValue } from '../../state/keptValue.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Textarea } from '../../ui/Field.tsx';
import * as styles from './StopBand.module.css';

type Props = {
  episode: string;
  /** A client's own agent plays it. */
  isTapped: boolean;
  onClose: () => void;
};

export function NoteBand({ episode, isTapped, onClose }: Props): ReactNode {
  const { call } = useSession();
  const toast = useToast();
  const name = `note/${episode}`;
  const [kept, keep] = useKeptValue(name, z.string());
  const text = kept ?? '';
  const time = useHumanTime(name, true);
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => area.current?.focus(), []);
  const { isBusy, failure, run } = useAct(async () => {
    await call('note.send', { episode, text: text.trim(), timing: time.read() });
    keep(null);
    time.end();
    toast({
      tone: 'ok',
      title: 'Note sent',
      text: isTapped
        ? 'Sent to the client with its next response.'
        : 'The agent reads it before its next turn.',
    });
    onClose();
  });
  const send = (): void => {
    if (text.trim() !== '') void run();
  };
  useKeys('live', { 'note.send': send });
  return (
    <section
      className={styles.band}
      aria-label="Interject a note"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        onClose();
      }}
    >
      <Field
        label={
          isTapped
            ? 'Note to the client, sent with its next response'
            : 'Note to the agent, read before its next turn'
        }
        {...(isTapped
          ? { hint: 'In observation.metadata.interject, and in the result text if enabled in Settings.' }
          : {})}
        className={styles.field}
      >
        <Textarea
          ref={area}
          rows={2}
          value={text}
          onChange={({ target }) => keep(target.value === '' ? null : target.value)}
        />
      </Field>
      <Button
        tone="primary"
        icon={<Send />}
        chord="note.send"
        isBusy={isBusy}
        isDisabled={text.trim() === ''}
        onClick={send}
      >
        Send note
      </Button>
      <Button tone="quiet" chord="Escape" onClick={onClose}>
        Close
      </Button>
      {failure === null ? null : <ErrorNote title="Could not send the note" failure={failure} />}
    </section>
  );
}
