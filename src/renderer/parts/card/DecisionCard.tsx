// Shared parts of the cards of a question, a held call and a stopped episode: one column, the note why it is closed,
// and one bar of acts, each with its key.
import { Ellipsis } from 'lucide-react';
import type { KeyboardEvent, ReactNode, Ref } from 'react';
import type { FailureShape } from '../../../shared/failure.ts';
import type { DeskItem } from '../../../shared/episode/rowShapes.ts';
import type { Bindings } from '../../state/keyboard.ts';
import type { KeyId } from '../../state/keys.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Menu, type MenuEntry } from '../../ui/Menu.tsx';
import { Tooltip } from '../../ui/Tooltip.tsx';
import { useNow } from '../../state/hooks.ts';
import { cx } from '../../ui/cx.ts';
import { formatDuration, formatMoment } from '../../ui/time.ts';
import type { Closed } from './closed.ts';
import * as styles from './DecisionCard.module.css';
import { UndoLine } from './Undo.tsx';
import { type Deadline, deadlineOf, draftStateOf } from './deadline.ts';

type DecisionCardProps = {
  label: string;
  'data-consultation'?: string;
  /** The keys that decide are ignored still. */
  isFresh?: boolean;
  head: ReactNode;
  /** Takes the focus where nothing is written. */
  body?: Ref<HTMLDivElement>;
  onBodyKeyDown?: (event: KeyboardEvent<HTMLDivElement>) => void;
  /** Why main refused the last act, and what else can be done. */
  failure?: { title: string; failure: FailureShape; action?: ReactNode } | null;
  acts: ReactNode;
  children: ReactNode;
};

export function DecisionCard(props: DecisionCardProps): ReactNode {
  const { label, isFresh, head, body, onBodyKeyDown, failure = null, acts, children } = props;
  return (
    <section
      className={styles.card}
      aria-label={label}
      data-consultation={props['data-consultation']}
      data-fresh={isFresh}
    >
      <header className={styles.head}>{head}</header>
      <div className={styles.body} ref={body} tabIndex={-1} onKeyDown={onBodyKeyDown}>
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
      <span className="wrap-1">
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

/** The keys of acts; one that is off takes its key and does nothing. */
export const actKeys = (acts: readonly CardAct[]): Bindings =>
  Object.fromEntries(
    acts.flatMap(({ chord, isDisabled, run }) =>
      chord === undefined ? [] : [[chord, isDisabled === true ? () => undefined : run]],
    ),
  );

export const ActButtons = ({ acts }: { acts: readonly CardAct[] }): ReactNode =>
  acts.map((act) => <ActButton key={act.label} act={act} />);

/** The key stands on the act that is meant to be next; on the others it is shown on hover and focus. */
function ActButton({ act: { label, run, chord, title, ...button } }: { act: CardAct }): ReactNode {
  const isLoud = button.tone === 'primary' || button.tone === 'danger';
  if (isLoud || chord === undefined) {
    return (
      <Button {...button} {...(chord === undefined ? {} : { chord })} title={title} onClick={run}>
        {label}
      </Button>
    );
  }
  return (
    <Tooltip text={title ?? label} chord={chord} side="top">
      <Button {...button} onClick={run}>
        {label}
      </Button>
    </Tooltip>
  );
}

/** An act as a line of the menu of less-used ones. */
const menuEntry = ({ label, chord, icon, isDisabled, run }: CardAct): MenuEntry => ({
  label,
  icon,
  ...(chord === undefined ? {} : { chord }),
  isDisabled: isDisabled === true,
  onChoose: run,
});

/** Leaves the card for another that waits; nothing where none does. */
export function NextButton({ waiting, onNext }: { waiting: number; onNext: () => void }): ReactNode {
  if (waiting === 0) return null;
  return (
    <Tooltip text={`Next question, ${String(waiting)} more waiting`} chord="desk.next" side="top">
      <Button tone="quiet" onClick={onNext}>
        Next
      </Button>
    </Tooltip>
  );
}

type ActBarProps = {
  acts: readonly CardAct[];
  /** Less-used acts, behind "More". */
  more?: readonly CardAct[];
  /** What is said in place of acts, or before them. */
  lead?: ReactNode;
  /** What the act needs written, above it. */
  writing?: ReactNode;
  /** Leaves what is written, by Escape. */
  onBack?: () => void;
  /** Opens the episode beside the card; null where it is beside it already. */
  onOpenEpisode?: (() => void) | null;
  /** The question the bar says the undo of itself. */
  about?: string | null;
  children?: ReactNode;
};

export function ActBar(props: ActBarProps): ReactNode {
  const { acts, lead, more = [], writing, onBack, onOpenEpisode = null, about = null, children } = props;
  return (
    <footer className={styles.acts}>
      {writing === undefined ? null : <div className={styles.writing}>{writing}</div>}
      {lead}
      <ActButtons acts={acts} />
      {more.length === 0 ? null : (
        <Menu
          side="top"
          trigger={
            <Button tone="quiet" icon={<Ellipsis />}>
              More
            </Button>
          }
          items={more.map(menuEntry)}
        />
      )}
      {onBack === undefined ? null : (
        <Button tone="quiet" chord="Escape" onClick={onBack}>
          Back
        </Button>
      )}
      <span className={styles.elsewhere}>
        <UndoLine except={about} />
        {onOpenEpisode === null ? null : (
          <Tooltip text="Open the episode beside the card" chord="open" side="top">
            <Button tone="quiet" onClick={onOpenEpisode}>
              Episode
            </Button>
          </Tooltip>
        )}
        {children}
      </span>
    </footer>
  );
}

type CardHeadProps = {
  /** Since when it waits; null where it no longer does. */
  since: number | null;
  /** How long it may wait; left out where it may wait for good. */
  deadlineFrom?: (now: number) => Deadline;
  why?: ReactNode;
  place: ReactNode;
};

/** The head of a card: how long it waits and until when, why, and which episode it is of. */
export function CardHead({ since, deadlineFrom, why, place }: CardHeadProps): ReactNode {
  return (
    <>
      <div className={styles.words}>
        {since === null ? null : <Wait since={since} deadlineFrom={deadlineFrom} />}
        <p className="quiet small">{place}</p>
      </div>
      {why}
      {since === null || deadlineFrom === undefined ? null : <DeadlineBar deadlineFrom={deadlineFrom} />}
    </>
  );
}

type WaitProps = { since: number; deadlineFrom: CardHeadProps['deadlineFrom'] };

function Wait({ since, deadlineFrom }: WaitProps): ReactNode {
  const now = useNow();
  const deadline = deadlineFrom?.(now) ?? null;
  return (
    <>
      <strong className={styles.age} title={formatMoment(since)}>
        Waiting {formatDuration(Math.max(1000, now - since))}
      </strong>
      {deadline === null ? null : (
        <span className={cx((deadline.isUrgent || deadline.isExecuting) && 'bad bold')}>{deadline.text}</span>
      )}
    </>
  );
}

const DeadlineBar = ({ deadlineFrom }: { deadlineFrom: (now: number) => Deadline }): ReactNode => (
  <TimeLeft deadline={deadlineFrom(useNow())} />
);

/** The bar that drains towards what happens at the deadline; thin, and for the eye alone, in a line of a list. */
function TimeLeft({ deadline, isThin = false }: { deadline: Deadline; isThin?: boolean }): ReactNode {
  const { left, isUrgent, isExecuting } = deadline;
  if (left === null) return null;
  return (
    <progress
      className={cx(styles.bar, isThin && styles.thin, (isUrgent || isExecuting) && styles.isUrgentBar)}
      value={left}
      max={1}
      {...(isThin ? { 'aria-hidden': true } : { 'aria-label': 'Time left' })}
    />
  );
}

export function DeadlineLine({ item }: { item: DeskItem }): ReactNode {
  return <TimeLeft deadline={deadlineOf(item, draftStateOf(item), useNow())} isThin />;
}

type Place = Pick<DeskItem, 'scenario' | 'task_idx' | 'turn' | 'turn_limit'>;

export const outOf = (count: number, limit: number | null): string =>
  `${String(count)}${limit === null ? '' : ` of ${String(limit)}`}`;

/** `orders_1 #0 · turn 4 of 15` */
export const placeOf = ({ scenario, task_idx, turn, turn_limit }: Place): string =>
  `${scenario ?? 'no scenario'}${task_idx === null ? '' : ` #${String(task_idx)}`} · turn ${outOf(turn, turn_limit)}`;
