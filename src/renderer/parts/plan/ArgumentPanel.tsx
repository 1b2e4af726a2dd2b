// The field of one argument of a step, opened in place from its chip. What is typed is the plan at once.
import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';
import type { Wrong } from '../../../shared/schema/checkValue.ts';
import { Button } from '../../ui/Button.tsx';
import { ArgumentForm } from '../call/ArgumentForm.tsx';
import type { SchemaField } from '../call/schemaForm.ts';
import * as styles from './Plan.module.css';

type ArgumentPanelProps = {
  field: SchemaField;
  args: Readonly<Record<string, unknown>>;
  wrongs: readonly Wrong[];
  onChange: (value: unknown) => void;
  onClose: () => void;
};

/** Enter is done with it; in a text of one line Shift and Enter break it. */
const isOneLine = (control: EventTarget): boolean =>
  control instanceof HTMLInputElement ||
  control instanceof HTMLSelectElement ||
  (control instanceof HTMLTextAreaElement && control.rows === 1);

export function ArgumentPanel({ field, args, wrongs, onChange, onClose }: ArgumentPanelProps): ReactNode {
  const panel = useRef<HTMLDivElement>(null);
  const { name } = field;
  useEffect(() => {
    const control = panel.current?.querySelector<HTMLElement>('input, textarea, select, button');
    control?.focus();
    // What is selected is gone with the next key: only where that key cannot be a line break.
    const isText = control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement;
    if (isText && isOneLine(control)) control.select();
  }, [name]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const isPlain = !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey;
    const closes = isPlain && !event.nativeEvent.isComposing && isOneLine(event.target);
    if (event.key !== 'Escape' && !(event.key === 'Enter' && closes)) return;
    event.preventDefault();
    event.stopPropagation();
    onClose();
  };
  return (
    // Keys of the fields in it.
    <div
      ref={panel}
      className={styles.panel}
      onKeyDown={onKeyDown}
      role="group"
      aria-label={`Value of ${name}`}
    >
      <ArgumentForm fields={[field]} value={args} wrongs={wrongs} onChange={(next) => onChange(next[name])} />
      <div className={styles.panelActs}>
        <Button size="small" onClick={onClose}>
          Done
        </Button>
        {field.isRequired || !Object.hasOwn(args, name) ? null : (
          <Button
            size="small"
            tone="quiet"
            onClick={() => {
              onChange(undefined);
              onClose();
            }}
          >
            Leave it out
          </Button>
        )}
      </div>
    </div>
  );
}
