// Choosing the format: a list in groups where there is room, one line where there is not.
import { Fragment, useEffect, useRef, useState, type ReactNode, type Ref } from 'react';
import { Preset, type ExportFormat } from '../../../shared/contract/export.ts';
import { FORMAT_GROUPS, FORMATS, PRESETS, rowTexts } from '../../../shared/export/formats.ts';
import { cx } from '../../ui/cx.ts';
import { Field, Select } from '../../ui/Field.tsx';
import * as styles from './FormatList.module.css';
import type { ExportForm } from './useForm.ts';

type FormatListProps = { form: ExportForm };

export function FormatList({ form }: FormatListProps): ReactNode {
  const { format, onFormat } = form;
  const chosen = useRef<HTMLLabelElement>(null);
  useEffect(() => {
    // Not returned: newer browsers answer with a promise, which is no way to undo an effect.
    chosen.current?.scrollIntoView({ block: 'nearest' });
  }, [format]);
  return (
    <div className={styles.formats} role="radiogroup" aria-label="Format">
      {FORMAT_GROUPS.map(({ label, formats, isRare }) => {
        const options = formats.map((id) => (
          <Fragment key={id}>
            <FormatOption
              id={id}
              preset={id === format ? form.rules.preset : null}
              isChosen={id === format}
              ref={id === format ? chosen : undefined}
              onChoose={() => onFormat(id)}
            />
            {id === format ? <PresetChoice form={form} /> : null}
          </Fragment>
        ));
        return isRare === true ? (
          <RareFormats key={label} label={label} isNeeded={formats.includes(format)}>
            {options}
          </RareFormats>
        ) : (
          <section key={label} className={styles.group} aria-label={label}>
            <h2 className={styles.heading}>{label}</h2>
            {options}
          </section>
        );
      })}
    </div>
  );
}

type FormatOptionProps = {
  id: ExportFormat;
  preset: Preset | null;
  isChosen: boolean;
  ref: Ref<HTMLLabelElement> | undefined;
  onChoose: () => void;
};

/** Its name; what it holds and needs only where it is chosen, on hover, and for assistive technology. */
function FormatOption({ id, preset, isChosen, ref, onChoose }: FormatOptionProps): ReactNode {
  const { label } = FORMATS[id];
  const { what, needs } = rowTexts(id, preset);
  return (
    <label ref={ref} className={cx(styles.format, isChosen && styles.isChosen)} title={what}>
      <input
        type="radio"
        name="format"
        className={styles.radio}
        value={id}
        checked={isChosen}
        aria-label={label}
        aria-describedby={`format-${id}`}
        onChange={onChoose}
      />
      <span className={styles.name}>{label}</span>
      <code className={styles.id}>{id}</code>
      <span className={isChosen ? styles.words : 'quiet-label'} id={`format-${id}`}>
        {what} {isChosen ? needs : null}
      </span>
    </label>
  );
}

/** The source of SFT rows: the stretches after step-ins, or one of the presets. */
function PresetChoice({ form: { format, rules, onRules } }: FormatListProps): ReactNode {
  if (format !== 'sft') return null;
  return (
    <Field label="Rows" className={styles.preset}>
      <Select
        value={rules.preset ?? 'step-ins'}
        options={[
          { value: 'step-ins', label: 'What followed step-ins' },
          ...Preset.options.map((value) => ({ value, label: PRESETS[value].label })),
        ]}
        onChoose={(chosen) => onRules({ ...rules, preset: chosen === 'step-ins' ? null : chosen })}
      />
    </Field>
  );
}

type RareFormatsProps = { label: string; isNeeded: boolean; children: ReactNode };

/** Folded, unless the chosen format is among them. */
function RareFormats({ label, isNeeded, children }: RareFormatsProps): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details
      className={styles.rare}
      open={isOpen || isNeeded}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary className={styles.heading}>{label}</summary>
      {children}
    </details>
  );
}

/** The same in a narrow window. */
export function FormatSelect({ form }: FormatListProps): ReactNode {
  const { format, rules, onFormat } = form;
  const { what, needs } = rowTexts(format, rules.preset);
  return (
    <div className={styles.narrow}>
      <Field label="Format" hint={`${what} ${needs}`}>
        <Select
          name="format"
          value={format}
          options={FORMAT_GROUPS.flatMap(({ label, formats }) =>
            formats.map((id) => ({ value: id, label: `${label}: ${FORMATS[id].label}` })),
          )}
          onChoose={onFormat}
        />
      </Field>
      <PresetChoice form={form} />
    </div>
  );
}
