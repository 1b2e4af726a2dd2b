// Owns: interjecting a note: words the agent reads before its next turn. What is not sent is kept over a reload.
import { Send } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { z } from 'zod';
import { failureShape, type FailureShape } from '../../../shared/failure.ts';
import { useHumanTime } from '../../parts/advice/useHumanTime.ts';
import { useKeys, useSession, useToast } from '../../state/hooks.ts';
import { useKeptValue } from '../../state/keptValue.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Textarea } from '../../ui/Field.tsx';
import styles from './StopBand.module.css';

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
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<FailureShape | null>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => area.current?.focus(), []);
  const send = async (): Promise<void> => {
    if (isBusy || text.trim() === '') return;
    setIsBusy(true);
    setFailure(null);
    try {
      await call('note.send', { episode, text: text.trim(), timing: time.read() });
      keep(null);
      time.end();
      toast({
        tone: 'ok',
        title: 'Note sent',
        text: isTapped
          ? 'It goes to the client with its next answer.'
          : 'The agent reads it before its next turn.',
      });
      onClose();
    } catch (thrown) {
      setFailure(failureShape(thrown));
    } finally {
      setIsBusy(false);
    }
  };
  useKeys('live', { 'note.send': () => void send() });
  return (
    <section
      className={styles['band']}
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
            ? 'Note to the client; it comes with its next answer'
            : 'Note to the agent; it reads this before its next turn'
        }
        {...(isTapped
          ? { hint: 'In observation.metadata.interject, and in the result’s text if Settings say so.' }
          : {})}
        className={styles['field']}
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
        onClick={() => void send()}
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
