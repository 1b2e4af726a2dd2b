// Choosing the format: a list in groups where there is room, one line where there is not.
import { useEffect, useRef, type ReactNode } from 'react';
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
      {FORMAT_GROUPS.map(({ label, formats }) => (
        <section key={label} className={styles.group} aria-label={label}>
          <h2 className={styles.heading}>{label}</h2>
          {formats.map((id) => {
            const { label: name, what, needs } = FORMAT_TEXTS[id];
            const isChosen = id === format;
            return (
              <label
                key={id}
                ref={isChosen ? chosen : undefined}
                className={cx(styles.format, isChosen && styles.isChosen)}
              >
                <input
                  type="radio"
                  name="format"
                  className={styles.radio}
                  value={id}
                  checked={isChosen}
                  aria-label={name}
                  aria-describedby={`format-${id}`}
                  onChange={() => onFormat(id)}
                />
                <span className={styles.name}>{name}</span>
                <code className={styles.id}>{id}</code>
                <span className={styles.words} id={`format-${id}`}>
                  {what} {isChosen ? needs : null}
                </span>
              </label>
            );
          })}
        </section>
      ))}
    </div>
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
