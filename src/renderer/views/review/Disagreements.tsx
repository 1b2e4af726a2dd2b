// Disagreements of reviewers: what each said of a question, and the decision which of it holds.
import { Gavel } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { CORRECTION } from '../../../shared/review/agreement.ts';
import { targetKey, valueKey } from '../../../shared/review/target.ts';
import { canonical } from '../../../shared/canonical.ts';
import type { ConflictRow, ItemRow, ProjectRow, QueueRow } from '../../../shared/contract/review.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import type { Correct, Dimension, Value } from '../../../shared/events/annotations.ts';
import { moveLine } from '../../../shared/timeline/turnRow.ts';
import { useHumanTime } from '../../parts/advice/useHumanTime.ts';
import type { TimelineState } from '../../parts/timeline/useTimeline.ts';
import { useKeys, useSession } from '../../state/hooks.ts';
import { useAct } from '../../state/queries.ts';
import { personName, usePeople, type Person } from '../../state/usePeople.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Textarea } from '../../ui/Field.tsx';
import { CorrectionText, correctDraft, WriteCorrection } from './Correction.tsx';
import { Choices, FieldList, useCurrentField, type FormField } from './FieldList.tsx';
import { choicesOf, isChosen, targetLabel, valueText, valueWithChoice, WHICH } from './fields.ts';
import * as styles from './Review.module.css';
import { reviewLabels } from './ReviewList.tsx';
import { useGoToTurn } from './ItemStage.tsx';
import { useNextItem } from './useNextItem.ts';

/** The final value, what the agent should have done, or null for nothing of it. */
type Decision = { value: Value | null; correct?: Correct | null; reason?: string | null };

type DisagreementsProps = {
  project: ProjectRow;
  queue: QueueRow;
  row: ItemRow;
  conflicts: readonly ConflictRow[];
  /** Null where it is about a pair. */
  episode: { record: EpisodeRecord; timeline: TimelineState } | null;
  onDecided: () => void;
  /** Beside the heading. */
  children: ReactNode;
};

const keyOf = ({ dimension, target }: ConflictRow): string => `${dimension} ${targetKey(target)}`;

export function Disagreements(props: DisagreementsProps): ReactNode {
  const { project, queue, row, episode, onDecided, children } = props;
  const { call } = useSession();
  const people = usePeople();
  const [reasons, setReasons] = useState<Readonly<Record<string, string>>>({});
  const [writing, setWriting] = useState<string | null>(null);
  // What must be decided comes first; remarks may all stand.
  const conflicts = props.conflicts.toSorted(
    (a, b) => Number(b.is_open_question) - Number(a.is_open_question),
  );
  const questions = conflicts.filter(({ is_open_question: isOpen }) => isOpen);
  const left = questions.filter(({ adjudication }) => adjudication === null).length;
  const reasonOf = (one: ConflictRow): string => reasons[keyOf(one)] ?? one.adjudication?.reason ?? '';

  const current = useCurrentField(
    conflicts.map((one) => ({
      key: keyOf(one),
      target: one.target,
      isSettled: one.adjudication !== null || !one.is_open_question,
    })),
  );
  const shown = conflicts[current.index];
  const time = useHumanTime(`decide/${row.item}/${shown === undefined ? '' : keyOf(shown)}`, true);

  const { failure, run } = useAct(async (one: ConflictRow, decision: Decision) => {
    const reason = reasonOf(one).trim();
    await call('annotation.adjudicate', {
      project: project.project,
      queue: queue.queue,
      item: row.item,
      target: one.target,
      dimension: one.dimension,
      reason: reason === '' ? null : reason,
      ...decision,
      timing: time.read(),
    });
    time.end();
    current.goTo(null);
    onDecided();
  });
  const fields = conflicts.map((one) => {
    const key = keyOf(one);
    const dimension = project.dimensions.find(({ id }) => id === one.dimension) ?? WHICH;
    return decisionField(people, {
      conflict: one,
      item: row.item,
      record: episode?.record ?? null,
      dimension: one.dimension === CORRECTION ? null : dimension,
      reason: reasonOf(one),
      onReason: (reason) => setReasons({ ...reasons, [key]: reason }),
      isWriting: writing === key,
      onWriting: (isOpen) => setWriting(isOpen ? key : null),
      hasKey: shown === one,
      onDecide: (decision) => run(one, decision),
    });
  });
  useGoToTurn(
    episode?.timeline ?? null,
    shown === undefined || shown.target.on === 'trajectory' ? null : shown.target.turn,
  );
  const { decide: next, isBusy } = useNextItem(project.project, queue.queue);
  useKeys({
    ...(left > 0 || writing !== null ? {} : { send: () => void next() }),
    ...(shown?.dimension === CORRECTION && writing === null
      ? { 'annotate.correct': () => setWriting(keyOf(shown)) }
      : {}),
  });
  return (
    <>
      <div className={styles.body} data-scrolls>
        <DecisionHead row={row} people={people} left={left} of={questions.length}>
          {children}
        </DecisionHead>
        {failure === null ? null : <ErrorNote title="Not decided" failure={failure} />}
        <FieldList fields={fields} current={current} isReadOnly={writing !== null} />
      </div>
      <footer className={styles.acts}>
        <Button
          tone="primary"
          size="small"
          icon={<Gavel />}
          chord="send"
          isDisabled={left > 0}
          isBusy={isBusy}
          onClick={() => void next()}
        >
          Next disagreement
        </Button>
      </footer>
    </>
  );
}

type DecisionHeadProps = {
  row: ItemRow;
  people: readonly Person[];
  left: number;
  of: number;
  children: ReactNode;
};

const DecisionHead = ({ row, people, left, of, children }: DecisionHeadProps): ReactNode => (
  <header>
    <div className="row-3">
      <h2>Where reviewers disagree</h2>
      {children}
    </div>
    <p className="quiet small" role="status">
      {left === 0 ? 'Everything is decided.' : `${String(left)} of ${String(of)} to decide`}
    </p>
    <p className="quiet small">
      {reviewLabels(row, people)
        .filter(({ isDone }) => isDone)
        .map(({ name, label }) => `${name}: ${label}`)
        .join(' · ')}
    </p>
  </header>
);

type OwnDecisionProps = {
  conflict: ConflictRow;
  item: string;
  /** Null where it is about a pair. */
  record: EpisodeRecord | null;
  /** Null where it is what the agent should have done. */
  dimension: Dimension | null;
  reason: string;
  onReason: (reason: string) => void;
  isWriting: boolean;
  onWriting: (isWriting: boolean) => void;
  hasKey: boolean;
  onDecide: (decision: Decision) => Promise<boolean>;
};

/** A disagreement as a question of the form: each answer that was given is a choice. */
function decisionField(people: readonly Person[], props: OwnDecisionProps): FormField {
  const { conflict, dimension, onDecide } = props;
  const { target, adjudication: decided } = conflict;
  const answers =
    dimension === null ? correctionAnswers(conflict, people) : valueAnswers(conflict, dimension, people);
  const held = decided === null ? undefined : answers.find(({ isHeld }) => isHeld(decided));
  return {
    key: keyOf(conflict),
    target,
    name: dimension?.name ?? 'What the agent should have done',
    note: targetLabel(target),
    help: dimension?.description ?? '',
    choices: answers.map(({ key, label, by, decision }) => ({
      id: key,
      label,
      description: '',
      by,
      isPressed: key === held?.key,
      onChoose: () => void onDecide(decision),
    })),
    children: <OwnDecision {...props} isHeld={held !== undefined} />,
  };
}

type Adjudication = NonNullable<ConflictRow['adjudication']>;
type Answer = {
  key: string;
  label: ReactNode;
  decision: Decision;
  by: string;
  isHeld: (decided: Adjudication) => boolean;
};

/** Each value once, with all who gave it. */
const valueAnswers = ({ values }: ConflictRow, dimension: Dimension, people: readonly Person[]): Answer[] =>
  [...Map.groupBy(values, ({ value }) => valueKey(value))].flatMap(([key, given]) =>
    given.slice(0, 1).map(({ value }) => ({
      key,
      label: valueText(dimension, value),
      decision: { value },
      by: given.map(({ reviewer }) => personName(people, reviewer)).join(', '),
      isHeld: (decided) => decided.value !== null && valueKey(decided.value) === key,
    })),
  );

/** Each correction once, with all who gave it; and that none of them is right. */
function correctionAnswers({ corrections }: ConflictRow, people: readonly Person[]): Answer[] {
  const answer = (correct: Correct | null, given: ConflictRow['corrections']): Answer => ({
    key: canonical(correct),
    label: correct === null ? 'None of them' : <CorrectionText correct={correct} />,
    decision: { value: null, correct },
    by: given
      .map(({ reviewer, reason }) => `${personName(people, reviewer)}${reason === null ? '' : `: ${reason}`}`)
      .join(', '),
    isHeld: (decided) => canonical(decided.correct) === canonical(correct),
  });
  const groups = Map.groupBy(corrections, ({ correct }) => canonical(correct));
  return [
    ...[...groups.values()].flatMap((given) =>
      given.slice(0, 1).map(({ correct }) => answer(correct, given)),
    ),
    answer(null, []),
  ];
}

/** Under the answers: another one, why, and what was decided. */
function OwnDecision(props: OwnDecisionProps & { isHeld: boolean }): ReactNode {
  const { conflict, dimension, isHeld, reason, onReason, isWriting, onDecide } = props;
  const { adjudication: decided } = conflict;
  return (
    <>
      {conflict.is_open_question ? null : (
        <p className="quiet small">Remarks can all stand. Decide one only where it is needed.</p>
      )}
      {dimension === null ? (
        <OtherCorrection {...props} />
      ) : (
        <details className="quiet small">
          <summary>Something else is right</summary>
          <OtherValue
            dimension={dimension}
            value={decided?.value ?? null}
            onDecide={(value) => void onDecide({ value })}
          />
        </details>
      )}
      {isWriting ? null : (
        <Field label="Why">
          <Textarea rows={1} isGrowing value={reason} onChange={({ target }) => onReason(target.value)} />
        </Field>
      )}
      {decided === null ? null : (
        <p role="status">
          Decided:{' '}
          <strong>
            {isHeld ? (
              'as chosen above'
            ) : decided.correct !== null ? (
              <>
                a different one, <CorrectionText correct={decided.correct} />
              </>
            ) : dimension === null ? (
              'none of them'
            ) : (
              valueText(dimension, decided.value)
            )}
          </strong>
          {decided.reason === null ? '' : `, because ${decided.reason}`}
        </p>
      )}
    </>
  );
}

/** The agent's move, and a field for one that no reviewer said it should have made. */
function OtherCorrection(props: OwnDecisionProps): ReactNode {
  const { item, conflict, record, isWriting, onWriting, hasKey, onDecide } = props;
  const { target, corrections } = conflict;
  if (record === null || target.on === 'trajectory') return null;
  const move = record.turns.find(({ turn }) => turn === target.turn)?.move ?? null;
  return (
    <>
      {move === null ? null : (
        <p className="quiet small">
          The agent did: <code>{moveLine(move)}</code>
        </p>
      )}
      <WriteCorrection
        name={`decide/${item}/${targetLabel(target)}`}
        tools={record.tools}
        start={correctDraft({ move }, record.tools, corrections[0] ?? null)}
        isOpen={isWriting}
        onOpen={onWriting}
        hasKey={hasKey}
        labels={{ write: 'Write another', give: 'This is right' }}
        onGive={(correct, reason) => onDecide({ value: null, correct, reason })}
      />
    </>
  );
}

type OtherValueProps = {
  dimension: Dimension;
  value: Value | null;
  onDecide: (value: Value | null) => void;
};

/** Another option, or words of one's own, or none. */
function OtherValue({ dimension, value, onDecide }: OtherValueProps): ReactNode {
  const [text, setText] = useState(value?.type === 'free_text' ? value.text : '');
  if (dimension.type !== 'free_text') {
    const choices = choicesOf(dimension).map((choice) => ({
      ...choice,
      isPressed: isChosen(value, choice.id),
      onChoose: () => onDecide(valueWithChoice(dimension, value, choice.id)),
    }));
    return <Choices label={dimension.name} choices={choices} />;
  }
  const written = text.trim();
  return (
    <div className="stack-2">
      <Textarea
        rows={3}
        aria-label="Which is right"
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <span className="wrap-1 centered">
        <Button
          size="small"
          isDisabled={written === ''}
          onClick={() => onDecide({ type: 'free_text', text: written })}
        >
          This is right
        </Button>
        <Button size="small" tone="quiet" onClick={() => onDecide(null)}>
          None of these is right
        </Button>
      </span>
    </div>
  );
}
