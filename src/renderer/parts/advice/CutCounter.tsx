// How much of an answer the client that asked is known to keep.
import type { ReactNode } from 'react';
import type { DeskItem } from '../../../shared/contract/rows.ts';
import { useConsole } from '../../state/hooks.ts';
import { cx } from '../../ui/cx.ts';
import * as styles from './AdviceCard.module.css';

/** What the counter says; null where no cut is known. */
export function cutText(length: number, cut: number | null): { text: string; isOver: boolean } | null {
  if (cut === null) return null;
  const over = length - cut;
  const counted = `${length.toLocaleString()} of ${cut.toLocaleString()} characters`;
  return over > 0
    ? { text: `${counted}: the client drops the last ${over.toLocaleString()}`, isOver: true }
    : { text: `${counted} kept by the client`, isOver: false };
}

type Props = Pick<DeskItem, 'via' | 'limit_chars'> & { length: number };

export function CutCounter({ via, limit_chars: asked, length }: Props): ReactNode {
  const usual = useConsole(({ record }) => record.app?.cut_chars ?? null);
  // A limit of the request itself is certain, the other one is known of such clients.
  const cut = asked === null || usual === null ? (asked ?? usual) : Math.min(asked, usual);
  const counter = via === 'loop' ? null : cutText(length, cut);
  if (counter === null) return null;
  return (
    <p
      className={cx(styles.quiet, counter.isOver && styles.over)}
      role={counter.isOver ? 'status' : undefined}
    >
      {counter.text}
    </p>
  );
}
