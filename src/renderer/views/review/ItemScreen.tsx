// An item on screen: what is reviewed with the reviewer's form, or with the decisions where reviewers disagree.
import { Check, Clock, RotateCcw, SkipForward, Undo2 } from 'lucide-react';
import { useMemo, useState, type ReactNode } from 'react';
import { z } from 'zod';
import { PREFERENCE } from '../../../shared/review/agreement.ts';
import { episodesOf, targetKey } from '../../../shared/review/target.ts';
import type { AnnotationRow, ItemRow, ItemView } from '../../../shared/contract/review.ts';
import type { Outputs } from '../../../shared/contract/contract.ts';
import type { Turn } from '../../../shared/episode/record.ts';
import type { Dimension, Subject } from '../../../shared/events/annotations.ts';
import type { ToolSpec } from '../../../shared/events/lifecycle.ts';
import type { FailureShape } from '../../../shared/failure.ts';
import type { TimelineRow } from '../../../shared/timeline/timelineRow.ts';
import { formatCount } from '../../parts/text/size.ts';
import { useEpisodeRecord, useKeys, useSession } from '../../state/hooks.ts';
import { useKeptValue } from '../../state/keptValue.ts';
import { useAsk } from '../../state/queries.ts';
import { formatRoute, reviewRoute } from '../../state/route.ts';
import { personName, usePeople } from '../../state/usePeople.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Textarea } from '../../ui/Field.tsx';
import { NotFound } from '../../ui/NotFound.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { CorrectionText, correctDraft, WriteCorrection } from './Correction.tsx';
import { Disagreements } from './Disagreements.tsx';
import { FieldList, REQUIRED, useCurrentField, type FormField } from './FieldList.tsx';
import {
  answersOf,
  choicesOf,
  fieldsAt,
  isAt,
  isChosen,
  ownAt,
  valueText,
  valueWithChoice,
  WHICH,
  type MarkedRange,
  type ReviewField,
} from './fields.ts';
import { EpisodeStage, PairStage, useReviewedEpisode } from './ItemStage.tsx';
import { MarkWords } from './MarkWords.tsx';
import * as styles from './Review.module.css';
import { useReview, type Review, type ReviewProps } from './useReview.ts';

type ItemProps = ReviewProps & {
  /** The list beside it has the keys. */
  isQuiet: boolean;
};

export const ItemScreen = ({ isDeciding, ...props }: ItemProps & { isDeciding: boolean }): ReactNode =>
  isDeciding ? <Deciding {...props} /> : <Reviewing {...props} />;

function Reviewing(props: ItemProps): ReactNode {
  const review = useReview(props);
  const { view, failure } = review;
  if (view === null) return <Unopened {...props} failure={failure} />;
  const { subject } = view.row;
  const loaded = { ...props, view, review };
  return (
    <WhenLoaded {...props} subject={subject}>
      {subject.type === 'episode' ? (
        <EpisodeReview {...loaded} episode={subject.episode} />
      ) : (
        <PairReview {...loaded} pair={subject} />
      )}
    </WhenLoaded>
  );
}

function Deciding(props: ItemProps): ReactNode {
  const at = { project: props.project.project, queue: props.queue.queue, item: props.item };
  const { value, failure, again } = useAsk('annotation.conflicts', at);
  if (value === null) return <Unopened {...props} failure={failure} />;
  const { subject } = value.row;
  const loaded = { ...props, ...value, onDecided: again };
  return (
    <WhenLoaded {...props} subject={subject}>
      {subject.type === 'episode' ? (
        <EpisodeDecision {...loaded} episode={subject.episode} />
      ) : (
        <PairStage label="Decide" isQuiet={props.isQuiet} pair={subject} hidesOutcome={false} better={null}>
          <Disagreements {...loaded} episode={null}>
            <ItemLinks {...loaded} isDeciding />
          </Disagreements>
        </PairStage>
      )}
    </WhenLoaded>
  );
}

type DecisionProps = ItemProps &
  Pick<Outputs['annotation.conflicts'], 'row' | 'conflicts'> & { episode: string; onDecided: () => void };

function EpisodeDecision({ episode, ...props }: DecisionProps): ReactNode {
  const { record, timeline } = useReviewedEpisode(episode, false);
  return (
    <EpisodeStage label="Decide" isQuiet={props.isQuiet} record={record} timeline={timeline}>
      <Disagreements {...props} episode={{ record, timeline }}>
        <ItemLinks {...props} isDeciding />
      </Disagreements>
    </EpisodeStage>
  );
}

/** In place of an item that is not read yet, or cannot be. */
function Unopened({
  project,
  queue,
  item,
  failure,
}: ItemProps & { failure: FailureShape | null }): ReactNode {
  const href = formatRoute(reviewRoute(project.project, queue.queue));
  return (
    <div className={styles.instead}>
      {failure === null ? (
        <Skeleton rows={9} height={28} label="Opening the item" />
      ) : failure.code === 'not_found' ? (
        <NotFound
          what={queue.subject === 'pair' ? 'pair' : 'item'}
          name={item}
          href={href}
          label={`Show the items of ${queue.name}`}
        >
          {`is not in ${queue.name}.`}
        </NotFound>
      ) : (
        <>
          <ErrorNote title="Could not open the item" failure={failure} />
          <a href={href}>{`Back to ${queue.name}`}</a>
        </>
      )}
    </div>
  );
}

/** Timelines and what is asked come together: the keys of the questions go before the timeline's. */
function WhenLoaded(props: ItemProps & { subject: Subject; children: ReactNode }): ReactNode {
  const [first = '', last = first] = episodesOf(props.subject);
  const one = useEpisodeRecord(first);
  const other = useEpisodeRecord(last);
  return one.isLoaded && other.isLoaded ? props.children : <Unopened {...props} failure={null} />;
}

type LoadedProps = ItemProps & { view: ItemView; review: Review };

/** The questions of a review, with the reviewer's own answers and what they may see of others'. */
function useFormFields(fields: readonly ReviewField[], { view, review }: LoadedProps): FormField[] {
  const { seat } = useSession();
  const people = usePeople();
  const answers = answersOf(view);
  return fields.map((field): FormField => {
    const { dimension } = field;
    const own = ownAt(field, answers, seat);
    const others = answers.filter((one) => one.reviewer !== seat && isAt(field, one));
    return {
      key: field.key,
      target: field.target,
      name: dimension.name,
      note: dimension.is_required ? REQUIRED : '',
      help: dimension.description,
      choices: choicesOf(dimension).map((choice) => ({
        ...choice,
        isPressed: isChosen(own?.value ?? null, choice.id),
        onChoose: () => review.set(field, valueWithChoice(dimension, own?.value ?? null, choice.id)),
      })),
      children: (
        <>
          {dimension.type === 'scale' ? <ScaleEnds {...dimension} /> : null}
          {dimension.type === 'free_text' ? (
            <NoteField item={view.row.item} isReadOnly={view.until === null} {...{ field, own, review }} />
          ) : null}
          {others.map((one) => (
            <p key={one.annotation} className="quiet small">
              {`${personName(people, one.reviewer)}: ${valueText(dimension, one.value)}`}
            </p>
          ))}
        </>
      ),
    };
  });
}

type Scale = Extract<Dimension, { type: 'scale' }>;

const ScaleEnds = ({ min, max, min_label: low, max_label: high }: Scale): ReactNode => (
  <p className="quiet small">
    {[low === '' ? [] : `${String(min)}: ${low}`, high === '' ? [] : `${String(max)}: ${high}`]
      .flat()
      .join(', ')}
  </p>
);

type NoteFieldProps = {
  field: ReviewField;
  item: string;
  own: AnnotationRow | null;
  isReadOnly: boolean;
  review: Review;
};

/** Words are kept as they are written, and given when the field is left. */
function NoteField({ field, item, own, isReadOnly, review }: NoteFieldProps): ReactNode {
  const [kept, keep] = useKeptValue(`note/${item}/${field.key}/${targetKey(field.target)}`, z.string());
  const given = own?.value.type === 'free_text' ? own.value.text : '';
  const give = (): void => {
    if (kept === null) return;
    const text = kept.trim();
    if (text !== given) review.set(field, text === '' ? null : { type: 'free_text', text });
    keep(null);
  };
  return (
    <Textarea
      aria-label={field.dimension.name}
      rows={Math.min(8, Math.max(2, (kept ?? given).split('\n').length))}
      value={kept ?? given}
      readOnly={isReadOnly}
      maxLength={100_000}
      onChange={({ target }) => keep(target.value)}
      onBlur={give}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        event.currentTarget.blur();
      }}
    />
  );
}

function EpisodeReview(props: LoadedProps & { episode: string }): ReactNode {
  const { project, episode, view, review, isQuiet } = props;
  const { record, events, timeline } = useReviewedEpisode(episode, view.hides_outcome);
  const [isWhole, setIsWhole] = useState(false);
  const [marked, setMarked] = useState<{ at: string | null; range: MarkedRange } | null>(null);
  const [correcting, setCorrecting] = useState<number | null>(null);

  const row = timeline.rows.find(({ key }) => key === timeline.activeKey);
  const onRow = row === undefined ? null : turnAt(row, record.turns);
  const turn = isWhole ? null : onRow;
  const markedRange = marked !== null && marked.at === timeline.activeKey ? marked.range : null;
  const hasCall = turn?.move?.type === 'call_tool';
  const asked = useMemo(
    () => fieldsAt(project.dimensions, { episode, turn: turn?.turn ?? null, hasCall, marked: markedRange }),
    [project.dimensions, episode, turn?.turn, hasCall, markedRange],
  );
  const fields = useFormFields(asked, props);
  const current = useCurrentField(fields);
  const isOver = view.until === null;
  useKeys({
    'annotate.whole': () => setIsWhole(!isWhole),
    ...(turn === null || isOver ? {} : { 'annotate.correct': () => setCorrecting(turn.turn) }),
  });
  return (
    <EpisodeStage label="Review" isQuiet={isQuiet} record={record} timeline={timeline}>
      <div className={styles.body} data-scrolls>
        <header>
          <div className="row-3">
            <h2>
              {markedRange !== null
                ? 'Marked words'
                : turn === null
                  ? 'The whole episode'
                  : `Turn ${String(turn.turn)}`}
            </h2>
            <ItemLinks {...props} row={view.row} />
          </div>
          {turn === null ? (
            <p className="quiet small">
              {onRow !== null && isWhole
                ? 'Press w to go back to the step.'
                : 'Use j and k to move between steps.'}
            </p>
          ) : null}
          <ReviewHints project={project} view={view} />
        </header>
        {review.refusal === null ? null : <ErrorNote title="Not written" failure={review.refusal} />}
        <FieldList fields={fields} current={current} isReadOnly={isOver} />
        {turn !== null && markedRange === null ? (
          <Corrections
            key={turn.turn}
            {...{ episode, turn, view, review }}
            tools={record.tools}
            isOpen={correcting === turn.turn}
            onOpen={(isOpen) => setCorrecting(isOpen ? turn.turn : null)}
          />
        ) : null}
        {!isOver && project.dimensions.some(({ on }) => on.includes('range')) ? (
          <MarkWords
            {...{ episode, events, turn, view }}
            dimensions={project.dimensions}
            marked={markedRange}
            onMark={(range) => setMarked(range === null ? null : { at: timeline.activeKey, range })}
            onWithdraw={review.withdraw}
          />
        ) : null}
      </div>
      <ReviewActs {...props} isWriting={turn !== null && correcting === turn.turn} />
    </EpisodeStage>
  );
}

/** The turn a line belongs to; null for what is about the episode as a whole. */
function turnAt({ subject }: TimelineRow, turns: readonly Turn[]): Turn | null {
  if ('turn' in subject) return subject.turn;
  if (subject.type !== 'consultation') return null;
  return turns.find(({ turn }) => turn === subject.consultation.turn) ?? null;
}

const ReviewHints = ({ project, view }: Pick<LoadedProps, 'project' | 'view'>): ReactNode => (
  <>
    {view.hides_outcome ? (
      <p className="quiet small">The outcome is hidden until your review is done.</p>
    ) : null}
    {project.instructions === '' ? null : (
      <details className="quiet small">
        <summary>How to judge</summary>
        <p className={styles.instructions}>{project.instructions}</p>
      </details>
    )}
  </>
);

type CorrectionsProps = Pick<LoadedProps, 'view' | 'review'> & {
  episode: string;
  turn: Turn;
  tools: readonly ToolSpec[];
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
};

/** Corrections of the agent at a step: those given, and a form to give one. */
function Corrections({ episode, turn, tools, view, review, isOpen, onOpen }: CorrectionsProps): ReactNode {
  const { seat } = useSession();
  const people = usePeople();
  const given = view.corrections.filter(
    ({ target }) => target.on !== 'trajectory' && target.turn === turn.turn && target.episode === episode,
  );
  const own = given.find(({ reviewer }) => reviewer === seat);
  const on = turn.move?.type === 'call_tool' ? 'call' : 'step';
  return (
    <section className={styles.field} aria-label="What the agent should have done">
      <h3>What the agent should have done</h3>
      {given.map((one) => (
        <div key={one.correction} className={styles.given}>
          <p>
            <CorrectionText correct={one.correct} />
            {one.reason === null ? null : <span className="quiet small">{` because ${one.reason}`}</span>}
          </p>
          {one === own ? (
            <Button size="small" tone="quiet" onClick={() => review.withdraw(one.correction)}>
              Undo
            </Button>
          ) : (
            <span className="quiet small">{personName(people, one.reviewer)}</span>
          )}
        </div>
      ))}
      {view.until === null ? null : (
        <WriteCorrection
          name={`correct/${view.row.item}/${String(turn.turn)}`}
          tools={tools}
          start={correctDraft(turn, tools, own ?? null)}
          isOpen={isOpen}
          onOpen={onOpen}
          hasKey
          labels={{ write: own === undefined ? 'Write it' : 'Change it', give: 'Save correction' }}
          onGive={(correct, reason) => review.correct({ on, episode, turn: turn.turn }, correct, reason)}
        />
      )}
    </section>
  );
}

function PairReview(props: LoadedProps & { pair: Extract<Subject, { type: 'pair' }> }): ReactNode {
  const { project, pair, view, review, isQuiet } = props;
  const { seat } = useSession();
  const target = { on: 'trajectory', episode: pair.left.episode } as const;
  const fields = useFormFields([{ key: PREFERENCE, dimension: WHICH, target }], props);
  const current = useCurrentField(fields);
  const better = view.preferences.find(({ reviewer }) => reviewer === seat)?.choice ?? null;
  return (
    <PairStage label="Review" hidesOutcome={view.hides_outcome} {...{ isQuiet, pair, better }}>
      <div className={styles.body} data-scrolls>
        <div className="row-3">
          <ReviewHints project={project} view={view} />
          <ItemLinks {...props} row={view.row} />
        </div>
        {review.refusal === null ? null : <ErrorNote title="Not written" failure={review.refusal} />}
        <FieldList fields={fields} current={current} isReadOnly={view.until === null} />
      </div>
      <ReviewActs {...props} />
    </PairStage>
  );
}

/** Done, later, skip and undo. While a correction is being written, its own button has the key of done. */
function ReviewActs(props: LoadedProps & { isWriting?: boolean }): ReactNode {
  const { view, review, isWriting = false } = props;
  const { leave, reopen, undo, undoLabel } = review;
  const { mine } = view.row;
  const isOver = view.until === null;
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
    const isLeft = mine === 'done' || mine === 'skipped';
    return (
      <footer className={styles.acts}>
        <span className="quiet small">
          {isLeft
            ? `You ${mine === 'done' ? 'have finished' : 'skipped'} this item.`
            : 'This item has all its reviews.'}
        </span>
        {isLeft ? (
          <Button size="small" icon={<RotateCcw />} onClick={reopen}>
            Open it again
          </Button>
        ) : null}
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

type LinksProps = Pick<ReviewProps, 'project' | 'queue' | 'item'> & { row: ItemRow; isDeciding?: boolean };

/** From a review to the disagreements of the item and back, and to the queue. */
function ItemLinks({ project, queue, item, row, isDeciding = false }: LinksProps): ReactNode {
  const to = (one: string | null, decides: boolean): string =>
    formatRoute(reviewRoute(project.project, queue.queue, one, decides));
  return (
    <>
      <span className="grows" />
      {isDeciding ? (
        row.mine === 'open' ? null : (
          <a href={to(item, false)}>Your review</a>
        )
      ) : row.conflicts.all > 0 ? (
        <a href={to(item, true)}>{formatCount(row.conflicts.all, 'disagreement')}</a>
      ) : null}
      <a href={to(null, false)}>{queue.name}</a>
    </>
  );
}
