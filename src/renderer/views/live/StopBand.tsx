// Stopping an episode: confirmed in place, with a reason when there is one.
import { useRef, useEffect, useState, type FormEvent, type ReactNode } from 'react';
import { useSession, useToast } from '../../state/hooks.ts';
import { useAct } from '../../state/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Input } from '../../ui/Field.tsx';
import * as styles from './StopBand.module.css';

export function StopBand({ episode, onClose }: { episode: string; onClose: () => void }): ReactNode {
  const { call } = useSession();
  const toast = useToast();
  const [reason, setReason] = useState('');
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector('input')?.focus(), []);
  const {
    isBusy,
    failure,
    run: stop,
  } = useAct(async () => {
    await call('episode.stop', { episode, reason: reason.trim() === '' ? null : reason.trim() });
    toast({ tone: 'plain', title: 'Stopping the episode' });
    onClose();
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void stop();
  };
  return (
    <form
      ref={form}
      className={styles.band}
      aria-label="Stop the episode"
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        onClose();
      }}
    >
      <Field label="Stop this episode? Everything so far stays in the log." className={styles.field}>
        <Input
          placeholder="Reason (optional)"
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
      </Field>
      <Button type="submit" tone="danger" isBusy={isBusy}>
        Stop the episode
      </Button>
      <Button tone="quiet" chord="Escape" onClick={onClose}>
        Keep running
      </Button>
      {failure === null ? null : <ErrorNote title="Could not stop the episode" failure={failure} />}
    </form>
  );
}
