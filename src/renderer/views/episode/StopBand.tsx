// Stopping an episode: confirmed in place, with a reason when there is one.
import { Send, Undo2 } from 'lucide-react';
import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { z } from 'zod';
import { useHumanTime } from '../../parts/advice/useHumanTime.ts';
import { useKeys, useSession, useToast } from '../../state/hooks.ts';
import { useKeptValue } from '../../state/keptValue.ts';
import { useAct } from '../../state/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Input, Textarea } from '../../ui/Field.tsx';
import type { Control } from './useControl.ts';
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
  useKeys({ send: send });
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
          ? { hint: 'In observation.metadata.interject, and in the result text if enabled in Setup.' }
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
        chord="send"
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

const HandBackDraft = z.strictObject({ note: z.string(), isDiscarded: z.boolean(), reason: z.string() });
const EMPTY_HAND_BACK: z.infer<typeof HandBackDraft> = { note: '', isDiscarded: false, reason: '' };

type HandBackProps = { episode: string; control: Control; onClose: () => void };

export function HandBackBand({ episode, control, onClose }: HandBackProps): ReactNode {
  const [kept, keep] = useKeptValue(`hand_back/${episode}`, HandBackDraft);
  const draft = kept ?? EMPTY_HAND_BACK;
  const change = (by: Partial<typeof draft>): void => keep({ ...draft, ...by });
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => area.current?.focus(), []);
  const time = useHumanTime(`hand_back/${episode}`, true);
  const handBack = async (): Promise<void> => {
    const { note, isDiscarded, reason } = draft;
    const isTaken = await control.act('hand_back', {
      note: note.trim() === '' ? null : note.trim(),
      is_discarded: isDiscarded,
      reason: isDiscarded && reason.trim() !== '' ? reason.trim() : null,
      timing: time.read(),
    });
    if (!isTaken) return;
    time.end();
    keep(null);
    onClose();
  };
  useKeys({ send: () => void handBack() });
  return (
    <section
      className={styles.band}
      aria-label="Hand back"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        onClose();
      }}
    >
      <Field label="Note to the agent, if it needs one" className={styles.field}>
        <Textarea
          ref={area}
          rows={2}
          value={draft.note}
          onChange={({ target }) => change({ note: target.value })}
        />
      </Field>
      <div className={styles.field}>
        <label className={styles.check}>
          <input
            type="checkbox"
            checked={draft.isDiscarded}
            onChange={({ target }) => change({ isDiscarded: target.checked })}
          />
          Discard my moves (not for training). They stay in the log, and their changes to the world remain
        </label>
        {draft.isDiscarded ? (
          <Input
            aria-label="Why discard them"
            placeholder="Reason (optional)"
            value={draft.reason}
            onChange={({ target }) => change({ reason: target.value })}
          />
        ) : null}
      </div>
      <Button
        tone="primary"
        icon={<Undo2 />}
        chord="send"
        isBusy={control.busy === 'hand_back'}
        onClick={() => void handBack()}
      >
        Hand back
      </Button>
      <Button tone="quiet" chord="Escape" onClick={onClose}>
        Keep acting
      </Button>
    </section>
  );
}
