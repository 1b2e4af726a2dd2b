// One question that reviewers answered differently: what each said, and what holds.
import { useState, type ReactNode } from 'react';
import { valueKey } from '../../../shared/annotate/target.ts';
import type { Dimension, Value } from '../../../shared/events/annotations.ts';
import { useKeys } from '../../state/hooks.ts';
import { personName } from '../../state/usePeople.ts';
import { Button } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Textarea } from '../../ui/Field.tsx';
import { Kbd } from '../../ui/Kbd.tsx';
import {
  choiceBindings,
  CHOICE_KEYS,
  choicesOf,
  valueWithChoice,
  isChosen,
  targetLabel,
  valueText,
} from './fields.ts';
import * as styles from './Review.module.css';
import { useDecide, type Conflicting } from './useDecide.ts';

export function ConflictCard(props: Conflicting & { dimension: Dimension }): ReactNode {
  const { conflict, people, dimension, isCurrent, onEnter } = props;
  const { reason, setReason, failure, give } = useDecide(props);
  const decided = conflict.adjudication;
  const values = [...new Map(conflict.values.map(({ value }) => [valueKey(value), value])).values()];
  const choose = (value: Value | null): void => void give({ value });
  useKeys('annotate', isCurrent ? choiceBindings(values.map((value) => () => choose(value))) : {});
  return (
    <section
      className={cx(styles.field, isCurrent && styles.isCurrent)}
      aria-label={`${dimension.name}, ${targetLabel(conflict.target)}`}
      aria-current={isCurrent}
      onFocus={onEnter}
      onPointerDown={onEnter}
    >
      <h3>
        {dimension.name} <span className={styles.quiet}>{targetLabel(conflict.target)}</span>
      </h3>
      <ul className={styles.voices}>
        {values.map((value, place) => (
          <li key={valueKey(value)}>
            <button
              type="button"
              className={styles.choice}
              aria-pressed={
                decided !== null && decided.value !== null && valueKey(decided.value) === valueKey(value)
              }
              onClick={() => choose(value)}
            >
              {isCurrent && place < CHOICE_KEYS.length ? <Kbd chord={String(place + 1)} /> : null}
              <span>{valueText(dimension, value)}</span>
            </button>
            <span className={styles.quiet}>
              {conflict.values
                .filter((one) => valueKey(one.value) === valueKey(value))
                .map(({ reviewer }) => personName(people, reviewer))
                .join(', ')}
            </span>
          </li>
        ))}
      </ul>
      <details className={styles.quiet}>
        <summary>Something else is right</summary>
        <Other dimension={dimension} value={decided?.value ?? null} onGive={choose} />
      </details>
      <Field label="Why">
        <Textarea rows={1} value={reason} onChange={({ target }) => setReason(target.value)} />
      </Field>
      {decided === null ? null : (
        <p role="status">
          Decided: <strong>{valueText(dimension, decided.value)}</strong>
          {decided.reason === null ? '' : `, because ${decided.reason}`}
        </p>
      )}
      {failure === null ? null : <ErrorNote title="Not decided" failure={failure} />}
    </section>
  );
}

type OtherProps = { dimension: Dimension; value: Value | null; onGive: (value: Value | null) => void };

function Other({ dimension, value, onGive }: OtherProps): ReactNode {
  if (dimension.type === 'free_text') return <OtherText value={value} onGive={onGive} />;
  return (
    <div className={styles.choices}>
      {choicesOf(dimension).map((choice) => (
        <button
          key={choice.id}
          type="button"
          className={styles.choice}
          aria-pressed={isChosen(value, choice.id)}
          title={choice.description}
          onClick={() => onGive(valueWithChoice(dimension, value, choice.id))}
        >
          {choice.label}
        </button>
      ))}
    </div>
  );
}

/** Words of the adjudicator's own, or none. */
function OtherText({ value, onGive }: Omit<OtherProps, 'dimension'>): ReactNode {
  const [text, setText] = useState(value?.type === 'free_text' ? value.text : '');
  const written = text.trim();
  return (
    <div className={styles.correction}>
      <Textarea
        rows={3}
        aria-label="Which is right"
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <span className={styles.row}>
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
