// A tool's arguments as a form: one field each, required ones first, what is wrong beside the field it is about.
import { Plus, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { isRecord, parseJson } from '../../../shared/json.ts';
import type { Wrong } from '../../../shared/schema/checkValue.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Field as Labelled, Input, Select, Textarea } from '../../ui/Field.tsx';
import * as styles from './ArgumentForm.module.css';
import {
  emptyOf,
  fieldTypeLabel,
  isFixed,
  jsonFromText,
  numberFromText,
  type SchemaField,
  type Shape,
} from './schemaForm.ts';

type Values = Readonly<Record<string, unknown>>;

type ArgumentFormProps = {
  fields: readonly SchemaField[];
  value: Values;
  wrongs: readonly Wrong[];
  onChange: (value: Values) => void;
  isReadOnly?: boolean;
};

export function ArgumentForm(props: ArgumentFormProps): ReactNode {
  const { fields, value, wrongs, onChange, isReadOnly = false } = props;
  if (fields.length === 0) return <p className={styles.none}>Takes no arguments.</p>;
  return (
    <div className="stack-3 shrinks">
      <FieldGroup
        fields={fields}
        value={value}
        wrongs={wrongs}
        path=""
        onChange={onChange}
        isOff={isReadOnly}
      />
    </div>
  );
}

type FieldPlace = { wrongs: readonly Wrong[]; path: string; isOff: boolean };

const below = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

function FieldGroup({
  fields,
  value,
  onChange,
  ...place
}: FieldPlace & {
  fields: readonly SchemaField[];
  value: Values;
  onChange: (value: Values) => void;
}): ReactNode {
  return fields.map((field) => {
    const { name } = field;
    // What can only be one value, and is it, leaves nothing to fill in.
    if (isFixed(field) && field.shape.type === 'choice' && value[name] === field.shape.options[0])
      return null;
    const set = (next: unknown): void => {
      const { [name]: _old, ...rest } = value;
      onChange(next === undefined ? rest : { ...rest, [name]: next });
    };
    return (
      <MemberField
        key={name}
        {...place}
        field={field}
        path={below(place.path, name)}
        value={Object.hasOwn(value, name) ? value[name] : undefined}
        onChange={set}
      />
    );
  });
}

type MemberProps = FieldPlace & { field: SchemaField; value: unknown; onChange: (value: unknown) => void };

function MemberField(props: MemberProps): ReactNode {
  const { field, value, wrongs, path } = props;
  const { shape } = field;
  const message = wrongs.find((wrong) => wrong.path === path)?.message ?? null;
  if (value !== null && shape.type === 'group' && (value === undefined || isRecord(value)))
    return <Nested {...props} shape={shape} message={message} />;
  if (value !== null && shape.type === 'list' && (value === undefined || Array.isArray(value)))
    return <List {...props} shape={shape} message={message} />;
  if (shape.type === 'union') return <Union {...props} shape={shape} message={message} />;
  return (
    <Labelled
      label={<Label field={field} />}
      error={message === null ? null : problemOf(message)}
      {...(field.description === '' ? {} : { hint: field.description })}
    >
      <ValueInput field={field} value={value} onChange={props.onChange} isReadOnly={props.isOff} />
    </Labelled>
  );
}

/** `Must be a whole number`, `This is required`: the field stands beside it and is not named again. */
const problemOf = (message: string): string =>
  message.startsWith('must ') ? `M${message.slice(1)}` : `This ${message}`;

function Label({ field }: { field: SchemaField }): ReactNode {
  return (
    <>
      <code className={styles.name}>{field.name}</code>{' '}
      <span className={styles.type}>{fieldTypeLabel(field)}</span>
      {field.isRequired ? <b className="soft tiny regular"> required</b> : null}
    </>
  );
}

type Inner<T extends Shape['type']> = MemberProps & {
  shape: Extract<Shape, { type: T }>;
  message: string | null;
};

function Nested({ field, shape, value, message, onChange, ...place }: Inner<'group'>): ReactNode {
  const isGiven = isRecord(value);
  return (
    <fieldset className={styles.nested}>
      <FieldLegend field={field} message={message} />
      {isGiven ? (
        <>
          <FieldGroup {...place} fields={shape.fields} value={value} onChange={onChange} />
          <LeaveOut field={field} isOff={place.isOff} onLeave={onChange} />
        </>
      ) : (
        <Button
          size="small"
          icon={<Plus />}
          isDisabled={place.isOff}
          onClick={() => onChange(emptyOf(shape))}
        >
          {`Give ${field.name}`}
        </Button>
      )}
    </fieldset>
  );
}

function List({ field, shape, value, message, onChange, ...place }: Inner<'list'>): ReactNode {
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  const put = (index: number, next: unknown): void =>
    onChange(items.map((item, at) => (at === index ? next : item)));
  return (
    <fieldset className={styles.nested}>
      <FieldLegend field={field} message={message} />
      {items.map((item, index) => (
        // Items have no identity but their place.
        <div key={String(index)} className={styles.item}>
          <div className="grows shrinks">
            <MemberField
              {...place}
              field={{ ...shape.item, name: `${field.name} ${String(index + 1)}` }}
              path={below(place.path, String(index))}
              value={item}
              onChange={(next) => put(index, next ?? emptyOf(shape.item.shape))}
            />
          </div>
          <IconButton
            label={`Remove ${field.name} ${String(index + 1)}`}
            icon={<Trash2 />}
            isDisabled={place.isOff}
            onClick={() => onChange(items.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      <div className="wrap-2">
        <Button
          size="small"
          icon={<Plus />}
          isDisabled={place.isOff}
          onClick={() => onChange([...items, emptyOf(shape.item.shape)])}
        >
          {`Add to ${field.name}`}
        </Button>
        {Array.isArray(value) ? <LeaveOut field={field} isOff={place.isOff} onLeave={onChange} /> : null}
      </div>
    </fieldset>
  );
}

const NOT_GIVEN = 'absent';
const NULL = 'null';

/** The form of the value, and its fields. */
function Union({ field, shape, value, message, onChange, ...place }: Inner<'union'>): ReactNode {
  const { alternatives } = shape;
  const fitting = alternatives.findIndex(({ fits }) => fits(value));
  const [chosen, setChosen] = useState<number | null>(null);
  // What is typed on the way to a number fits the text beside it: the form that was chosen stays.
  const at = chosen ?? Math.max(0, fitting);
  const current = value === undefined || value === null ? undefined : alternatives[at];
  const choose = (next: string): void => {
    const number = next === NOT_GIVEN || next === NULL ? null : Number(next);
    setChosen(number);
    const one = number === null ? undefined : alternatives[number];
    onChange(one === undefined ? (next === NULL ? null : undefined) : emptyOf(one.shape));
  };
  return (
    <fieldset className={styles.nested}>
      <FieldLegend field={field} message={current === undefined ? message : null} />
      <Select
        aria-label={`Form of ${field.name}`}
        value={value === undefined ? NOT_GIVEN : value === null ? NULL : String(at)}
        disabled={place.isOff}
        options={[
          ...(field.isRequired && value !== undefined
            ? []
            : [{ value: NOT_GIVEN, label: field.isRequired ? 'Choose' : 'Not given' }]),
          ...alternatives.map(({ label }, index) => ({ value: String(index), label })),
          ...(field.isNullable ? [{ value: NULL, label: 'null' }] : []),
        ]}
        onChoose={choose}
      />
      {current === undefined ? null : (
        <MemberField
          key={current.label}
          {...place}
          field={{ ...field, shape: current.shape, description: '', isRequired: true, isNullable: false }}
          value={value}
          onChange={(next) => {
            setChosen(at);
            onChange(next ?? emptyOf(current.shape));
          }}
        />
      )}
    </fieldset>
  );
}

function FieldLegend({ field, message }: { field: SchemaField; message: string | null }): ReactNode {
  return (
    <>
      <legend>
        <Label field={field} />
      </legend>
      {field.description === '' ? null : <p className={styles.hint}>{field.description}</p>}
      {message === null ? null : (
        <p className="bad small" role="alert">
          {problemOf(message)}
        </p>
      )}
    </>
  );
}

/** Takes an optional argument away again. */
function LeaveOut({
  field,
  isOff,
  onLeave,
}: {
  field: SchemaField;
  isOff: boolean;
  onLeave: (value: unknown) => void;
}): ReactNode {
  if (field.isRequired && !field.isNullable) return null;
  return (
    <Button
      size="small"
      tone="quiet"
      isDisabled={isOff}
      onClick={() => onLeave(field.isRequired ? null : undefined)}
    >
      {`Leave ${field.name} out`}
    </Button>
  );
}

type Props = {
  field: SchemaField;
  /** Undefined while it is not given. */
  value: unknown;
  onChange: (value: unknown) => void;
  isReadOnly: boolean;
};

/** Entering one plain value: text, number, yes or no, one of several, JSON. */
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
      onChoose={(next) => onChange(next === ABSENT ? undefined : parseJson(next))}
    />
  );
}

/** The label of a value that is not given. */
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

/** Keeps typed text until it means something else: `1.` on the way to `1.5` must not jump. */
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
      {isText ? <span className={styles.hint}>Not JSON: sent as the text you typed.</span> : null}
    </>
  );
}
