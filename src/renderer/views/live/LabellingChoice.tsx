// Choosing whether turns are labelled, which, and how many of them.
import type { ReactNode } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Field, Input, Select } from '../../ui/Field.tsx';
import type { Labelling } from './labelling.ts';
import * as styles from './StepInPanel.module.css';

const LABELLING_MODES: readonly { value: Labelling['mode']; label: string }[] = [
  { value: 'off', label: 'Off' },
  { value: 'each', label: 'Label each turn' },
  { value: 'risky', label: 'Label each risky turn' },
];

type Props = {
  labelling: Labelling;
  onChange: (labelling: Labelling) => void;
  /** Turns that wait for a label, and going to them. */
  waiting: number;
  onLabel: () => void;
};

export function LabellingChoice({ labelling, onChange, waiting, onLabel }: Props): ReactNode {
  const { mode, beta } = labelling;
  return (
    <>
      <Field
        label="What you would have done"
        hint="Records what you would have done at each of the agent’s turns. The agent is not interrupted. Risky means a failed or repeated call."
      >
        <Select
          value={mode}
          options={LABELLING_MODES}
          onChoose={(next) => onChange({ ...labelling, mode: next })}
        />
      </Field>
      {mode === 'off' ? null : (
        <label className={styles.line}>
          <input
            type="checkbox"
            checked={beta !== null}
            onChange={({ target }) => onChange({ ...labelling, beta: target.checked ? 0.5 : null })}
          />
          Sample only a share of turns
        </label>
      )}
      {mode === 'off' || beta === null ? null : (
        <Field label="Share asked, in percent" hint="Sampled per turn and recorded with each label.">
          <Input
            type="number"
            min={1}
            max={100}
            value={String(Math.round(beta * 100))}
            onChange={({ target }) => {
              const share = Number(target.value) / 100;
              if (share > 0 && share <= 1) onChange({ ...labelling, beta: share });
            }}
          />
        </Field>
      )}
      {mode === 'off' || waiting === 0 ? null : (
        <Button size="small" onClick={onLabel}>
          {waiting === 1 ? 'Label 1 turn' : `Label ${String(waiting)} turns`}
        </Button>
      )}
    </>
  );
}
