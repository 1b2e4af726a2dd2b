// The form of the rewards: every number of them, the rules they break, and the profiles they come from and go to.
import { RotateCcw } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { ProfileRow } from '../../../shared/contract/rewards.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { Field, Input, Select } from '../../ui/Field.tsx';
import * as styles from './Lab.module.css';
import {
  BASE_FIELDS,
  settingsDraft,
  GUARD_FIELDS,
  labelFields,
  MODIFIER_FIELDS,
  SHARE_FIELDS,
  totalOf,
  WEIGHT_FIELDS,
  withRewardLabel,
  type SettingsDraft,
  type CheckedDraft,
} from './labForm.ts';
import { scoreText } from './labText.ts';
import { NumberFields } from './NumberFields.tsx';
import { ProfileActs } from './ProfileActs.tsx';

export type SettingsPaneProps = {
  profiles: readonly ProfileRow[];
  onProfiles: () => void;
  draft: SettingsDraft;
  onDraft: (draft: SettingsDraft) => void;
  judged: CheckedDraft;
  /** Name of the profile that is compared with. */
  before: string;
  onBefore: (name: string) => void;
};

export function SettingsPane(props: SettingsPaneProps): ReactNode {
  const { profiles, draft, onDraft, judged, before, onBefore } = props;
  const { errors } = judged;
  const numbers = {
    draft,
    errors,
    onNumber: (path: string, text: string) => onDraft({ ...draft, [path]: text }),
  };
  const base = profiles.find(({ name }) => name === before);
  const options = profiles.map(({ name }) => ({ value: name, label: name }));
  return (
    <form className={styles.form} aria-label="Settings" onSubmit={(event) => event.preventDefault()}>
      <div className={styles.profiles}>
        <Field label="Compare with">
          <Select value={before} options={options} onChoose={onBefore} />
        </Field>
        <IconButton
          label={`Reset all to ${before}`}
          icon={<RotateCcw />}
          isDisabled={base === undefined}
          onClick={() => (base === undefined ? undefined : onDraft(settingsDraft(base.settings)))}
        />
      </div>
      <ProfileActs {...props} />
      <SettingsGroup title="Graduated reward" lead="Based on the verdict and how the agent was helped.">
        <h3 className={styles.sub}>Base, by the verifier’s label</h3>
        <NumberFields fields={BASE_FIELDS} isWide {...numbers} />
        <h3 className={styles.sub}>Added on completion</h3>
        <NumberFields
          fields={MODIFIER_FIELDS}
          noteOf={({ path }) => {
            const total = totalOf(draft, path);
            return total === null ? undefined : `${scoreText(total)} in all`;
          }}
          {...numbers}
        />
        <NumberFields fields={SHARE_FIELDS} {...numbers} />
      </SettingsGroup>
      <SettingsGroup title="Rubric" lead="Independent components in [0, 1], weighed.">
        <h3 className={styles.sub}>Weights</h3>
        <NumberFields fields={WEIGHT_FIELDS} {...numbers} />
        <Sum sum={judged.sum} />
        <h3 className={styles.sub}>Primary objective, by label</h3>
        <NumberFields fields={labelFields(draft)} {...numbers} />
        <AddLabel onLabel={(label) => onDraft(withRewardLabel(draft, label))} />
        <h3 className={styles.sub}>Guards</h3>
        <NumberFields fields={GUARD_FIELDS} {...numbers} />
      </SettingsGroup>
    </form>
  );
}

const SettingsGroup = ({
  title,
  lead,
  children,
}: {
  title: string;
  lead: string;
  children: ReactNode;
}): ReactNode => (
  <section className={styles.group} aria-label={title}>
    <h2 className={styles.groupTitle}>{title}</h2>
    <p className={styles.quiet}>{lead}</p>
    {children}
  </section>
);

function Sum({ sum }: { sum: number }): ReactNode {
  const isOne = Math.abs(sum - 1) < 1e-9;
  return (
    <output className={cx(styles.sum, !isOne && styles.wrong)}>
      Sum of the weights: <strong>{scoreText(sum)}</strong>
      {isOne ? '' : sum > 1 ? `, ${scoreText(sum - 1)} too much` : `, ${scoreText(1 - sum)} too little`}
    </output>
  );
}

function AddLabel({ onLabel }: { onLabel: (label: string) => void }): ReactNode {
  const [label, setLabel] = useState('');
  const add = (): void => {
    onLabel(label);
    setLabel('');
  };
  return (
    <div className={styles.add}>
      <Input
        aria-label="Another verifier label"
        placeholder="Another label, such as others"
        maxLength={60}
        value={label}
        onChange={({ target }) => setLabel(target.value)}
        onKeyDown={(event) => (event.key === 'Enter' ? add() : undefined)}
      />
      <Button size="small" isDisabled={label.trim() === ''} onClick={add}>
        Add
      </Button>
    </div>
  );
}
