// The last word on what the agent should have done: one of the reviewers' corrections, another one, or none of them.
import { PencilLine } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { CorrectionRow } from '../../../shared/contract/annotate.ts';
import { canonical } from '../../../shared/canonical.ts';
import type { EpisodeRecord, Turn } from '../../../shared/episode/record.ts';
import type { Correct } from '../../../shared/events/annotations.ts';
import { moveLine } from '../../../shared/timeline/turnRow.ts';
import { useKeys } from '../../state/hooks.ts';
import { useKeptValue } from '../../state/keptValue.ts';
import { personName, type Person } from '../../state/usePeople.ts';
import { Button } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Textarea } from '../../ui/Field.tsx';
import { Kbd } from '../../ui/Kbd.tsx';
import { correctDraft, CorrectDraft, CorrectWriting } from './CorrectWriting.tsx';
import { CorrectionText } from './CorrectionText.tsx';
import { choiceBindings, CHOICE_KEYS, targetLabel } from './fields.ts';
import * as styles from './Review.module.css';
import { useDecide, type Conflicting } from './useDecide.ts';

export function CorrectionConflict(props: Conflicting & { record: EpisodeRecord }): ReactNode {
  const { at, conflict, people, isCurrent, onEnter, record } = props;
  const { reason, setReason, failure, give } = useDecide(props);
  const [isWriting, setIsWriting] = useState(false);
  const [kept, keep] = useKeptValue(`decide/${at.item}/${targetLabel(conflict.target)}`, CorrectDraft);
  const move = correctedTurn(record, conflict.target)?.move ?? null;
  const said = distinct(conflict.corrections);
  const choose = (correct: Correct | null): void => void give({ value: null, correct });
  const choices = [
    ...said.map(
      ({ correct }) =>
        () =>
          choose(correct),
    ),
    () => choose(null),
  ];
  useKeys(
    'annotate',
    isCurrent && !isWriting
      ? { ...choiceBindings(choices), 'annotate.correct': () => setIsWriting(true) }
      : {},
  );
  const decided = conflict.adjudication;
  const isHeld = (correct: Correct | null): boolean =>
    decided !== null && canonical(decided.correct) === canonical(correct);
  const other = decided?.correct ?? null;
  const isOther = other !== null && !said.some(({ correct }) => isHeld(correct));
  return (
    <section
      className={cx(styles.field, isCurrent && styles.isCurrent)}
      aria-label={`What the agent should have done, ${targetLabel(conflict.target)}`}
      aria-current={isCurrent}
      onFocus={onEnter}
      onPointerDown={onEnter}
    >
      <h3>
        What the agent should have done <span className={styles.quiet}>{targetLabel(conflict.target)}</span>
      </h3>
      {move === null ? null : (
        <p className={styles.quiet}>
          The agent did: <code>{moveLine(move)}</code>
        </p>
      )}
      <ul className={styles.voices}>
        {said.map(({ correct, by }, place) => (
          <CorrectionChoice
            key={canonical(correct)}
            digit={isCurrent && place < CHOICE_KEYS.length ? place + 1 : null}
            isHeld={isHeld(correct)}
            onChoose={() => choose(correct)}
            by={by}
            people={people}
          >
            <CorrectionText correct={correct} reason={null} />
          </CorrectionChoice>
        ))}
        <CorrectionChoice
          digit={isCurrent && said.length < CHOICE_KEYS.length ? said.length + 1 : null}
          isHeld={isHeld(null)}
          onChoose={() => choose(null)}
          by={[]}
          people={people}
        >
          None of them
        </CorrectionChoice>
      </ul>
      {isWriting ? (
        <CorrectWriting
          tools={record.tools}
          draft={kept ?? correctDraft({ move }, record.tools, said[0] ?? null)}
          keep={keep}
          label="This is right"
          onGive={(correct, why) => give({ value: null, correct, reason: why })}
          onClose={() => setIsWriting(false)}
        />
      ) : (
        <>
          <span>
            <Button
              size="small"
              icon={<PencilLine />}
              {...(isCurrent ? { chord: 'annotate.correct' } : {})}
              onClick={() => setIsWriting(true)}
            >
              {kept === null ? 'Write another' : 'Keep writing'}
            </Button>
          </span>
          <Field label="Why">
            <Textarea rows={1} value={reason} onChange={({ target }) => setReason(target.value)} />
          </Field>
        </>
      )}
      {decided === null ? null : (
        <p role="status">
          Decided:{' '}
          <strong>
            {decided.correct === null ? 'none of them' : isOther ? 'a different one, ' : 'as chosen above'}
          </strong>
          {isOther ? <CorrectionText correct={other} reason={null} /> : null}
          {decided.reason === null ? '' : `, because ${decided.reason}`}
        </p>
      )}
      {failure === null ? null : <ErrorNote title="Not decided" failure={failure} />}
    </section>
  );
}

type CorrectionChoiceProps = {
  /** The key that chooses it; null while the keys are elsewhere. */
  digit: number | null;
  isHeld: boolean;
  onChoose: () => void;
  by: readonly CorrectionRow[];
  people: readonly Person[];
  children: ReactNode;
};

function CorrectionChoice({
  digit,
  isHeld,
  onChoose,
  by,
  people,
  children,
}: CorrectionChoiceProps): ReactNode {
  return (
    <li>
      <button type="button" className={styles.choice} aria-pressed={isHeld} onClick={onChoose}>
        {digit === null ? null : <Kbd chord={String(digit)} />}
        <span>{children}</span>
      </button>
      {by.map(({ correction, reviewer, reason }) => (
        <span key={correction} className={styles.quiet}>
          {personName(people, reviewer)}
          {reason === null ? '' : `: ${reason}`}
        </span>
      ))}
    </li>
  );
}

type SaidCorrection = { correct: Correct; reason: string | null; by: CorrectionRow[] };

/** Each correction once, with all who gave it. */
function distinct(corrections: readonly CorrectionRow[]): SaidCorrection[] {
  const groups = Map.groupBy(corrections, ({ correct }) => canonical(correct));
  return [...groups.values()].flatMap((by) => {
    const [first] = by;
    return first === undefined ? [] : [{ correct: first.correct, reason: first.reason, by }];
  });
}

const correctedTurn = (record: EpisodeRecord, target: Conflicting['conflict']['target']): Turn | null =>
  target.on === 'trajectory' ? null : (record.turns.find(({ turn }) => turn === target.turn) ?? null);
