// Two candidates side by side, and saying with one key which is better.
import { ArrowLeft, ArrowRight, Equal } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import type { ItemView } from '../../../shared/contract/annotate.ts';
import type { Candidate } from '../../../shared/events/annotations.ts';
import { useHumanTime } from '../../parts/advice/useHumanTime.ts';
import { EpisodeHeader } from '../../parts/episode/EpisodeHeader.tsx';
import { moveLine } from '../../../shared/timeline/turnRow.ts';
import { Timeline } from '../../parts/timeline/Timeline.tsx';
import { useTimeline } from '../../parts/timeline/useTimeline.ts';
import { useEpisodeRecord, useKeys, useSession } from '../../state/hooks.ts';
import { Button } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { annotateRoute, formatRoute } from '../../state/route.ts';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { NotFound } from '../../ui/NotFound.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { ReviewActs } from './ReviewActs.tsx';
import { useReviewedRecord, type ReviewProps } from './ReviewItem.tsx';
import * as styles from './Review.module.css';
import { useFinish, type Finish } from './useFinish.ts';
import { useReview, type Review } from './useReview.ts';

type Side = 'left' | 'right';

export function PairReview(props: ReviewProps): ReactNode {
  const { project, queue, item } = props;
  const time = useHumanTime(`review/${item}`, true);
  const review = useReview({ project: project.project, queue: queue.queue, item }, time.read);
  const finish = useFinish(props, review, time);
  const { view } = review;
  if (review.view === null && review.failure?.code === 'not_found')
    return (
      <div className={styles.instead}>
        <NotFound
          what="pair"
          name={item}
          href={formatRoute(annotateRoute(project.project, queue.queue))}
          label="Review the next one"
        >
          {`is not in ${queue.name}.`}
        </NotFound>
      </div>
    );
  if (review.failure !== null && view === null) {
    return (
      <div className={styles.instead}>
        <ErrorNote title="Could not open the pair" failure={review.failure} />
      </div>
    );
  }
  const subject = view?.row.subject;
  if (view === null || subject?.type !== 'pair') return <Opening />;
  return <PairLoaded left={subject.left} right={subject.right} view={view} review={review} finish={finish} />;
}

const Opening = (): ReactNode => (
  <div className={styles.instead}>
    <Skeleton rows={9} height={28} label="Opening the pair" />
  </div>
);

type PairProps = { left: Candidate; right: Candidate; view: ItemView; review: Review; finish: Finish };

/** Both timelines come together: the keys of the pair go before theirs. */
function PairLoaded(props: PairProps): ReactNode {
  const left = useEpisodeRecord(props.left.episode);
  const right = useEpisodeRecord(props.right.episode);
  return left.isLoaded && right.isLoaded ? <PairStage {...props} /> : <Opening />;
}

function PairStage({ view, review, finish, ...candidates }: PairProps): ReactNode {
  const { seat } = useSession();
  const [side, setSide] = useState<Side>('left');
  const choice = view.preferences.find(({ reviewer }) => reviewer === seat)?.choice ?? null;
  const isOpen = view.row.mine !== 'done' && view.row.mine !== 'skipped';
  useKeys('annotate', {
    'annotate.side': () => setSide(side === 'left' ? 'right' : 'left'),
    ...(isOpen
      ? {
          'annotate.option_1': () => review.prefer('left'),
          'annotate.option_2': () => review.prefer('tie'),
          'annotate.option_3': () => review.prefer('right'),
        }
      : {}),
  });
  return (
    <div className={styles.stage}>
      <div className={styles.sides}>
        {(['left', 'right'] as const).map((one) => (
          <CandidateSide
            key={one}
            side={one}
            candidate={candidates[one]}
            view={view}
            hasKeys={side === one}
            isBetter={choice === one}
            onEnter={() => setSide(one)}
          />
        ))}
      </div>
      {review.refusal === null ? null : <ErrorNote title="Not written" failure={review.refusal} />}
      <Choices choice={choice} isOpen={isOpen} review={review} />
      <ReviewActs view={view} review={review} finish={finish} />
    </div>
  );
}

const PAIR_CHOICES = [
  { choice: 'left', label: 'Left is better', chord: 'annotate.option_1', icon: <ArrowLeft /> },
  { choice: 'tie', label: 'Neither', chord: 'annotate.option_2', icon: <Equal /> },
  { choice: 'right', label: 'Right is better', chord: 'annotate.option_3', icon: <ArrowRight /> },
] as const;

function Choices({
  choice,
  isOpen,
  review,
}: {
  choice: string | null;
  isOpen: boolean;
  review: Review;
}): ReactNode {
  return (
    <div className={styles.prefer} role="group" aria-label="Which is better">
      {PAIR_CHOICES.map((one) => (
        <Button
          key={one.choice}
          icon={one.icon}
          chord={one.chord}
          aria-pressed={choice === one.choice}
          isDisabled={!isOpen}
          onClick={() => review.prefer(one.choice)}
        >
          {one.label}
        </Button>
      ))}
    </div>
  );
}

type SideProps = {
  side: Side;
  candidate: Candidate;
  view: ItemView;
  hasKeys: boolean;
  isBetter: boolean;
  onEnter: () => void;
};

function CandidateSide({ side, candidate, view, hasKeys, isBetter, onEnter }: SideProps): ReactNode {
  const { record } = useReviewedRecord(candidate.episode, view.hides_outcome);
  const timeline = useTimeline(record);
  const turn = candidate.type === 'episode' ? null : candidate.turn;
  const { activate } = timeline;
  const key =
    turn === null
      ? null
      : (timeline.rows.find(({ subject }) => subject.type === 'turn' && subject.turn.turn === turn)?.key ??
        null);
  useEffect(() => {
    if (key !== null) activate(key);
  }, [activate, key]);
  return (
    <section
      className={cx(styles.side, hasKeys && styles.isCurrent, isBetter && styles.isBetter)}
      aria-label={side === 'left' ? 'Left' : 'Right'}
      aria-current={hasKeys}
      onFocus={onEnter}
      onPointerDown={onEnter}
    >
      {candidate.type === 'move' ? (
        <p className={styles.candidate}>
          <span className={styles.quiet}>
            {candidate.source !== ''
              ? `Turn ${String(candidate.turn)}, ${candidate.source}: `
              : `Turn ${String(candidate.turn)}: `}
          </span>
          <code>{moveLine(candidate.move)}</code>
        </p>
      ) : null}
      <EpisodeHeader record={record} isReplay startsOpen />
      <Timeline state={timeline} startAtEnd={false} isQuiet={!hasKeys} />
    </section>
  );
}
