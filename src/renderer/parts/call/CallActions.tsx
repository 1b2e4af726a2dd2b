// The acts that decide a held call, each with its key; what a mode needs is sent from there.
import { Ban, Send } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../ui/Button.tsx';
import { callActs, type EnterMode } from './callActs.tsx';
import * as styles from './CallCard.module.css';
import type { CallState } from './useCallDecision.ts';

type CallActionsProps = {
  state: CallState;
  canSend: boolean;
  onEnter: EnterMode;
  onOpenEpisode: (() => void) | null;
};

export function CallActions(props: CallActionsProps): ReactNode {
  const { state, onEnter, onOpenEpisode } = props;
  if (state.draft.mode !== 'decide') return <SendActions {...props} />;
  return (
    <footer className={styles.actions}>
      {callActs(state, onEnter).map(({ label, run, ...button }) => (
        <Button key={button.chord} {...button} onClick={run}>
          {label}
        </Button>
      ))}
      {onOpenEpisode === null ? null : (
        <Button tone="quiet" chord="desk.open" onClick={onOpenEpisode}>
          Episode
        </Button>
      )}
    </footer>
  );
}

const SENDS = {
  edit: { label: 'Send edited call', done: 'edited' },
  answer: { label: 'Send as the result', done: 'answered' },
  reject: { label: 'Reject', done: 'rejected' },
} as const;

function SendActions({ state, canSend, onEnter }: CallActionsProps): ReactNode {
  const { draft, busy } = state;
  const { mode } = draft;
  if (mode === 'decide') return null;
  const isEmpty =
    (mode === 'answer' && draft.answer.trim() === '') || (mode === 'reject' && draft.reason.trim() === '');
  const send = { edit: () => state.edit(false), answer: state.answer, reject: state.reject }[mode];
  return (
    <footer className={styles.actions}>
      <Button
        tone={mode === 'reject' ? 'danger' : 'primary'}
        icon={mode === 'reject' ? <Ban /> : <Send />}
        chord="call.send"
        isBusy={busy === SENDS[mode].done}
        isDisabled={isEmpty}
        title={mode === 'edit' && !canSend ? 'The arguments do not fit the tool’s schema.' : undefined}
        onClick={send}
      >
        {SENDS[mode].label}
      </Button>
      <Button tone="quiet" chord="call.back" onClick={() => onEnter('decide')}>
        Back
      </Button>
    </footer>
  );
}
