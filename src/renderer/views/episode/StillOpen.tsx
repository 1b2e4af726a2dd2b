// The line over what a person who took over has in front: what the agent left open, and what is to become of it.
import { CircleSlash, Hand, Hourglass, MessageCircleQuestion } from 'lucide-react';
import { useRef, useState, type ReactNode } from 'react';
import type { HoldItem } from '../../../shared/episode/rowShapes.ts';
import type { LeftOpen } from '../../../shared/episode/phase.ts';
import { heldDeadline } from '../../parts/card/deadline.ts';
import { useKeys, useNow } from '../../state/hooks.ts';
import { Button } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { useFocusIfLost, useFocusOnce } from './focus.ts';
import { useControl } from './useControl.ts';
import * as styles from './StillOpen.module.css';

type StillOpenProps = {
  episode: string;
  open: LeftOpen;
  /** Who acts, in words. */
  who: string;
  /** The call that waits, with what becomes of it by itself. */
  held: HoldItem | null;
  /** The person's move is in front, not the card. */
  isActing: boolean;
  onSwitch: () => void;
};

export function StillOpen(props: StillOpenProps): ReactNode {
  return props.isActing ? <WhatBecomesOfIt {...props} /> : <CardInFront {...props} />;
}

const nameOf = ({ type }: LeftOpen): string => `The agent’s ${type === 'call' ? 'call' : 'question'}`;

/** Asked once, by key, over the person's first move: set it aside now, or keep it waiting for an answer. */
function WhatBecomesOfIt({ episode, open, held, onSwitch }: StillOpenProps): ReactNode {
  const [isKept, setIsKept] = useState(false);
  const band = useRef<HTMLDivElement>(null);
  useFocusOnce(band);
  const { act, busy } = useControl(episode);
  const aside = (): void => void act('set_aside');
  const keep = (): void => setIsKept(true);
  useKeys({
    'takeover.aside': aside,
    'takeover.answer': onSwitch,
    ...(isKept ? {} : { 'takeover.keep': keep }),
  });
  const isCall = open.type === 'call';
  return (
    <div
      className={styles.band}
      role="group"
      aria-label={`${nameOf(open)} is still open`}
      ref={band}
      tabIndex={-1}
    >
      <p role="status">
        {isKept
          ? `${nameOf(open)} is kept waiting. Your first move closes it: cancelled, not ${isCall ? 'rejected' : 'declined'}.`
          : `${nameOf(open)} is still open. Set it aside, or keep it waiting?`}
        <Deadline held={held} />
      </p>
      <span className="wrap-1" data-keys="">
        <Button
          size="small"
          icon={<CircleSlash />}
          chord="takeover.aside"
          isBusy={busy !== null}
          onClick={aside}
        >
          Set aside
        </Button>
        {isKept ? null : (
          <Button size="small" icon={<Hourglass />} chord="takeover.keep" onClick={keep}>
            Keep waiting
          </Button>
        )}
        <Button
          size="small"
          tone="quiet"
          icon={<MessageCircleQuestion />}
          chord="takeover.answer"
          onClick={onSwitch}
        >
          {isCall ? 'Decide about it' : 'Answer it'}
        </Button>
      </span>
    </div>
  );
}

/** The question or the call is in front: how to get to one's own move. */
function CardInFront({ open, who, held, onSwitch }: StillOpenProps): ReactNode {
  const band = useRef<HTMLDivElement>(null);
  useFocusIfLost(band);
  useKeys({ 'takeover.answer': onSwitch });
  return (
    <div className={styles.band} ref={band} tabIndex={-1}>
      <p role="status">
        {`${who}, and ${nameOf(open).replace('The', 'the')} is still open.`}
        <Deadline held={held} />
      </p>
      <span data-keys="">
        <Button size="small" icon={<Hand />} chord="takeover.answer" onClick={onSwitch}>
          Make a move instead
        </Button>
      </span>
    </div>
  );
}

function Deadline({ held }: { held: HoldItem | null }): ReactNode {
  const now = useNow();
  const deadline = held === null || held.deadline_at === null ? null : heldDeadline(held, now);
  return deadline === null ? null : (
    <strong className={cx((deadline.isUrgent || deadline.isExecuting) && styles.urgent)}>
      {' '}
      {deadline.text}
    </strong>
  );
}
