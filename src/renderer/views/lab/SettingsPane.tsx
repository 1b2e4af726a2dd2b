// The form of the rewards: every number of them with what is wrong with it, and the profiles they come from and go to.
import { RotateCcw } from 'lucide-react';
import { useState, type ReactNode, type ToggleEvent } from 'react';
import type { ProfileRow } from '../../../shared/contract/rewards.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { Field, Input, Select } from '../../ui/Field.tsx';
import * as styles from './Lab.module.css';
import {
  fieldSections,
  groupSummary,
  settingsDraft,
  withRewardLabel,
  type CheckedDraft,
  type FieldGroup,
  type NumberField,
  type SettingsDraft,
} from './labForm.ts';
import { scoreText } from './labText.ts';
import { ProfileActs } from './ProfileActs.tsx';

export type SettingsPaneProps = {
  profiles: readonly ProfileRow[];
  onProfiles: () => void;
  draft: SettingsDraft;
  onDraft: (draft: SettingsDraft) => void;
  checked: CheckedDraft;
  /** The profile that is compared with. */
  base: ProfileRow;
  onBase: (name: string) => void;
};

export function SettingsPane(props: SettingsPaneProps): ReactNode {
  const { profiles, draft, onDraft, checked, base, onBase } = props;
  const options = profiles.map(({ name }) => ({ value: name, label: name }));
  return (
    <form className={styles.form} aria-label="Settings" onSubmit={(event) => event.preventDefault()}>
      <div className={styles.profiles}>
        <Field label="Compare with">
          <Select value={base.name} options={options} onChoose={onBase} />
        </Field>
        <IconButton
          label={`Reset all to ${base.name}`}
          icon={<RotateCcw />}
          onClick={() => onDraft(settingsDraft(base.settings))}
        />
      </div>
      <ProfileActs {...props} />
      {fieldSections(draft).map(({ title, lead, groups }) => (
        <section key={title} className={styles.section} aria-label={title}>
          <h2 className={styles.sectionTitle}>{title}</h2>
          <p className={styles.lead}>{lead}</p>
          {groups.map((group) => (
            <Fold
              key={group.title}
              group={group}
              draft={draft}
              isWrong={group.fields.some(({ path }) => checked.errors[path] !== undefined)}
            >
              <div className={styles.fields}>
                {group.fields.map((field) => (
                  <NumberInput
                    key={field.path}
                    field={field}
                    text={draft[field.path] ?? ''}
                    error={checked.errors[field.path] ?? null}
                    onText={(text) => onDraft({ ...draft, [field.path]: text })}
                  />
                ))}
              </div>
              {group.extra === 'sum' ? <WeightSum sum={checked.sum} /> : null}
              {group.extra === 'add_label' ? (
                <AddLabel onLabel={(label) => onDraft(withRewardLabel(draft, label))} />
              ) : null}
            </Fold>
          ))}
        </section>
      ))}
    </form>
  );
}

type FoldProps = { group: FieldGroup; draft: SettingsDraft; isWrong: boolean; children: ReactNode };

/** A group of numbers, told on one line until it is opened. One with a wrong number stays open. */
function Fold({ group, draft, isWrong, children }: FoldProps): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const onToggle = ({ currentTarget }: ToggleEvent<HTMLDetailsElement>): void =>
    setIsOpen(currentTarget.open);
  return (
    <details className={styles.group} open={isOpen || isWrong} onToggle={onToggle}>
      <summary className={styles.fold}>
        <span className={styles.sub}>{group.title}</span>
        <span className={styles.values}>{groupSummary(group, draft)}</span>
      </summary>
      {children}
    </details>
  );
}

type NumberInputProps = {
  field: NumberField;
  text: string;
  error: string | null;
  onText: (text: string) => void;
};

/** A share has a slider beside it; its field is the one with the label. */
function NumberInput({ field: { label, hint, kind }, text, error, onText }: NumberInputProps): ReactNode {
  const range = kind === 'share' ? { min: 0, max: 1 } : kind === 'whole' ? { min: 1 } : {};
  return (
    <Field label={label} error={error} className={styles[kind ?? 'number']} {...(hint ? { hint } : {})}>
      <div className={styles.control}>
        <Input
          type="number"
          inputMode="decimal"
          step={kind === 'whole' ? 1 : 0.05}
          {...range}
          value={text}
          onChange={({ target }) => onText(target.value)}
        />
        {kind === 'share' ? (
          <input
            type="range"
            aria-label={`${label}, slider`}
            {...range}
            step={0.01}
            value={Number(text) || 0}
            onChange={({ target }) => onText(target.value)}
          />
        ) : null}
      </div>
    </Field>
  );
}

function WeightSum({ sum }: { sum: number }): ReactNode {
  const isOne = Math.abs(sum - 1) < 1e-9;
  return (
    <output className={cx(styles.quiet, !isOne && styles.wrong)}>
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
    <div className={styles.control}>
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
