// Choosing the format: a list in groups where there is room, one line where there is not.
import { useEffect, useRef, useState, type ReactNode, type Ref } from 'react';
import type { ExportFormat } from '../../../shared/contract/export.ts';
import { FORMAT_GROUPS, FORMAT_TEXTS } from '../../../shared/export/formatTexts.ts';
import { cx } from '../../ui/cx.ts';
import { Field, Select } from '../../ui/Field.tsx';
import * as styles from './FormatList.module.css';

type FormatListProps = { format: ExportFormat; onFormat: (format: ExportFormat) => void };

export function FormatList({ format, onFormat }: FormatListProps): ReactNode {
  const chosen = useRef<HTMLLabelElement>(null);
  useEffect(() => {
    // Not returned: newer browsers answer with a promise, which is no way to undo an effect.
    chosen.current?.scrollIntoView({ block: 'nearest' });
  }, [format]);
  return (
    <div className={styles.formats} role="radiogroup" aria-label="Format" data-formats>
      {FORMAT_GROUPS.map(({ label, formats, isRare }) => {
        const options = formats.map((id) => (
          <FormatOption
            key={id}
            id={id}
            isChosen={id === format}
            ref={id === format ? chosen : undefined}
            onChoose={() => onFormat(id)}
          />
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
  isChosen: boolean;
  ref: Ref<HTMLLabelElement> | undefined;
  onChoose: () => void;
};

/** Its name; what it holds and needs only where it is chosen, on hover, and for assistive technology. */
function FormatOption({ id, isChosen, ref, onChoose }: FormatOptionProps): ReactNode {
  const { label, what, needs } = FORMAT_TEXTS[id];
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
export function FormatSelect({ format, onFormat }: FormatListProps): ReactNode {
  const { what, needs } = FORMAT_TEXTS[format];
  return (
    <div className={styles.narrow} data-formats>
      <Field label="Format" hint={`${what} ${needs}`}>
        <Select
          value={format}
          options={FORMAT_GROUPS.flatMap(({ label, formats }) =>
            formats.map((id) => ({ value: id, label: `${label}: ${FORMAT_TEXTS[id].label}` })),
          )}
          onChoose={onFormat}
        />
      </Field>
    </div>
  );
}
