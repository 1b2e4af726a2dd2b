// Fields for numbers of the rewards, each with what is wrong with it; a share has a slider beside it.
import type { ReactNode } from 'react';
import { cx } from '../../ui/cx.ts';
import { Field, Input, useFieldProps } from '../../ui/Field.tsx';
import * as styles from './Lab.module.css';
import type { SettingsDraft, FieldRow, CheckedDraft } from './labForm.ts';

type NumbersProps = {
  draft: SettingsDraft;
  errors: CheckedDraft['errors'];
  onNumber: (path: string, text: string) => void;
};

type FieldsProps = NumbersProps & {
  fields: readonly FieldRow[];
  /** Words under a field that follow from what is typed. */
  noteOf?: (field: FieldRow) => string | undefined;
  /** Two beside each other, where labels are long. */
  isWide?: true;
};

export function NumberFields({ fields, draft, errors, onNumber, noteOf, isWide }: FieldsProps): ReactNode {
  return (
    <div className={cx(styles.fields, isWide === true && styles.two)}>
      {fields.map((field) => {
        const { path, label, isShare, isWhole } = field;
        const hint = noteOf?.(field) ?? field.hint;
        const text = draft[path] ?? '';
        const set = (next: string): void => onNumber(path, next);
        return (
          <Field
            key={path}
            label={label}
            error={errors[path] ?? null}
            className={isShare === true ? styles.share : undefined}
            {...(hint === undefined ? {} : { hint })}
          >
            <div className={styles.number}>
              <Input
                type="number"
                inputMode="decimal"
                step={isWhole === true ? 1 : 0.05}
                {...(isWhole === true ? { min: 1 } : {})}
                {...(isShare === true ? { min: 0, max: 1 } : {})}
                value={text}
                onChange={({ target }) => set(target.value)}
              />
              {isShare === true ? <Slider label={label} text={text} onText={set} /> : null}
            </div>
          </Field>
        );
      })}
    </div>
  );
}

/** The same number by hand; the field beside it is the one with the label. */
function Slider({
  label,
  text,
  onText,
}: {
  label: string;
  text: string;
  onText: (text: string) => void;
}): ReactNode {
  const { 'aria-invalid': isInvalid } = useFieldProps();
  const value = Number(text);
  return (
    <input
      type="range"
      className={styles.slider}
      aria-label={`${label}, slider`}
      aria-invalid={isInvalid}
      min={0}
      max={1}
      step={0.01}
      value={Number.isFinite(value) ? value : 0}
      onChange={({ target }) => onText(target.value)}
    />
  );
}
