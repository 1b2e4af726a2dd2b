// One line of the timeline, closed or open: stripe and icon of who acted, the strong line, outcome, time.
import { CircleCheck, CircleX, Hourglass } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { outcomeWords, type RowTone, type TimelineRow } from '../../../shared/timeline/timelineRow.ts';
import { useSession } from '../../state/hooks.ts';
import { writeWhole } from '../../state/readAway.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { cx, variantClass } from '../../ui/cx.ts';
import { OutcomeMark } from '../../ui/OutcomeMark.tsx';
import { formatMoment } from '../../ui/time.ts';
import { ActorIcon, actorStyle } from '../actors.tsx';
import { InlineSentence } from '../plan/StepSentence.tsx';
import { formatOffset } from '../text/offset.ts';
import { VisibleText } from '../text/VisibleText.tsx';
import { ConsultationDetails } from './ConsultationDetails.tsx';
import { ItemDetails } from './ItemDetails.tsx';
import { stepMarkdown } from './markdown.ts';
import { DecisionDetails, LabelDetails } from './StepInDetails.tsx';
import { ToldDetails, TurnDetails } from './TurnDetails.tsx';
import { RecordedEvents } from './StepEvents.tsx';
import * as styles from './StepRow.module.css';

type StepRowProps = {
  row: TimelineRow;
  startedAt: number | null;
  isOpen: boolean;
  isActive: boolean;
  isFound: boolean;
  /** Inside a take-over: the bar at the left edge goes on. */
  isByPerson: boolean;
  /** The line Tab reaches; keys lead to the others. */
  isReachable: boolean;
  /** Read only when open, so that a closed line is not drawn again for news elsewhere. */
  record: EpisodeRecord | null;
  onToggle: (row: TimelineRow) => void;
};

export const StepRow = memo(function StepRow(props: StepRowProps): ReactNode {
  const { row, startedAt, isOpen, isActive, isFound, isByPerson, isReachable, record, onToggle } = props;
  const { subject } = row;
  return (
    <article
      className={cx(
        styles.row,
        styles[row.shape],
        row.isHuman && styles.human,
        row.outcome?.tone === 'waiting' && styles.waiting,
        isByPerson && styles.byPerson,
        isDiscarded(row) && styles.isDiscarded,
        row.isCopied && styles.isCopied,
        isActive && styles.isActive,
        isFound && styles.isFound,
      )}
      style={actorStyle(row.role)}
      data-row={row.key}
      data-role={row.role}
      data-by-person={isByPerson}
    >
      <button
        type="button"
        className={styles.head}
        aria-expanded={isOpen}
        tabIndex={isReachable ? 0 : -1}
        data-row-head={row.key}
        onClick={() => onToggle(row)}
      >
        <span className={styles.turn}>
          {subject.type === 'turn' ? (
            <>
              <span className="quiet-label">Turn </span>
              {subject.turn.turn}
            </>
          ) : null}
        </span>
        <span className={styles.icon}>
          <ActorIcon role={row.role} />
        </span>
        <span className={styles.words}>
          {row.struck === null ? null : (
            <del className={styles.struck}>
              <span className="quiet-label">Proposed: </span>
              <VisibleText text={row.struck} />
            </del>
          )}
          <span className={styles.line}>
            <strong className={row.sentence === undefined ? styles.name : styles.sentence}>
              {row.sentence === undefined ? (
                <VisibleText text={row.name} />
              ) : (
                <InlineSentence sentence={row.sentence} />
              )}
            </strong>{' '}
            {row.detail === '' ? null : (
              <span className={cx(styles.detail, row.isDetailCode && styles.code)}>
                <VisibleText text={row.detail} />
              </span>
            )}
          </span>
          {row.said === null ? null : (
            <span className={styles.said}>
              <VisibleText text={row.said} />
            </span>
          )}
          <RowResult row={row} />
        </span>
        <RowOutcome row={row} />
        <time className={styles.time} dateTime={new Date(row.at).toISOString()} title={formatMoment(row.at)}>
          {startedAt === null ? '' : formatOffset(row.at - startedAt)}
        </time>
      </button>
      {isOpen && record !== null && subject.type !== 'technical' ? (
        <div className={styles.details}>
          <RowDetails row={row} record={record} />
        </div>
      ) : null}
    </article>
  );
});

const isDiscarded = ({ subject }: TimelineRow): boolean =>
  subject.type === 'turn' && subject.turn.isDiscarded;

const TONE_ICONS: Readonly<Record<RowTone, ReactNode>> = {
  ok: <CircleCheck aria-hidden="true" />,
  error: <CircleX aria-hidden="true" />,
  waiting: <Hourglass aria-hidden="true" />,
  plain: null,
};

/** The result of a call, in the words of the card. */
function RowResult({ row: { result, outcome } }: { row: TimelineRow }): ReactNode {
  if (result === undefined) return null;
  const tone = outcome?.tone ?? 'plain';
  return (
    <span className={cx(styles.came, variantClass(styles, `tone_${tone}`))}>
      {TONE_ICONS[tone]}
      {tone === 'error' ? <span className="quiet-label">Failed: </span> : null}
      <span>
        <VisibleText text={result} />
      </span>
    </span>
  );
}

function RowOutcome({ row }: { row: TimelineRow }): ReactNode {
  const { outcome, reward, verdict, result } = row;
  return (
    <span className={styles.result}>
      {row.isCopied ? (
        <span className={styles.copied} title="Copied from the episode this one continues">
          copied
        </span>
      ) : null}
      {reward === null || reward === 0 ? null : (
        <span className={styles.reward} title="Reward">
          {formatReward(reward)}
        </span>
      )}
      {verdict !== undefined ? (
        <OutcomeMark outcome={verdict} />
      ) : outcome === null || result !== undefined ? null : (
        <span className={cx(styles.outcome, variantClass(styles, `tone_${outcome.tone}`))}>
          {TONE_ICONS[outcome.tone]}
          {outcomeWords(outcome)}
        </span>
      )}
    </span>
  );
}

/** `+1`, `−0.5`, as much of it as was given. */
const formatReward = (reward: number): string =>
  reward < 0 ? `−${String(Math.abs(reward))}` : `+${String(reward)}`;

/** The details of a line, to be taken along too. */
export function RowDetails({ row, record }: { row: TimelineRow; record: EpisodeRecord }): ReactNode {
  const session = useSession();
  return (
    <>
      <SubjectDetails row={row} record={record} />
      <RecordedEvents row={row} record={record} />
      <CopyButton
        label="Copy this step as Markdown"
        text={() => writeWhole(session, (whole) => stepMarkdown(row, whole))}
      />
    </>
  );
}

function SubjectDetails({
  row: { subject },
  record,
}: {
  row: TimelineRow;
  record: EpisodeRecord;
}): ReactNode {
  switch (subject.type) {
    case 'turn':
      return <TurnDetails turn={subject.turn} record={record} />;
    case 'told':
      return <ToldDetails turn={subject.turn} record={record} />;
    case 'decision':
      return <DecisionDetails turn={subject.turn} record={record} />;
    case 'label':
      return <LabelDetails turn={subject.turn} />;
    case 'consultation':
      return <ConsultationDetails consultation={subject.consultation} />;
    case 'technical':
      return null;
    case 'item':
      return <ItemDetails item={subject.item} record={record} />;
  }
}
