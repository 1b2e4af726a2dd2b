// Entering one plain value: text, number, yes or no, one of several, JSON.
import { useState, type ReactNode } from 'react';
import { Input, Select, Textarea } from '../../ui/Field.tsx';
import * as styles from './ArgumentForm.module.css';
import { inexactIn } from '../../../shared/schema/exactNumber.ts';
import { jsonFromText, numberFromText } from './formValue.ts';
import type { SchemaField } from './schemaForm.ts';

type Props = {
  field: SchemaField;
  /** Undefined while it is not given. */
  value: unknown;
  onChange: (value: unknown) => void;
  isReadOnly: boolean;
};

export function ValueInput(props: Props): ReactNode {
  const { field, value, onChange, isReadOnly } = props;
  const isPicked = field.shape.type === 'boolean' || field.shape.type === 'choice';
  if (isPicked) return <Picked {...props} />;
  if (!field.isNullable) return <Typed {...props} />;
  return (
    <span className="row-2">
      {value === null ? <span className={styles.nothing}>null</span> : <Typed {...props} />}
      <label className={styles.isNull}>
        <input
          type="checkbox"
          checked={value === null}
          disabled={isReadOnly}
          onChange={({ target }) => onChange(target.checked ? null : undefined)}
        />
        null
      </label>
    </span>
  );
}

const ABSENT = 'absent';

/** The platform's list. What is given but not among the options stays in it, so that it is seen. */
function Picked({ field, value, onChange, isReadOnly }: Props): ReactNode {
  const { shape, isNullable, isRequired, hint } = field;
  const options = shape.type === 'choice' ? shape.options : [true, false];
  const known = [...options, ...(isNullable ? [null] : [])];
  const json = value === undefined ? ABSENT : JSON.stringify(value);
  const isStranger = value !== undefined && !known.some((option) => JSON.stringify(option) === json);
  const all = isStranger ? [value, ...known] : known;
  return (
    <Select
      value={json}
      disabled={isReadOnly}
      options={[
        ...(isRequired && value !== undefined
          ? []
          : [{ value: ABSENT, label: isRequired ? 'Choose' : absentLabel(hint) }]),
        ...all.map((option) => ({ value: JSON.stringify(option), label: optionLabel(option) })),
      ]}
      onChoose={(next) => onChange(next === ABSENT ? undefined : (JSON.parse(next) as unknown))}
    />
  );
}

/** What the environment takes where nothing is given. */
const absentLabel = (hint: string | null): string =>
  hint?.startsWith('default') === true ? `Not given (${hint})` : 'Not given';

function optionLabel(option: unknown): string {
  if (option === true) return 'yes (true)';
  if (option === false) return 'no (false)';
  return typeof option === 'string' ? option : (JSON.stringify(option) ?? '');
}

function Typed(props: Props): ReactNode {
  const { field, value, onChange, isReadOnly } = props;
  const { shape, hint, isRequired } = field;
  if (shape.type !== 'text') return <Parsed {...props} />;
  const text = value === undefined ? '' : typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  const common = {
    value: text,
    placeholder: hint ?? '',
    readOnly: isReadOnly,
    // An optional text that was emptied is not given; a required one is the empty text.
    onChange: ({ target }: { target: { value: string } }) =>
      onChange(target.value === '' && !isRequired ? undefined : target.value),
  };
  // An input of one line would drop the line breaks of what is pasted.
  return shape.isLong ? <Textarea rows={4} {...common} /> : <Textarea rows={1} isGrowing {...common} />;
}

/** What is typed until it means something else: `1.` on the way to `1.5` must not jump. */
function Parsed({ field, value, onChange, isReadOnly }: Props): ReactNode {
  const { shape } = field;
  const isNumber = shape.type === 'number';
  const [typed, setTyped] = useState<string | null>(null);
  const meant = (text: string): unknown => {
    if (text.trim() === '') return undefined;
    return shape.type === 'number' ? numberFromText(text, shape) : jsonFromText(text).value;
  };
  const isCurrent = typed !== null && JSON.stringify(meant(typed)) === JSON.stringify(value);
  const written = typeof value === 'string' && (isNumber || !jsonFromText(value).isJson);
  const stored = value === undefined ? '' : written ? value : (JSON.stringify(value, null, 2) ?? '');
  const text = isCurrent ? typed : stored;
  const change = (next: string): void => {
    setTyped(next);
    onChange(meant(next));
  };
  if (isNumber) {
    return (
      <Input
        inputMode="decimal"
        value={text}
        placeholder={field.hint ?? ''}
        readOnly={isReadOnly}
        onChange={({ target }) => change(target.value)}
      />
    );
  }
  const isText = text.trim() !== '' && !jsonFromText(text).isJson;
  const inexact = inexactIn(text);
  return (
    <>
      <Textarea
        isMono
        rows={3}
        value={text}
        placeholder={field.hint ?? 'JSON'}
        readOnly={isReadOnly}
        onChange={({ target }) => change(target.value)}
      />
      {isText ? (
        <span className={styles.hint}>
          {inexact === null
            ? 'Not JSON: sent as the text you typed.'
            : `${inexact} has too many digits to send exactly: sent as the text you typed.`}
        </span>
      ) : null}
    </>
  );
}
