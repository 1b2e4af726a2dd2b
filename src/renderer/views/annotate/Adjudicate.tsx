// The last word where reviewers differ: what each said, and what holds.
import { Gavel } from 'lucide-react';
import { Fragment, useEffect, useState, type ReactNode } from 'react';
import type { ConflictRow, ItemRow, ProjectRow, QueueRow } from '../../../shared/contract/annotate.ts';
import { CORRECTION, PREFERENCE } from '../../../shared/annotate/agreement.ts';
import { targetKey } from '../../../shared/annotate/target.ts';
import type { Dimension } from '../../../shared/events/annotations.ts';
import { EpisodeHeader } from '../../parts/episode/EpisodeHeader.tsx';
import { Timeline } from '../../parts/timeline/Timeline.tsx';
import { useTimeline } from '../../parts/timeline/useTimeline.ts';
import { useEpisodeRecord, useKeys, usePane } from '../../state/hooks.ts';
import { annotateRoute, formatRoute, navigate } from '../../state/route.ts';
import { useAsk } from '../../state/queries.ts';
import { usePeople, type Person } from '../../state/usePeople.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { SplitPane } from '../../ui/SplitPane.tsx';
import { ConflictCard } from './ConflictCard.tsx';
import { CorrectionConflict } from './CorrectionConflict.tsx';
import { reviewLabels } from './itemLabels.ts';
import * as styles from './Review.module.css';
import type { ItemAt } from './useReview.ts';

type Props = { project: ProjectRow; queue: QueueRow; item: string };

/** A preference is adjudicated like any other question. */
const WHICH: Dimension = {
  type: 'category',
  id: PREFERENCE,
  name: 'Which is better',
  description: '',
  on: ['trajectory'],
  is_required: false,
  use: null,
  is_ordered: false,
  options: [
    { id: 'left', label: 'Left', description: '' },
    { id: 'tie', label: 'Neither', description: '' },
    { id: 'right', label: 'Right', description: '' },
  ],
};

export function Adjudicate({ project, queue, item }: Props): ReactNode {
  const at = { project: project.project, queue: queue.queue, item };
  const { value, failure, again } = useAsk('annotation.conflicts', at);
  if (failure !== null) {
    return (
      <div className={styles.instead}>
        <ErrorNote title="Could not load the reviews" failure={failure} />
      </div>
    );
  }
  if (value === null) {
    return (
      <div className={styles.instead}>
        <Skeleton rows={9} height={28} label="Loading the reviews" />
      </div>
    );
  }
  const { row } = value;
  // What must be decided comes first.
  const conflicts = value.conflicts.toSorted(
    (a, b) => Number(b.is_open_question) - Number(a.is_open_question),
  );
  const episode = row.subject.type === 'episode' ? row.subject.episode : row.subject.left.episode;
  return <Deciding {...{ project, queue, at, row, conflicts, episode }} onDecided={again} />;
}

type DecidingProps = {
  project: ProjectRow;
  queue: QueueRow;
  at: ItemAt;
  row: ItemRow;
  conflicts: readonly ConflictRow[];
  episode: string;
  onDecided: () => void;
};

function Deciding({ project, queue, at, row, conflicts, episode, onDecided }: DecidingProps): ReactNode {
  const { record } = useEpisodeRecord(episode);
  const people = usePeople();
  const [chosenIndex, setIndex] = useState<number | null>(null);
  const questions = conflicts.filter(({ is_open_question: isOpen }) => isOpen);
  const left = questions.filter(({ adjudication }) => adjudication === null).length;
  const firstOpen = conflicts.findIndex(({ adjudication }) => adjudication === null);
  const index = Math.min(chosenIndex ?? Math.max(0, firstOpen), conflicts.length - 1);
  const decided = (): void => {
    setIndex(null);
    onDecided();
  };
  return (
    <Stage episode={episode} turn={conflictTurn(conflicts[index])}>
      <div className={styles.body}>
        <header className={styles.place}>
          <h2>Where reviewers differ</h2>
          <p className={styles.quiet} role="status">
            {left === 0
              ? 'Everything is decided.'
              : `${String(left)} of ${String(questions.length)} to decide`}
          </p>
          <Times row={row} people={people} />
        </header>
        {conflicts.map((conflict, place) => {
          const card = {
            at,
            conflict,
            people,
            isCurrent: place === index,
            onEnter: () => setIndex(place),
            onDecided: decided,
          };
          const key = `${conflict.dimension} ${targetKey(conflict.target)}`;
          const dimension = project.dimensions.find(({ id }) => id === conflict.dimension) ?? WHICH;
          return (
            <Fragment key={key}>
              {place === questions.length ? (
                <p className={styles.quiet}>Remarks differ too. Keep them all, or decide one if needed.</p>
              ) : null}
              {conflict.dimension === CORRECTION ? (
                <CorrectionConflict {...card} record={record} />
              ) : (
                <ConflictCard {...card} dimension={dimension} />
              )}
            </Fragment>
          );
        })}
      </div>
      <LeaveQueue
        project={project}
        queue={queue}
        isLeft={left > 0}
        count={conflicts.length}
        index={index}
        onMove={setIndex}
      />
    </Stage>
  );
}

/** Who reviewed the item, and how long they took. */
function Times({ row, people }: { row: ItemRow; people: readonly Person[] }): ReactNode {
  const done = reviewLabels(row, people).filter(({ isDone }) => isDone);
  return <p className={styles.quiet}>{done.map(({ name, label }) => `${name}: ${label}`).join(' · ')}</p>;
}

/** Where the difference lies; null for the whole episode. */
const conflictTurn = (conflict: ConflictRow | undefined): number | null =>
  conflict === undefined || conflict.target.on === 'trajectory' ? null : conflict.target.turn;

type AdjudicateStageProps = { episode: string; turn: number | null; children: ReactNode };

function Stage({ episode, turn, children }: AdjudicateStageProps): ReactNode {
  const { record, isLoaded } = useEpisodeRecord(episode);
  const timeline = useTimeline(record);
  const [pane, setPane] = usePane('annotate', 520);
  const { activate } = timeline;
  const key =
    timeline.rows.find(({ subject }) => subject.type === 'turn' && subject.turn.turn === turn)?.key ?? null;
  useEffect(() => {
    if (key !== null) activate(key);
  }, [activate, key]);
  const panel = (
    <aside className={styles.panel} aria-label="Decide">
      {children}
    </aside>
  );
  return (
    <div className={styles.stage}>
      <EpisodeHeader record={record} isReplay startsOpen />
      <SplitPane
        label="Decide"
        side="end"
        stacks
        pane={pane}
        onPane={setPane}
        min={360}
        max={900}
        content={panel}
      >
        {isLoaded ? (
          <Timeline state={timeline} startAtEnd={false} />
        ) : (
          <Skeleton rows={9} height={28} label="Loading the steps" />
        )}
      </SplitPane>
    </div>
  );
}

type LeaveProps = {
  project: ProjectRow;
  queue: QueueRow;
  isLeft: boolean;
  count: number;
  index: number;
  onMove: (index: number) => void;
};

function LeaveQueue({ project, queue, isLeft, count, index, onMove }: LeaveProps): ReactNode {
  const next = (): void =>
    navigate(annotateRoute(project.project, queue.queue, null, true), { replace: true });
  useKeys('annotate', {
    'annotate.field_next': () => onMove((index + 1) % Math.max(1, count)),
    'annotate.field_previous': () => onMove((index + count - 1) % Math.max(1, count)),
    ...(isLeft ? {} : { 'annotate.done': next }),
  });
  return (
    <footer className={styles.acts}>
      <Button tone="primary" icon={<Gavel />} chord="annotate.done" isDisabled={isLeft} onClick={next}>
        Next disagreement
      </Button>
      <a href={formatRoute(annotateRoute(project.project))}>Back to {project.name}</a>
    </footer>
  );
}
