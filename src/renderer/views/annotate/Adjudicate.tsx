// Owns: the last word where reviewers differ: what each said, and what holds.
import { Gavel } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import type { ConflictRow, ProjectRow, QueueRow } from '../../../shared/contract/annotate.ts';
import { PREFERENCE } from '../../../shared/annotate/agreement.ts';
import { targetKey, valueKey } from '../../../shared/annotate/target.ts';
import type { Dimension, Value } from '../../../shared/events/annotations.ts';
import { failureShape, type FailureShape } from '../../../shared/failure.ts';
import { useHumanTime } from '../../parts/advice/useHumanTime.ts';
import { EpisodeHeader } from '../../parts/episode/EpisodeHeader.tsx';
import { Timeline } from '../../parts/timeline/Timeline.tsx';
import { useTimeline } from '../../parts/timeline/useTimeline.ts';
import { useEpisodeRecord, useKeys, usePane, useSession } from '../../state/hooks.ts';
import { annotateRoute, formatRoute, navigate } from '../../state/route.ts';
import { useAnswer } from '../../state/useAnswer.ts';
import { Button } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Textarea } from '../../ui/Field.tsx';
import { Kbd } from '../../ui/Kbd.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { SplitPane } from '../../ui/SplitPane.tsx';
import { choicesOf, chosen, isChosen, targetWords, valueWords } from './fields.ts';
import styles from './Review.module.css';
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
  const { call } = useSession();
  const at = { project: project.project, queue: queue.queue, item };
  const { value, failure, again } = useAnswer(`conflicts ${item}`, () => call('annotation.conflicts', at));
  const [chosenIndex, setIndex] = useState<number | null>(null);
  if (failure !== null) {
    return (
      <div className={styles['instead']}>
        <ErrorNote title="Could not read what reviewers said" failure={failure} />
      </div>
    );
  }
  if (value === null) {
    return (
      <div className={styles['instead']}>
        <Skeleton rows={9} height={28} label="Reading what reviewers said" />
      </div>
    );
  }
  const { conflicts, row } = value;
  const firstOpen = conflicts.findIndex(({ adjudication }) => adjudication === null);
  const index = Math.min(chosenIndex ?? Math.max(0, firstOpen), conflicts.length - 1);
  const onDecided = (): void => {
    setIndex(null);
    again();
  };
  const left = conflicts.filter(({ adjudication }) => adjudication === null).length;
  return (
    <Stage
      episode={row.subject.type === 'episode' ? row.subject.episode : row.subject.left.episode}
      turn={turnOf(conflicts[index])}
    >
      <div className={styles['body']}>
        <header className={styles['place']}>
          <h2>Where reviewers differ</h2>
          <p className={styles['quiet']}>
            {left === 0
              ? 'All of it is decided.'
              : `${String(left)} of ${String(conflicts.length)} to decide`}
          </p>
        </header>
        {conflicts.map((conflict, place) => (
          <ConflictCard
            key={`${conflict.dimension} ${targetKey(conflict.target)}`}
            at={at}
            conflict={conflict}
            dimension={project.dimensions.find(({ id }) => id === conflict.dimension) ?? WHICH}
            isCurrent={place === index}
            onEnter={() => setIndex(place)}
            onDecided={onDecided}
          />
        ))}
      </div>
      <Leave
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

/** Where the difference lies; null for the whole episode. */
const turnOf = (conflict: ConflictRow | undefined): number | null =>
  conflict === undefined || conflict.target.on === 'trajectory' ? null : conflict.target.turn;

type StageProps = { episode: string; turn: number | null; children: ReactNode };

function Stage({ episode, turn, children }: StageProps): ReactNode {
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
    <aside className={styles['panel']} aria-label="Decide">
      {children}
    </aside>
  );
  return (
    <div className={styles['stage']}>
      <EpisodeHeader record={record} isReplay />
      <SplitPane label="Decide" side="end" pane={pane} onPane={setPane} min={360} max={900} content={panel}>
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

function Leave({ project, queue, isLeft, count, index, onMove }: LeaveProps): ReactNode {
  const next = (): void =>
    navigate(annotateRoute(project.project, queue.queue, null, true), { replace: true });
  useKeys('annotate', {
    'annotate.field_next': () => onMove((index + 1) % Math.max(1, count)),
    'annotate.field_previous': () => onMove((index + count - 1) % Math.max(1, count)),
    ...(isLeft ? {} : { 'annotate.done': next }),
  });
  return (
    <footer className={styles['acts']}>
      <Button tone="primary" icon={<Gavel />} chord="annotate.done" isDisabled={isLeft} onClick={next}>
        Next disagreement
      </Button>
      <a href={formatRoute(annotateRoute(project.project))}>Back to {project.name}</a>
    </footer>
  );
}

type CardProps = {
  at: ItemAt;
  conflict: ConflictRow;
  dimension: Dimension;
  isCurrent: boolean;
  onEnter: () => void;
  onDecided: () => void;
};

function ConflictCard({ at, conflict, dimension, isCurrent, onEnter, onDecided }: CardProps): ReactNode {
  const { call } = useSession();
  const time = useHumanTime(
    `decide/${at.item}/${conflict.dimension}/${targetKey(conflict.target)}`,
    isCurrent,
  );
  const [reason, setReason] = useState(conflict.adjudication?.reason ?? '');
  const [failure, setFailure] = useState<FailureShape | null>(null);
  const decided = conflict.adjudication;
  const give = (value: Value | null): void => {
    const { target, dimension: id } = conflict;
    setFailure(null);
    call('annotation.adjudicate', {
      ...at,
      target,
      dimension: id,
      value,
      reason: reason.trim() || null,
      timing: time.read(),
    })
      .then(() => {
        time.end();
        onDecided();
      })
      .catch((thrown: unknown) => setFailure(failureShape(thrown)));
  };
  const values = [...new Map(conflict.values.map(({ value }) => [valueKey(value), value])).values()];
  const keys = ['annotate.option_1', 'annotate.option_2', 'annotate.option_3', 'annotate.option_4'] as const;
  const bindings = Object.fromEntries(
    values.flatMap((value, place) => {
      const key = keys[place];
      return key === undefined ? [] : [[key, () => give(value)]];
    }),
  );
  useKeys('annotate', isCurrent ? bindings : {});
  return (
    <section
      className={cx(styles['field'], isCurrent && styles['isCurrent'])}
      aria-label={`${dimension.name}, ${targetWords(conflict.target)}`}
      aria-current={isCurrent}
      onFocus={onEnter}
      onPointerDown={onEnter}
    >
      <h3>
        {dimension.name} <span className={styles['quiet']}>{targetWords(conflict.target)}</span>
      </h3>
      <ul className={styles['voices']}>
        {values.map((value, place) => (
          <li key={valueKey(value)}>
            <button
              type="button"
              className={styles['choice']}
              aria-pressed={
                decided !== null && decided.value !== null && valueKey(decided.value) === valueKey(value)
              }
              onClick={() => give(value)}
            >
              {isCurrent && place < keys.length ? <Kbd chord={String(place + 1)} /> : null}
              {valueWords(dimension, value)}
            </button>
            <span className={styles['quiet']}>
              {conflict.values
                .filter((one) => valueKey(one.value) === valueKey(value))
                .map(({ reviewer }) => reviewer)
                .join(', ')}
            </span>
          </li>
        ))}
      </ul>
      <details className={styles['quiet']}>
        <summary>Something else holds</summary>
        <Other dimension={dimension} value={decided?.value ?? null} onGive={give} />
      </details>
      <Field label="Why">
        <Textarea rows={1} value={reason} onChange={({ target }) => setReason(target.value)} />
      </Field>
      {decided === null ? null : (
        <p role="status">
          Decided: <strong>{valueWords(dimension, decided.value)}</strong>
          {decided.reason === null ? '' : `, because ${decided.reason}`}
        </p>
      )}
      {failure === null ? null : <ErrorNote title="Not decided" failure={failure} />}
    </section>
  );
}

function Other({
  dimension,
  value,
  onGive,
}: {
  dimension: Dimension;
  value: Value | null;
  onGive: (value: Value | null) => void;
}): ReactNode {
  return (
    <div className={styles['choices']}>
      {choicesOf(dimension).map((choice) => (
        <button
          key={choice.id}
          type="button"
          className={styles['choice']}
          aria-pressed={isChosen(value, choice.id)}
          title={choice.description}
          onClick={() => onGive(chosen(dimension, value, choice.id))}
        >
          {choice.label}
        </button>
      ))}
    </div>
  );
}
