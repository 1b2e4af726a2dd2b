// Handing back: with a note for the agent, and with the person's moves kept or discarded.
import { Undo2 } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { z } from 'zod';
import { useHumanTime } from '../../parts/advice/useHumanTime.ts';
import { useKeys } from '../../state/hooks.ts';
import { useKeptValue } from '../../state/keptValue.ts';
import { Button } from '../../ui/Button.tsx';
import { Field, Input, Textarea } from '../../ui/Field.tsx';
import * as styles from './StopBand.module.css';
import type { Control } from './useControl.ts';

const HandBackDraft = z.strictObject({ note: z.string(), isDiscarded: z.boolean(), reason: z.string() });
const EMPTY_HAND_BACK: z.infer<typeof HandBackDraft> = { note: '', isDiscarded: false, reason: '' };

type Props = { episode: string; control: Control; onClose: () => void };

export function HandBackBand({ episode, control, onClose }: Props): ReactNode {
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
  useKeys('takeover', { 'takeover.send': () => void handBack() });
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
        chord="takeover.send"
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
