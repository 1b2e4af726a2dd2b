// The acts that close a question, each with its key; declining asks for its reason in place.
import { Ban, Check, CornerUpRight, Send } from 'lucide-react';
import { useLayoutEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Field, Textarea } from '../../ui/Field.tsx';
import * as styles from './AdviceCard.module.css';
import type { AdviceState } from './useAdvice.ts';

type CardActionsProps = {
  advice: AdviceState;
  isEdited: boolean;
  isDeclining: boolean;
  waiting: number;
  onEdit: () => void;
  onDecline: () => void;
  onCloseDecline: () => void;
  onNext: () => void;
  onOpenEpisode: (() => void) | null;
  sendWords: string;
  onPass: (() => void) | null;
};

export function CardActions(props: CardActionsProps): ReactNode {
  const { advice, isEdited, isDeclining, waiting, onEdit, onDecline, onNext, onOpenEpisode } = props;
  const { sendWords, onPass } = props;
  if (isDeclining) return <Decline {...props} />;
  const { draft, busy, text } = advice;
  const canAccept = draft !== null && !isEdited;
  // A press on the button that stood here for the last card must not decide this one.
  const unlessFresh = (run: () => void) => (): void => (advice.isFresh ? undefined : run());
  return (
    <footer className={styles.actions}>
      {draft === null ? null : (
        <Button
          tone={canAccept ? 'primary' : 'plain'}
          icon={<Check />}
          chord="desk.accept"
          isDisabled={!canAccept || busy !== null}
          title={canAccept ? undefined : 'You edited the draft. Send it, or restore the draft.'}
          onClick={unlessFresh(advice.accept)}
        >
          Accept draft
        </Button>
      )}
      <Button
        tone={canAccept ? 'plain' : 'primary'}
        icon={<Send />}
        chord="desk.send"
        isBusy={busy === 'answer'}
        isDisabled={text.trim() === ''}
        onClick={unlessFresh(advice.send)}
      >
        {sendWords}
      </Button>
      <Button chord="desk.edit" onClick={onEdit}>
        Edit
      </Button>
      <Button tone="quiet" icon={<Ban />} chord="desk.decline" onClick={onDecline}>
        Decline
      </Button>
      {onPass === null ? null : (
        <Button
          tone="quiet"
          icon={<CornerUpRight />}
          chord="desk.pass"
          title="Not sure? Leave it to another expert"
          onClick={onPass}
        >
          Pass
        </Button>
      )}
      <span className={styles.elsewhere}>
        {onOpenEpisode === null ? null : (
          <Button tone="quiet" chord="desk.open" onClick={onOpenEpisode}>
            Episode
          </Button>
        )}
        {waiting === 0 ? null : (
          <Button tone="quiet" chord="desk.next" onClick={onNext}>
            {`Next of ${String(waiting)}`}
          </Button>
        )}
      </span>
    </footer>
  );
}

function Decline({ advice, onCloseDecline }: CardActionsProps): ReactNode {
  const { reason, busy, setReason } = advice;
  const field = useRef<HTMLTextAreaElement>(null);
  // At once, so that not a letter of the reason is taken for a command.
  useLayoutEffect(() => field.current?.focus(), []);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    onCloseDecline();
  };
  return (
    <footer className={styles.decline}>
      <Field label="Why are you declining? The agent reads this.">
        <Textarea
          ref={field}
          rows={2}
          required
          value={reason}
          onChange={({ target }) => setReason(target.value)}
          onKeyDown={onKeyDown}
        />
      </Field>
      <div className={styles.actions}>
        <Button
          tone="danger"
          icon={<Ban />}
          chord="desk.send"
          isBusy={busy === 'decline'}
          isDisabled={reason.trim() === ''}
          onClick={advice.decline}
        >
          Decline
        </Button>
        <Button tone="quiet" chord="Escape" onClick={onCloseDecline}>
          Back
        </Button>
      </div>
    </footer>
  );
}
