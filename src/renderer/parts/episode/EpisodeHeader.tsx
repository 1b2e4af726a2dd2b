// The one line over a timeline: the task in its own words, how the episode is doing, how far it is.
import { Cable, ChevronRight, User } from 'lucide-react';
import { useId, useMemo, useState, type ReactNode } from 'react';
import { isPlayedByPerson, recordsErrors } from '../../../shared/episode/phase.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { readObservation, type ObservationPart } from '../observation/readObservation.ts';
import { useText } from '../../state/hooks.ts';
import { StatusDot } from '../../ui/Badge.tsx';
import { cx } from '../../ui/cx.ts';
import { OutcomeOrHidden } from '../../ui/OutcomeMark.tsx';
import { EpisodeDetails, SEAT_ICONS } from './EpisodeDetails.tsx';
import {
  episodeProgress,
  hasExpert,
  recordOutcome,
  seatLabels,
  standingAt,
  taskNameOf,
  type Standpoint,
} from './facts.ts';
import * as styles from './EpisodeHeader.module.css';
import { TaskWords } from './TaskTitle.tsx';

type EpisodeHeaderProps = {
  record: EpisodeRecord;
  /** What can be done with the episode, at the end of the line. */
  actions?: ReactNode;
  /** Replay: the time shown is the recorded one, not today's. */
  isReplay?: boolean;
  /** Replay: the event it stands at. */
  point?: Standpoint | null;
  /** Whoever judges the episode reads the whole task first. */
  startsOpen?: boolean;
};

export function EpisodeHeader(props: EpisodeHeaderProps): ReactNode {
  const { record, actions, isReplay = false, point = null, startsOpen = false } = props;
  const [isOpen, setIsOpen] = useState(startsOpen);
  const task = useTask(record);
  const detailsId = useId();
  return (
    <header className={styles.header}>
      <div className={styles.line}>
        <h1 className={styles.name}>
          <button
            type="button"
            className={styles.task}
            aria-expanded={isOpen}
            aria-controls={isOpen ? detailsId : undefined}
            onClick={() => {
              task.load();
              setIsOpen(!isOpen);
            }}
          >
            <ChevronRight aria-hidden="true" className={cx(isOpen && styles.isOpen)} />
            <TaskWords text={task.title} />
          </button>
        </h1>
        <Standing record={record} point={point} />
        <Progress record={record} />
        <Flags record={record} />
        <span className={styles.actions}>{actions}</span>
      </div>
      {isOpen ? (
        <EpisodeDetails
          id={detailsId}
          record={record}
          isReplay={isReplay}
          task={task.text}
          hasRows={task.hasRows}
          isPast={task.isPast}
        />
      ) : null}
    </header>
  );
}

/**
 * The task, if it is told. An environment of actions tells none: its first observation stands in its place until a move
 * has been made, and then the episode's name, so that nobody takes it for what is seen now.
 */
function useTask(record: EpisodeRecord) {
  const { reset, turns } = record;
  const { text, load } = useText(reset?.task ?? '');
  const { text: frame } = useText(reset?.frame ?? '');
  const parts = useMemo(() => readObservation(frame), [frame]);
  const isPast = turns.length > 0 && isFirstObservation(parts, text);
  return {
    title: text.trim() === '' || isPast ? taskNameOf(record) : text,
    text,
    load,
    isPast,
    hasRows: parts?.some(({ type }) => type === 'board') === true,
  };
}

/** True if the task of an episode is only the observation at its start. */
const isFirstObservation = (parts: readonly ObservationPart[] | null, task: string): boolean =>
  parts !== null && !parts.some((part) => part.type === 'text' && part.text === task);

/** The episode's state; once it is over, its outcome, in the same place. */
function Standing({ record, point }: { record: EpisodeRecord; point: Standpoint | null }): ReactNode {
  const standing = standingAt(record, point);
  const outcome = recordOutcome(record);
  // That it ended is no outcome; that it was stopped or broke off is said beside it.
  const isPlain = outcome !== null && standing.label === 'Ended';
  return (
    <span className={styles.standing}>
      {isPlain ? null : <StatusDot tone={standing.tone} label={standing.label} />}
      {outcome === null ? null : (
        <span role="status">
          <OutcomeOrHidden outcome={outcome} />
        </span>
      )}
    </span>
  );
}

function Progress({ record }: { record: EpisodeRecord }): ReactNode {
  const { turns, turnLimit, asks, askLimit, errors } = episodeProgress(record);
  if (record.started === null) return null;
  return (
    <span className={styles.progress}>
      <span className={styles.turns}>
        turn <b>{turns}</b>
        {turnLimit !== null && ` of ${String(turnLimit)}`}
      </span>
      {hasExpert(record) ? (
        <span className={styles.asks}>
          asks <b>{asks}</b>
          {askLimit !== null && ` of ${String(askLimit)}`}
        </span>
      ) : null}
      <span className={cx(styles.errorCount, errors > 0 && styles.errors)}>
        {errors > 0
          ? `${String(errors)} error${errors === 1 ? '' : 's'}`
          : recordsErrors(record)
            ? 'no errors'
            : 'errors not recorded'}
      </span>
    </span>
  );
}

/** Icons of what changes a person's acts or view here; the details say it in words. */
function Flags({ record }: { record: EpisodeRecord }): ReactNode {
  const { tapped } = record;
  const flags = [
    ...(isPlayedByPerson(record) ? [{ Icon: User, label: 'played by a person' }] : []),
    ...(tapped === null
      ? []
      : [
          {
            Icon: Cable,
            label: tapped.may_act ? 'tapped, actions allowed' : 'tapped, advice and notes only',
          },
        ]),
    ...seatLabels(record).map(({ of, label }) => ({ Icon: SEAT_ICONS[of], label })),
  ];
  return flags.map(({ Icon, label }) => (
    <span key={label} className={styles.flag} title={label}>
      <Icon aria-hidden="true" />
      <span className="quiet-label">{label}</span>
    </span>
  ));
}
