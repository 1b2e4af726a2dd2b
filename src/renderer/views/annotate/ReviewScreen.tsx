// An item of a queue on screen: one episode with what is asked about the step one is on, two candidates side by side, or
// what reviewers of it differ on.
import {
  ArrowLeft,
  ArrowRight,
  Check,
  Clock,
  Equal,
  Gavel,
  RotateCcw,
  SkipForward,
  Undo2,
} from 'lucide-react';
import { Fragment, useEffect, useMemo, useState, type ReactNode } from 'react';
import { episodesOf, targetKey } from '../../../shared/annotate/target.ts';
import type { ItemView } from '../../../shared/contract/annotate.ts';
import type { Outputs } from '../../../shared/contract/contract.ts';
import { coverRecorded } from '../../../shared/episode/cover.ts';
import { foldAll } from '../../../shared/episode/fold.ts';
import type { EpisodeRecord, Turn } from '../../../shared/episode/record.ts';
import type { Candidate } from '../../../shared/events/annotations.ts';
import type { FailureShape } from '../../../shared/failure.ts';
import { EpisodeHeader } from '../../parts/episode/EpisodeHeader.tsx';
import { moveLine } from '../../../shared/timeline/turnRow.ts';
import { Timeline } from '../../parts/timeline/Timeline.tsx';
import type { TimelineRow } from '../../../shared/timeline/timelineRow.ts';
import { useTimeline, type TimelineState } from '../../parts/timeline/useTimeline.ts';
import { useEpisodeEvents, useEpisodeRecord, useKeys, usePane, useSession } from '../../state/hooks.ts';
import { optionKeys } from '../../state/keyboard.ts';
import { useAsk } from '../../state/queries.ts';
import { reviewRoute, formatRoute, navigate } from '../../state/route.ts';
import { usePeople } from '../../state/usePeople.ts';
import { Button } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { NotFound } from '../../ui/NotFound.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { SplitPane } from '../../ui/SplitPane.tsx';
import { ConflictCard } from './ConflictCard.tsx';
import { CorrectionForm } from './Correction.tsx';
import { FieldList } from './FieldList.tsx';
import { fieldsAt, type MarkedRange } from './fields.ts';
import { reviewLabels } from './ItemLine.tsx';
import * as styles from './Review.module.css';
import { StepTexts } from './StepTexts.tsx';
import { useReview, type Review, type ReviewProps } from './useReview.ts';

export function ReviewScreen({ isJudged, ...props }: ReviewProps & { isJudged: boolean }): ReactNode {
  return isJudged ? <Adjudication {...props} /> : <OwnReview {...props} />;
}

function OwnReview(props: ReviewProps): ReactNode {
  const review = useReview(props);
  const { view, failure } = review;
  if (view === null) return <Unopened {...props} failure={failure} />;
  const { subject } = view.row;
  return (
    <WhenLoaded {...props} episodes={episodesOf(subject)}>
      {subject.type === 'episode' ? (
        <EpisodeReview {...props} episode={subject.episode} view={view} review={review} />
      ) : (
        <PairReview left={subject.left} right={subject.right} view={view} review={review} />
      )}
    </WhenLoaded>
  );
}

type ItemAt = Pick<ReviewProps, 'project' | 'queue' | 'item'>;

/** In place of an item that is not read yet, or cannot be. */
function Unopened({ project, queue, item, failure }: ItemAt & { failure: FailureShape | null }): ReactNode {
  const next = formatRoute(reviewRoute(project.project, queue.queue));
  return (
    <div className={styles.instead}>
      {failure === null ? (
        <Skeleton rows={9} height={28} label="Opening the item" />
      ) : failure.code === 'not_found' ? (
        <NotFound
          what={queue.subject === 'pair' ? 'pair' : 'item'}
          name={item}
          href={next}
          label="Review the next one"
        >
          {`is not in ${queue.name}.`}
        </NotFound>
      ) : (
        <>
          <ErrorNote title="Could not open the item" failure={failure} />
          <a href={next}>The next item</a>
        </>
      )}
    </div>
  );
}

/** Timelines and what is asked come together: the keys of the questions go before the timeline's. */
function WhenLoaded(props: ItemAt & { episodes: readonly string[]; children: ReactNode }): ReactNode {
  const [first = '', last = first] = props.episodes;
  const one = useEpisodeRecord(first);
  const other = useEpisodeRecord(last);
  return one.isLoaded && other.isLoaded ? props.children : <Unopened {...props} failure={null} />;
}

/** The episode as this reviewer may see it now. */
function useReviewedRecord(episode: string, hidesOutcome: boolean) {
  const { record: whole } = useEpisodeRecord(episode);
  const events = useEpisodeEvents(episode);
  const covered = useMemo(() => (hidesOutcome ? events.map(coverRecorded) : null), [events, hidesOutcome]);
  const record = useMemo(
    () => (covered === null ? whole : foldAll(episode, covered)),
    [covered, whole, episode],
  );
  return { record, events: covered ?? events };
}

/** Goes to a turn of the timeline whenever it is another one. */
function useGoToTurn({ rows, activate }: TimelineState, turn: number | null): void {
  const row = rows.find(({ subject }) => subject.type === 'turn' && subject.turn.turn === turn);
  const key = row?.key ?? null;
  useEffect(() => {
    if (key !== null) activate(key);
  }, [activate, key]);
}

type StageProps = { label: string; record: EpisodeRecord; timeline: TimelineState; children: ReactNode };

/** One episode, and beside it a panel. */
function Stage({ label, record, timeline, children }: StageProps): ReactNode {
  const [pane, setPane] = usePane('annotate', 520);
  const panel = (
    <aside className={styles.panel} aria-label={label}>
      {children}
    </aside>
  );
  return (
    <div className={styles.stage}>
      <EpisodeHeader record={record} isReplay startsOpen />
      <SplitPane
        label={label}
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

type LoadedProps = { view: ItemView; review: Review };

function EpisodeReview(props: ReviewProps & LoadedProps & { episode: string }): ReactNode {
  const { project, episode, view, review } = props;
  const { record, events } = useReviewedRecord(episode, view.hides_outcome);
  const timeline = useTimeline(record);
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
  const isDone = isClosed(view);
  useKeys({
    'annotate.whole': () => setIsWhole(!isWhole),
    ...(turn === null || isDone ? {} : { 'annotate.correct': () => setCorrecting(turn.turn) }),
  });
  const hint =
    onRow !== null && isWhole ? 'Press w to go back to the step.' : 'Use j and k to move between steps.';
  return (
    <Stage label="Review" record={record} timeline={timeline}>
      <div className={styles.body} data-scrolls>
        <header className={styles.place}>
          <h2>{turn === null ? 'The whole episode' : `Turn ${String(turn.turn)}`}</h2>
          {turn === null ? <p className="quiet regular small">{hint}</p> : null}
          {view.hides_outcome ? (
            <p className="quiet regular small">The outcome is hidden until your review is done.</p>
          ) : null}
          {project.instructions === '' ? null : (
            <details className="quiet regular small">
              <summary>How to judge</summary>
              <p className={styles.instructions}>{project.instructions}</p>
            </details>
          )}
        </header>
        {review.refusal === null ? null : <ErrorNote title="Not written" failure={review.refusal} />}
        <FieldList fields={fields} view={view} review={review} isReadOnly={isDone} />
        {turn !== null && markedRange === null ? (
          <CorrectionForm
            key={turn.turn}
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
        {!isDone && project.dimensions.some(({ on }) => on.includes('range')) ? (
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
      <ReviewActs view={view} review={review} isWriting={turn !== null && correcting === turn.turn} />
    </Stage>
  );
}

/** The turn a line belongs to; null for what is about the episode as a whole. */
function turnAt({ subject }: TimelineRow, turns: readonly Turn[]): Turn | null {
  if ('turn' in subject) return subject.turn;
  if (subject.type !== 'consultation') return null;
  return turns.find(({ turn }) => turn === subject.consultation.turn) ?? null;
}

const isClosed = ({ row: { mine } }: ItemView): boolean => mine === 'done' || mine === 'skipped';

type Side = 'left' | 'right';

const PAIR_CHOICES = [
  { choice: 'left', label: 'Left is better', chord: '1', icon: <ArrowLeft /> },
  { choice: 'tie', label: 'Neither', chord: '2', icon: <Equal /> },
  { choice: 'right', label: 'Right is better', chord: '3', icon: <ArrowRight /> },
] as const;

function PairReview(props: LoadedProps & Readonly<Record<Side, Candidate>>): ReactNode {
  const { view, review } = props;
  const { seat } = useSession();
  const [side, setSide] = useState<Side>('left');
  const chosen = view.preferences.find(({ reviewer }) => reviewer === seat)?.choice ?? null;
  const isOpen = !isClosed(view);
  useKeys({
    'annotate.side': () => setSide(side === 'left' ? 'right' : 'left'),
    ...(isOpen
      ? optionKeys(
          PAIR_CHOICES.map(
            ({ choice }) =>
              () =>
                review.prefer(choice),
          ),
        )
      : {}),
  });
  return (
    <div className={styles.stage}>
      <div className={styles.sides}>
        {(['left', 'right'] as const).map((one) => (
          <section
            key={one}
            className={cx(styles.side, side === one && styles.isCurrent, chosen === one && styles.isBetter)}
            aria-label={one === 'left' ? 'Left' : 'Right'}
            aria-current={side === one}
            onFocus={() => setSide(one)}
            onPointerDown={() => setSide(one)}
          >
            <CandidateSteps candidate={props[one]} view={view} hasKeys={side === one} />
          </section>
        ))}
      </div>
      {review.refusal === null ? null : <ErrorNote title="Not written" failure={review.refusal} />}
      <div className={styles.prefer} role="group" aria-label="Which is better">
        {PAIR_CHOICES.map(({ choice, label, chord, icon }) => (
          <Button
            key={choice}
            icon={icon}
            chord={chord}
            aria-pressed={chosen === choice}
            isDisabled={!isOpen}
            onClick={() => review.prefer(choice)}
          >
            {label}
          </Button>
        ))}
      </div>
      <ReviewActs view={view} review={review} />
    </div>
  );
}

type CandidateProps = { candidate: Candidate; view: ItemView; hasKeys: boolean };

function CandidateSteps({ candidate, view, hasKeys }: CandidateProps): ReactNode {
  const { record } = useReviewedRecord(candidate.episode, view.hides_outcome);
  const timeline = useTimeline(record);
  useGoToTurn(timeline, candidate.type === 'episode' ? null : candidate.turn);
  return (
    <>
      {candidate.type === 'move' ? (
        <p className={styles.candidate}>
          <span className="quiet regular small">
            {`Turn ${String(candidate.turn)}${candidate.source === '' ? '' : `, ${candidate.source}`}: `}
          </span>
          <code>{moveLine(candidate.move)}</code>
        </p>
      ) : null}
      <EpisodeHeader record={record} isReplay startsOpen />
      <Timeline state={timeline} startAtEnd={false} isQuiet={!hasKeys} />
    </>
  );
}

/** Done, later, skip and undo. While a correction is being written, its own button has the key of done. */
function ReviewActs({ view, review, isWriting = false }: LoadedProps & { isWriting?: boolean }): ReactNode {
  const { leave, reopen, undo, undoLabel } = review;
  const isOver = isClosed(view);
  // Bound after the timeline's, which has other uses for some of them.
  useKeys({
    ...(isOver
      ? {}
      : {
          send: () => leave('done'),
          'annotate.skip': () => leave('skipped'),
          'annotate.postpone': () => leave('postponed'),
        }),
    ...(undo === null ? {} : { 'annotate.undo': undo }),
  });
  if (isOver) {
    return (
      <footer className={styles.acts}>
        <p className="quiet regular small">
          {view.row.mine === 'done' ? 'You have finished this item.' : 'You skipped this item.'}
        </p>
        <Button icon={<RotateCcw />} onClick={reopen}>
          Open it again
        </Button>
      </footer>
    );
  }
  return (
    <footer className={styles.acts}>
      <Button
        {...(isWriting ? {} : { tone: 'primary' as const, chord: 'send' })}
        size="small"
        icon={<Check />}
        onClick={() => leave('done')}
      >
        Done
      </Button>
      <Button size="small" icon={<Clock />} chord="annotate.postpone" onClick={() => leave('postponed')}>
        Later
      </Button>
      <Button size="small" icon={<SkipForward />} chord="annotate.skip" onClick={() => leave('skipped')}>
        Skip
      </Button>
      <Button
        size="small"
        tone="quiet"
        icon={<Undo2 />}
        chord="annotate.undo"
        isDisabled={undo === null}
        title={undoLabel === null ? 'Open the last item again' : `Undo: ${undoLabel}`}
        onClick={() => undo?.()}
      >
        Undo
      </Button>
    </footer>
  );
}

/** The last word where reviewers differ: what each said, and what holds. */
function Adjudication(props: ReviewProps): ReactNode {
  const at = { project: props.project.project, queue: props.queue.queue, item: props.item };
  const { value, failure, again } = useAsk('annotation.conflicts', at);
  if (value === null) return <Unopened {...props} failure={failure} />;
  const [episode = ''] = episodesOf(value.row.subject);
  return (
    <WhenLoaded {...props} episodes={[episode]}>
      <Differences {...props} {...value} episode={episode} onDecided={again} />
    </WhenLoaded>
  );
}

type DifferencesProps = ReviewProps &
  Outputs['annotation.conflicts'] & { episode: string; onDecided: () => void };

function Differences({
  project,
  queue,
  item,
  row,
  episode,
  onDecided,
  ...rest
}: DifferencesProps): ReactNode {
  const { record } = useEpisodeRecord(episode);
  const timeline = useTimeline(record);
  const people = usePeople();
  const [chosenIndex, setIndex] = useState<number | null>(null);
  // What must be decided comes first; remarks may all stand.
  const questions = rest.conflicts.filter(({ is_open_question: isOpen }) => isOpen);
  const conflicts = [...questions, ...rest.conflicts.filter(({ is_open_question: isOpen }) => !isOpen)];
  const left = questions.filter(({ adjudication }) => adjudication === null).length;
  const firstOpen = conflicts.findIndex(({ adjudication }) => adjudication === null);
  const index = Math.min(chosenIndex ?? Math.max(0, firstOpen), conflicts.length - 1);
  const target = conflicts[index]?.target;
  useGoToTurn(timeline, target === undefined || target.on === 'trajectory' ? null : target.turn);
  const goTo = (place: number): void => setIndex((place + conflicts.length) % Math.max(1, conflicts.length));
  const next = (): void => navigate(reviewRoute(project.project, queue.queue, null, true), { replace: true });
  useKeys({
    right: () => goTo(index + 1),
    left: () => goTo(index - 1),
    ...(left > 0 ? {} : { send: next }),
  });
  const reviewed = reviewLabels(row, people).filter(({ isDone }) => isDone);
  return (
    <Stage label="Decide" record={record} timeline={timeline}>
      <div className={styles.body}>
        <header className={styles.place}>
          <h2>Where reviewers differ</h2>
          <p className="quiet regular small" role="status">
            {left === 0
              ? 'Everything is decided.'
              : `${String(left)} of ${String(questions.length)} to decide`}
          </p>
          <p className="quiet regular small">
            {reviewed.map(({ name, label }) => `${name}: ${label}`).join(' · ')}
          </p>
        </header>
        {conflicts.map((conflict, place) => (
          <Fragment key={`${conflict.dimension} ${targetKey(conflict.target)}`}>
            {place === questions.length ? (
              <p className="quiet regular small">
                Remarks differ too. Keep them all, or decide one if needed.
              </p>
            ) : null}
            <ConflictCard
              at={{ project: project.project, queue: queue.queue, item }}
              conflict={conflict}
              dimensions={project.dimensions}
              record={record}
              people={people}
              isCurrent={place === index}
              onEnter={() => setIndex(place)}
              onDecided={() => {
                setIndex(null);
                onDecided();
              }}
            />
          </Fragment>
        ))}
      </div>
      <footer className={styles.acts}>
        <Button tone="primary" icon={<Gavel />} chord="send" isDisabled={left > 0} onClick={next}>
          Next disagreement
        </Button>
        <a href={formatRoute(reviewRoute(project.project))}>Back to {project.name}</a>
      </footer>
    </Stage>
  );
}
