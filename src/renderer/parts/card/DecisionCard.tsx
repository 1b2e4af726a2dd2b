// What the cards of a question, a held call and a stopped episode share: the frame, the note why it is closed, and
// the acts, each with its key.
import type { KeyboardEvent, ReactNode, Ref } from 'react';
import type { FailureShape } from '../../../shared/failure.ts';
import type { Bindings } from '../../state/keyboard.ts';
import type { KeyId } from '../../state/keys.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { cx } from '../../ui/cx.ts';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import type { Closed } from './closed.ts';
import * as styles from './DecisionCard.module.css';

type DecisionCardProps = {
  label: string;
  'data-consultation'?: string;
  /** The keys that decide are ignored still. */
  isFresh?: boolean;
  head: ReactNode;
  /** Takes the focus where nothing is written. */
  body?: Ref<HTMLDivElement>;
  bodyClass?: string;
  onBodyKeyDown?: (event: KeyboardEvent<HTMLDivElement>) => void;
  /** Why main refused the last act, and what else can be done. */
  failure?: { title: string; failure: FailureShape; action?: ReactNode } | null;
  acts: ReactNode;
  children: ReactNode;
};

export function DecisionCard(props: DecisionCardProps): ReactNode {
  const { label, isFresh, head, body, bodyClass, onBodyKeyDown, failure = null, acts, children } = props;
  return (
    <section
      className={styles.card}
      aria-label={label}
      data-consultation={props['data-consultation']}
      data-fresh={isFresh}
    >
      <header className={styles.head}>{head}</header>
      <div className={cx(styles.body, bodyClass)} ref={body} tabIndex={-1} onKeyDown={onBodyKeyDown}>
        {children}
      </div>
      {failure === null ? null : (
        <div className={styles.failed}>
          <ErrorNote {...failure} />
        </div>
      )}
      {acts}
    </section>
  );
}

type ClosedNoticeProps = {
  closed: Closed;
  /** What was written and not sent, and what is said of it; null for nothing. */
  unsent: { text: string; message: string; discard: string; onDiscard: () => void } | null;
  /** What can be done with what was written. */
  first?: ReactNode;
  /** Where to go on. */
  next?: ReactNode;
};

export function ClosedNotice({ closed, unsent, first, next }: ClosedNoticeProps): ReactNode {
  return (
    <div className={styles.closed} role="status">
      <p>
        <strong>{closed.title}</strong>
      </p>
      {closed.detail === '' ? null : <p>{closed.detail}</p>}
      {unsent === null ? null : <p>{unsent.message}</p>}
      <span className={styles.after}>
        {unsent === null ? null : (
          <>
            {first}
            <CopyButton label="Copy my text" text={unsent.text} hasLabel />
            <Button size="small" tone="quiet" onClick={unsent.onDiscard}>
              {unsent.discard}
            </Button>
          </>
        )}
        {next}
      </span>
    </div>
  );
}

/** An act of a card: its button, and its key. */
export type CardAct = {
  label: string;
  chord?: KeyId;
  icon?: ReactNode;
  tone?: 'plain' | 'primary' | 'quiet' | 'danger';
  title?: string | undefined;
  isBusy?: boolean;
  isDisabled?: boolean;
  run: () => void;
};

export const actKeys = (acts: readonly CardAct[]): Bindings =>
  Object.fromEntries(acts.flatMap(({ chord, run }) => (chord === undefined ? [] : [[chord, run]])));

export const ActButtons = ({ acts }: { acts: readonly CardAct[] }): ReactNode =>
  acts.map(({ label, run, ...button }) => (
    <Button key={label} {...button} onClick={run}>
      {label}
    </Button>
  ));

type ActBarProps = {
  acts: readonly CardAct[];
  /** What the act needs written, above it. */
  writing?: ReactNode;
  /** Leaves what is written, by Escape. */
  onBack?: () => void;
  /** Opens the episode beside the card; null where it is beside it already. */
  onOpenEpisode?: (() => void) | null;
  children?: ReactNode;
};

export function ActBar({ acts, writing, onBack, onOpenEpisode = null, children }: ActBarProps): ReactNode {
  return (
    <footer className={styles.acts}>
      {writing === undefined ? null : <div className={styles.writing}>{writing}</div>}
      <ActButtons acts={acts} />
      {onBack === undefined ? null : (
        <Button tone="quiet" chord="Escape" onClick={onBack}>
          Back
        </Button>
      )}
      <span className={styles.elsewhere}>
        {onOpenEpisode === null ? null : (
          <Button tone="quiet" chord="desk.open" onClick={onOpenEpisode}>
            Episode
          </Button>
        )}
        {children}
      </span>
    </footer>
  );
}
