// Owns: the acts that decide a held call, each with its key; what a mode needs is sent from there.
import { Ban, Check, CheckCheck, PencilLine, Replace, Send, Wrench } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../ui/Button.tsx';
import styles from './CallCard.module.css';
import type { CallState, Mode } from './useCallDecision.ts';

export type CallActionsProps = {
  state: CallState;
  canSend: boolean;
  onEnter: (mode: Mode, first?: 'tool') => void;
  onOpenEpisode: (() => void) | null;
};

export function CallActions(props: CallActionsProps): ReactNode {
  const { state, onEnter, onOpenEpisode } = props;
  if (state.draft.mode !== 'decide') return <SendActions {...props} />;
  const { busy } = state;
  const unlessFresh = (run: () => void) => (): void => (state.isFresh() ? undefined : run());
  return (
    <footer className={styles['actions']}>
      <Button
        tone="primary"
        icon={<Check />}
        chord="call.approve"
        isBusy={busy === 'approve'}
        onClick={unlessFresh(() => state.approve(false))}
      >
        Approve
      </Button>
      <Button
        icon={<CheckCheck />}
        chord="call.approve_similar"
        isDisabled={busy !== null}
        onClick={unlessFresh(() => state.approve(true))}
      >
        Approve and allow similar
      </Button>
      <Button icon={<PencilLine />} chord="call.edit" onClick={() => onEnter('edit')}>
        Edit
      </Button>
      <Button icon={<Replace />} chord="call.override" onClick={() => onEnter('edit', 'tool')}>
        Another tool
      </Button>
      <Button icon={<Wrench />} chord="call.answer" onClick={() => onEnter('answer')}>
        Answer for the tool
      </Button>
      <Button tone="quiet" icon={<Ban />} chord="call.reject" onClick={() => onEnter('reject')}>
        Reject
      </Button>
      {onOpenEpisode === null ? null : (
        <Button tone="quiet" chord="desk.open" onClick={onOpenEpisode}>
          Episode
        </Button>
      )}
    </footer>
  );
}

const SENDS = { edit: 'Send changed call', answer: 'Send as its result', reject: 'Reject' } as const;

function SendActions({ state, canSend, onEnter }: CallActionsProps): ReactNode {
  const { draft, busy } = state;
  const { mode } = draft;
  if (mode === 'decide') return null;
  const isEmpty =
    (mode === 'answer' && draft.answer.trim() === '') || (mode === 'reject' && draft.reason.trim() === '');
  const send = { edit: () => state.edit(false), answer: state.answer, reject: state.reject }[mode];
  return (
    <footer className={styles['actions']}>
      <Button
        tone={mode === 'reject' ? 'danger' : 'primary'}
        icon={mode === 'reject' ? <Ban /> : <Send />}
        chord="call.send"
        isBusy={busy === mode}
        isDisabled={isEmpty}
        title={mode === 'edit' && !canSend ? 'The arguments do not fit the tool’s schema.' : undefined}
        onClick={send}
      >
        {SENDS[mode]}
      </Button>
      <Button tone="quiet" chord="call.back" onClick={() => onEnter('decide')}>
        Back
      </Button>
    </footer>
  );
}
