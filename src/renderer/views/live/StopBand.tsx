// Owns: stopping an episode: confirmed in place, with a reason when there is one.
import { useRef, useEffect, useState, type FormEvent, type ReactNode } from 'react';
import { failureShape, type FailureShape } from '../../../shared/failure.ts';
import { useSession, useToast } from '../../state/hooks.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Input } from '../../ui/Field.tsx';
import styles from './StopBand.module.css';

export function StopBand({ episode, onClose }: { episode: string; onClose: () => void }): ReactNode {
  const { call } = useSession();
  const toast = useToast();
  const [reason, setReason] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<FailureShape | null>(null);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector('input')?.focus(), []);
  const stop = async (): Promise<void> => {
    setIsBusy(true);
    setFailure(null);
    try {
      await call('episode.stop', { episode, reason: reason.trim() === '' ? null : reason.trim() });
      toast({ tone: 'plain', title: 'The episode is stopping' });
      onClose();
    } catch (thrown) {
      setFailure(failureShape(thrown));
      setIsBusy(false);
    }
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isBusy) void stop();
  };
  return (
    <form
      ref={form}
      className={styles['band']}
      aria-label="Stop the episode"
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        onClose();
      }}
    >
      <Field label="Stop this episode? What it did so far stays in the log." className={styles['field']}>
        <Input
          placeholder="Reason, if there is one"
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
      </Field>
      <Button type="submit" tone="danger" isBusy={isBusy}>
        Stop the episode
      </Button>
      <Button tone="quiet" chord="Escape" onClick={onClose}>
        Go on
      </Button>
      {failure === null ? null : <ErrorNote title="Could not stop the episode" failure={failure} />}
    </form>
  );
}
