// One difference between reviewers: what each said, and what holds.
import { PencilLine } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { CORRECTION, PREFERENCE } from '../../../shared/annotate/agreement.ts';
import { targetKey, valueKey } from '../../../shared/annotate/target.ts';
import { canonical } from '../../../shared/canonical.ts';
import type { ConflictRow } from '../../../shared/contract/annotate.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import type { Correct, Dimension, Value } from '../../../shared/events/annotations.ts';
import { useHumanTime } from '../../parts/advice/useHumanTime.ts';
import { moveLine } from '../../../shared/timeline/turnRow.ts';
import { useKeys, useSession } from '../../state/hooks.ts';
import { optionKeys } from '../../state/keyboard.ts';
import { useKeptValue } from '../../state/keptValue.ts';
import { useAct } from '../../state/queries.ts';
import { personName, type Person } from '../../state/usePeople.ts';
import { Button } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Textarea } from '../../ui/Field.tsx';
import { CorrectDraft, correctDraft, CorrectionText, CorrectWriting } from './Correction.tsx';
import { Choice, Choices, OPTIONS_SHOWN } from './FieldList.tsx';
import { targetLabel, valueText } from './fields.ts';
import * as styles from './Review.module.css';

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

/** What holds: a value, what the agent should have done, or null for nothing of it. */
type Decision = { value: Value | null; correct?: Correct | null; reason?: string | null };
type ConflictCardProps = {
  at: { project: string; queue: string; item: string };
  conflict: ConflictRow;
  dimensions: readonly Dimension[];
  record: EpisodeRecord;
  people: readonly Person[];
  isCurrent: boolean;
  onEnter: () => void;
  onDecided: () => void;
};

export function ConflictCard(props: ConflictCardProps): ReactNode {
  const { at, conflict, dimensions, people, isCurrent, onEnter, onDecided } = props;
  const { call } = useSession();
  const { target, dimension: id, adjudication: decided } = conflict;
  const [isWriting, setIsWriting] = useState(false);
  const [reason, setReason] = useState(decided?.reason ?? '');
  const time = useHumanTime(`decide/${at.item}/${id}/${targetKey(target)}`, isCurrent);
  const { failure, run: decide } = useAct(async (decision: Decision) => {
    const why = reason.trim() === '' ? null : reason.trim();
    const given = { ...at, target, dimension: id, reason: why, ...decision, timing: time.read() };
    await call('annotation.adjudicate', given);
    time.end();
    onDecided();
  });
  const isCorrection = id === CORRECTION;
  const dimension = dimensions.find((one) => one.id === id) ?? WHICH;
  const answers = isCorrection ? correctionAnswers(conflict) : valueAnswers(conflict, dimension);
  const held = decided === null ? undefined : answers.find(({ isHeld }) => isHeld(decided));
  useKeys(
    isCurrent && !isWriting
      ? {
          ...optionKeys(
            answers.map(
              ({ decision }) =>
                () =>
                  void decide(decision),
            ),
          ),
          ...(isCorrection ? { 'annotate.correct': () => setIsWriting(true) } : {}),
        }
      : {},
  );
  const name = isCorrection ? 'What the agent should have done' : dimension.name;
  const why = (
    <Field label="Why">
      <Textarea rows={1} value={reason} onChange={({ target: box }) => setReason(box.value)} />
    </Field>
  );
  return (
    <section
      className={cx(styles.field, isCurrent && styles.isCurrent)}
      aria-label={`${name}, ${targetLabel(target)}`}
      aria-current={isCurrent}
      onFocus={onEnter}
      onPointerDown={onEnter}
    >
      <h3>
        {name} <span className="quiet regular small">{targetLabel(target)}</span>
      </h3>
      {isCorrection ? <AgentMove {...props} /> : null}
      <ul className={cx('stack-1', styles.voices)}>
        {answers.map((answer, place) => (
          <li key={answer.key}>
            <Choice
              digit={isCurrent && place < OPTIONS_SHOWN ? place + 1 : null}
              isPressed={answer === held}
              onChoose={() => void decide(answer.decision)}
            >
              <span>{answer.label}</span>
            </Choice>
            <span className="quiet regular small">
              {answer.by
                .map((one) => `${personName(people, one.reviewer)}${one.reason ? `: ${one.reason}` : ''}`)
                .join(', ')}
            </span>
          </li>
        ))}
      </ul>
      {isCorrection ? (
        <OtherCorrection {...props} isWriting={isWriting} onWriting={setIsWriting} decide={decide}>
          {why}
        </OtherCorrection>
      ) : (
        <>
          <details className="quiet regular small">
            <summary>Something else is right</summary>
            <OtherValue
              dimension={dimension}
              value={decided?.value ?? null}
              onGive={(value) => void decide({ value })}
            />
          </details>
          {why}
        </>
      )}
      {decided === null ? null : (
        <p role="status">
          Decided:{' '}
          {decided.correct === null ? (
            <strong>{isCorrection ? 'none of them' : valueText(dimension, decided.value)}</strong>
          ) : held === undefined ? (
            <>
              <strong>a different one, </strong>
              <CorrectionText correct={decided.correct} />
            </>
          ) : (
            <strong>as chosen above</strong>
          )}
          {decided.reason === null ? '' : `, because ${decided.reason}`}
        </p>
      )}
      {failure === null ? null : <ErrorNote title="Not decided" failure={failure} />}
    </section>
  );
}

type Adjudication = NonNullable<ConflictRow['adjudication']>;
type Answer = {
  key: string;
  label: ReactNode;
  decision: Decision;
  by: readonly { reviewer: string; reason?: string | null }[];
  isHeld: (decided: Adjudication) => boolean;
};

/** Each value once, with all who gave it. */
const valueAnswers = ({ values }: ConflictRow, dimension: Dimension): Answer[] =>
  [...Map.groupBy(values, ({ value }) => valueKey(value))].flatMap(([key, by]) =>
    by.slice(0, 1).map(({ value }) => ({
      key,
      label: valueText(dimension, value),
      decision: { value },
      by,
      isHeld: (decided) => decided.value !== null && valueKey(decided.value) === key,
    })),
  );

/** Each correction once, with all who gave it; and that none of them is right. */
function correctionAnswers({ corrections }: ConflictRow): Answer[] {
  const answer = (correct: Correct | null, by: Answer['by']): Answer => ({
    key: canonical(correct),
    label: correct === null ? 'None of them' : <CorrectionText correct={correct} />,
    decision: { value: null, correct },
    by,
    isHeld: (decided) => canonical(decided.correct) === canonical(correct),
  });
  const groups = Map.groupBy(corrections, ({ correct }) => canonical(correct));
  return [
    ...[...groups.values()].flatMap((by) => by.slice(0, 1).map(({ correct }) => answer(correct, by))),
    answer(null, []),
  ];
}

const moveAt = ({ record, conflict: { target } }: ConflictCardProps) =>
  target.on === 'trajectory' ? null : (record.turns.find(({ turn }) => turn === target.turn)?.move ?? null);

function AgentMove(props: ConflictCardProps): ReactNode {
  const move = moveAt(props);
  return move === null ? null : (
    <p className="quiet regular small">
      The agent did: <code>{moveLine(move)}</code>
    </p>
  );
}

type OtherCorrectionProps = ConflictCardProps & {
  isWriting: boolean;
  onWriting: (isWriting: boolean) => void;
  decide: (decision: Decision) => Promise<boolean>;
  children: ReactNode;
};

function OtherCorrection({
  isWriting,
  onWriting,
  decide,
  children,
  ...props
}: OtherCorrectionProps): ReactNode {
  const { at, conflict, record, isCurrent } = props;
  const [kept, keep] = useKeptValue(`decide/${at.item}/${targetLabel(conflict.target)}`, CorrectDraft);
  if (isWriting) {
    return (
      <CorrectWriting
        tools={record.tools}
        draft={kept ?? correctDraft({ move: moveAt(props) }, record.tools, conflict.corrections[0] ?? null)}
        keep={keep}
        label="This is right"
        onGive={(correct, reason) => decide({ value: null, correct, reason })}
        onClose={() => onWriting(false)}
      />
    );
  }
  return (
    <>
      <span>
        <Button
          size="small"
          icon={<PencilLine />}
          {...(isCurrent ? { chord: 'annotate.correct' } : {})}
          onClick={() => onWriting(true)}
        >
          {kept === null ? 'Write another' : 'Keep writing'}
        </Button>
      </span>
      {children}
    </>
  );
}

type OtherValueProps = { dimension: Dimension; value: Value | null; onGive: (value: Value | null) => void };

/** Another option, or words of the adjudicator's own, or none. */
function OtherValue({ dimension, value, onGive }: OtherValueProps): ReactNode {
  const [text, setText] = useState(value?.type === 'free_text' ? value.text : '');
  if (dimension.type !== 'free_text') return <Choices dimension={dimension} value={value} onGive={onGive} />;
  const written = text.trim();
  return (
    <div className={styles.correction}>
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
          onClick={() => onGive({ type: 'free_text', text: written })}
        >
          This is right
        </Button>
        <Button size="small" tone="quiet" onClick={() => onGive(null)}>
          None of these is right
        </Button>
      </span>
    </div>
  );
}
