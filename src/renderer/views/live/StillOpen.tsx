// The line over what a person who took over has in front: the open question or call, or their own move.
import { Hand, MessageCircleQuestion } from 'lucide-react';
import type { ReactNode } from 'react';
import type { LeftOpen } from '../../../shared/episode/leftOpen.ts';
import type { HoldItem } from '../../../shared/contract/rows.ts';
import { heldDeadline } from '../../parts/card/deadline.ts';
import { useNow } from '../../state/hooks.ts';
import { Button } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import * as styles from './StillOpen.module.css';

type Props = {
  open: LeftOpen;
  /** Who acts, in words. */
  who: string;
  /** The call that waits, with what becomes of it by itself. */
  held: HoldItem | null;
  /** The person's move is in front, not the card. */
  isActing: boolean;
  onSwitch: () => void;
};

const WHAT = { question: 'question', call: 'call' } as const;

export function StillOpen({ open: { type }, who, held, isActing, onSwitch }: Props): ReactNode {
  const now = useNow();
  const deadline = held === null || held.deadline_at === null ? null : heldDeadline(held, now);
  return (
    <div className={styles.band} role="status">
      <p>
        {isActing
          ? `The agent’s ${WHAT[type]} is still open. Your first move closes it: cancelled, not ${type === 'call' ? 'rejected' : 'declined'}.`
          : `${who}, and the agent’s ${WHAT[type]} is still open: ${type === 'call' ? 'decide about it' : 'answer it'}, or set it aside.`}
        {deadline === null ? null : (
          <strong className={cx(deadline.isUrgent && styles.urgent)}> {deadline.text}</strong>
        )}
      </p>
      <Button size="small" icon={isActing ? <MessageCircleQuestion /> : <Hand />} onClick={onSwitch}>
        {isActing ? (type === 'call' ? 'Decide about it' : 'Answer it') : 'Cancel it and act'}
      </Button>
    </div>
  );
}
