// One episode under review: its timeline, and beside it what is asked about the step one is on.
import { useMemo, useState, type ReactNode } from 'react';
import type { ItemView, ProjectRow, QueueRow } from '../../../shared/contract/annotate.ts';
import { coverRecorded } from '../../../shared/episode/cover.ts';
import { foldAll } from '../../../shared/episode/fold.ts';
import type { EpisodeRecord, Turn } from '../../../shared/episode/record.ts';
import type { Recorded } from '../../../shared/events/vocabulary.ts';
import { useHumanTime } from '../../parts/advice/useHumanTime.ts';
import { EpisodeHeader } from '../../parts/episode/EpisodeHeader.tsx';
import type { TimelineRow } from '../../../shared/timeline/timelineRow.ts';
import { Timeline } from '../../parts/timeline/Timeline.tsx';
import { useTimeline } from '../../parts/timeline/useTimeline.ts';
import { useEpisodeEvents, useEpisodeRecord, useKeys, usePane } from '../../state/hooks.ts';
import { annotateRoute, formatRoute } from '../../state/route.ts';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { NotFound } from '../../ui/NotFound.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { SplitPane } from '../../ui/SplitPane.tsx';
import { CorrectionForm } from './CorrectionForm.tsx';
import { FieldList } from './FieldList.tsx';
import { fieldsAt, type MarkedRange } from './fields.ts';
import { ReviewActs } from './ReviewActs.tsx';
import * as styles from './Review.module.css';
import { StepTexts } from './StepTexts.tsx';
import { useFinish, type Finish } from './useFinish.ts';
import { useReview, type Review } from './useReview.ts';

export type ReviewProps = {
  project: ProjectRow;
  queue: QueueRow;
  item: string;
  /** The item this seat finished last. */
  finished: string | null;
  onFinished: (item: string | null) => void;
};

export function ReviewItem(props: ReviewProps): ReactNode {
  const { project, queue, item } = props;
  const time = useHumanTime(`review/${item}`, true);
  const review = useReview({ project: project.project, queue: queue.queue, item }, time.read);
  const finish = useFinish(props, review, time);
  const episode = review.view?.row.subject.type === 'episode' ? review.view.row.subject.episode : null;
  if (review.view === null && review.failure?.code === 'not_found')
    return (
      <div className={styles.instead}>
        <NotFound
          what="item"
          name={item}
          href={formatRoute(annotateRoute(project.project, queue.queue))}
          label="Review the next one"
        >
          {`is not in ${queue.name}.`}
        </NotFound>
      </div>
    );
  if (review.failure !== null && review.view === null) {
    return (
      <div className={styles.instead}>
        <ErrorNote title="Could not open the item" failure={review.failure} />
        <a href={formatRoute(annotateRoute(project.project, queue.queue))}>The next item</a>
      </div>
    );
  }
  if (review.view === null || episode === null) {
    return (
      <div className={styles.instead}>
        <Skeleton rows={9} height={28} label="Opening the item" />
      </div>
    );
  }
  return <LoadedStage {...props} episode={episode} view={review.view} review={review} finish={finish} />;
}

/** Timeline and panel come together: the panel's keys go before the timeline's. */
function LoadedStage(props: Omit<ReviewStageProps, 'record' | 'events'>): ReactNode {
  const { record, events, isLoaded } = useReviewedRecord(props.episode, props.view.hides_outcome);
  if (isLoaded) return <ReviewStage {...props} record={record} events={events} />;
  return (
    <div className={styles.instead}>
      <Skeleton rows={9} height={28} label="Loading the steps" />
    </div>
  );
}

/** The episode as this reviewer may see it now. */
export function useReviewedRecord(episode: string, hidesOutcome: boolean) {
  const { record: whole, isLoaded } = useEpisodeRecord(episode);
  const events = useEpisodeEvents(episode);
  const covered = useMemo(() => (hidesOutcome ? events.map(coverRecorded) : null), [events, hidesOutcome]);
  const record = useMemo(
    () => (covered === null ? whole : foldAll(episode, covered)),
    [covered, whole, episode],
  );
  return { record, events: covered ?? events, isLoaded };
}

type ReviewStageProps = ReviewProps & {
  episode: string;
  view: ItemView;
  review: Review;
  finish: Finish;
  record: EpisodeRecord;
  events: readonly Recorded[];
};

function ReviewStage({
  project,
  episode,
  record,
  events,
  view,
  review,
  finish,
}: ReviewStageProps): ReactNode {
  const timeline = useTimeline(record);
  const [pane, setPane] = usePane('annotate', 520);
  const [isWhole, setIsWhole] = useState(false);
  const [marked, setMarked] = useState<{ at: string | null; range: MarkedRange } | null>(null);
  const [correcting, setCorrecting] = useState<number | null>(null);

  const row = timeline.rows.find(({ key }) => key === timeline.activeKey);
  const onRow = row === undefined ? null : turnAt(row, record.turns);
  const turn = isWhole ? null : onRow;
  const markedRange = marked !== null && marked.at === timeline.activeKey ? marked.range : null;
  const hasCall = turn?.move?.type === 'call_tool';
  const fields = useMemo(
    () => fieldsAt(project.dimensions, { episode, turn: turn?.turn ?? null, hasCall, marked: markedRange }),
    [project.dimensions, episode, turn?.turn, hasCall, markedRange],
  );
  const isDone = view.row.mine === 'done' || view.row.mine === 'skipped';
  useKeys('annotate', {
    'annotate.whole': () => setIsWhole(!isWhole),
    ...(turn === null || isDone ? {} : { 'annotate.correct': () => setCorrecting(turn.turn) }),
  });
  const asksRanges = project.dimensions.some(({ on }) => on.includes('range'));
  const panel = (
    <aside className={styles.panel} aria-label="Review">
      <div className={styles.body} data-scrolls>
        <ReviewPlace
          project={project}
          turn={turn}
          isWhole={isWhole}
          hasTurn={onRow !== null}
          isHidden={view.hides_outcome}
        />
        {review.refusal === null ? null : <ErrorNote title="Not written" failure={review.refusal} />}
        <FieldList fields={fields} view={view} review={review} isReadOnly={isDone} />
        {turn !== null && markedRange === null ? (
          <CorrectionForm
            key={turn.turn}
            item={view.row.item}
            episode={episode}
            turn={turn}
            tools={record.tools}
            view={view}
            review={review}
            isOpen={correcting === turn.turn}
            onOpen={(isOpen) => setCorrecting(isOpen ? turn.turn : null)}
            isReadOnly={isDone}
          />
        ) : null}
        {asksRanges && !isDone ? (
          <StepTexts
            episode={episode}
            events={events}
            turn={turn}
            view={view}
            dimensions={project.dimensions}
            marked={markedRange}
            onMark={(range) => setMarked(range === null ? null : { at: timeline.activeKey, range })}
            onWithdraw={review.withdraw}
          />
        ) : null}
      </div>
      <ReviewActs
        view={view}
        review={review}
        finish={finish}
        isWriting={turn !== null && correcting === turn.turn}
      />
    </aside>
  );
  return (
    <div className={styles.stage}>
      <EpisodeHeader record={record} isReplay startsOpen />
      <SplitPane
        label="Review"
        side="end"
        stacks
        pane={pane}
        onPane={setPane}
        min={360}
        max={900}
        content={panel}
      >
        <Timeline state={timeline} startAtEnd={false} />
      </SplitPane>
    </div>
  );
}

function ReviewPlace({
  project,
  turn,
  isWhole,
  hasTurn,
  isHidden,
}: {
  project: ProjectRow;
  turn: Turn | null;
  isWhole: boolean;
  hasTurn: boolean;
  isHidden: boolean;
}): ReactNode {
  const hint = hasTurn && isWhole ? 'Press w to go back to the step.' : 'Use j and k to move between steps.';
  return (
    <header className={styles.place}>
      <h2>{turn === null ? 'The whole episode' : `Turn ${String(turn.turn)}`}</h2>
      {turn === null ? <p className={styles.quiet}>{hint}</p> : null}
      {isHidden ? <p className={styles.quiet}>The outcome is hidden until your review is done.</p> : null}
      {project.instructions === '' ? null : (
        <details className={styles.quiet}>
          <summary>How to judge</summary>
          <p className={styles.instructions}>{project.instructions}</p>
        </details>
      )}
    </header>
  );
}

/** The turn a line belongs to; null for what is about the episode as a whole. */
function turnAt({ subject }: TimelineRow, turns: readonly Turn[]): Turn | null {
  if ('turn' in subject) return subject.turn;
  if (subject.type !== 'consultation') return null;
  return turns.find(({ turn }) => turn === subject.consultation.turn) ?? null;
}
