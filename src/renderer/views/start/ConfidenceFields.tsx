// Whether the agent states how sure it is of each move, and what becomes of a call that it is unsure of.
import type { ReactNode } from 'react';
import { Field, Input, Select } from '../../ui/Field.tsx';
import type { StartChoice, StartProblems } from './choice.ts';

type Props = {
  choice: StartChoice;
  problems: StartProblems;
  onChange: (change: Partial<StartChoice>) => void;
};

/** The fields here, to be opened when one of them is wrong. */
export const CONFIDENCE_FIELDS = ['confidence', 'confidencePercent'] as const;

const CHOICES: readonly { value: StartChoice['confidence']; label: string }[] = [
  { value: 'off', label: 'Do not ask' },
  { value: 'record', label: 'Record it' },
  { value: 'desk', label: 'Hold unsure calls for the desk' },
  { value: 'advisor', label: 'Ask the advisor about unsure calls' },
];

export function ConfidenceFields({ choice, problems, onChange }: Props): ReactNode {
  const { confidence, confidencePercent } = choice;
  const hasLimit = confidence === 'desk' || confidence === 'advisor';
  return (
    <>
      <Field label="How sure the agent is" error={problems.confidence ?? null}>
        <Select
          value={confidence}
          options={CHOICES}
          onChoose={(chosen) => onChange({ confidence: chosen })}
        />
      </Field>
      {hasLimit ? (
        <Field label="Unsure below, in percent" error={problems.confidencePercent ?? null}>
          <Input
            inputMode="numeric"
            value={confidencePercent}
            onChange={({ target }) => onChange({ confidencePercent: target.value })}
          />
        </Field>
      ) : null}
    </>
  );
}
