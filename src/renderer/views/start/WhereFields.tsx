// Where the task is run, and how many times.
import type { ReactNode } from 'react';
import type { Outputs } from '../../../shared/contract/contract.ts';
import { kindOf } from '../../../shared/environmentKinds.ts';
import { Field, Input, Select } from '../../ui/Field.tsx';
import type { StartChoice, StartProblems } from './choice.ts';
import * as styles from './StartDialog.module.css';

type WhereFieldsProps = {
  choice: StartChoice;
  problems: StartProblems;
  environments: Outputs['environments.list']['environments'];
  onChange: (change: Partial<StartChoice>) => void;
};

export const WhereFields = ({ choice, problems, environments, onChange }: WhereFieldsProps): ReactNode => (
  <div className={styles.where}>
    <Field label="Environment" error={problems.environment ?? null}>
      <Select
        value={choice.environment}
        options={environments.map((spec) => ({
          value: spec.id,
          label: kindOf(spec).isPartOfProduct ? spec.name : `${spec.name}, ${spec.url}`,
        }))}
        onChoose={(environment) => onChange({ environment, scenario: '', task: '' })}
      />
    </Field>
    <Field label="Repeats" error={problems.repeats ?? null}>
      <Input
        inputMode="numeric"
        value={choice.repeats}
        placeholder="1"
        title="How many times the task is run"
        onChange={({ target }) => onChange({ repeats: target.value })}
      />
    </Field>
  </div>
);
