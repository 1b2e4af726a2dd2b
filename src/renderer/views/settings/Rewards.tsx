// The profiles of the rewards: every number of one with what is wrong with it, saved under its name or another.
import { useState, type FormEvent, type ReactNode, type ToggleEvent } from 'react';
import type { ProfileRow } from '../../../shared/contract/rewards.ts';
import { DEFAULT_PROFILE } from '../../../shared/events/library.ts';
import type { RewardSettings } from '../../../shared/rewards/settings.ts';
import { useToast } from '../../state/hooks.ts';
import { useAct } from '../../state/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Input, Select } from '../../ui/Field.tsx';
import {
  checkDraft,
  fieldSections,
  groupSummary,
  isSameSettings,
  plainNumber,
  settingsDraft,
  withRewardLabel,
  type FieldGroup,
  type SettingsDraft,
} from './rewardDraft.ts';
import * as styles from './Rewards.module.css';
import { Fields, SettingsSection, type ChangeSettings } from './SettingsForm.tsx';
import * as page from './SettingsView.module.css';

export const RewardProfiles = (): ReactNode => (
  <SettingsSection
    id="rewards"
    title="Rewards"
    about="What an episode is worth as a training signal, beside the verifier’s own reward. A profile is a set of numbers: shown as columns of Episodes, and written by the export Scores."
  >
    {({ reward_profiles: profiles }, change) => <ChosenProfile profiles={profiles} change={change} />}
  </SettingsSection>
);

type ChosenProfileProps = { profiles: readonly ProfileRow[]; change: ChangeSettings };

function ChosenProfile({ profiles, change }: ChosenProfileProps): ReactNode {
  const [chosen, setChosen] = useState(DEFAULT_PROFILE);
  const profile = profiles.find(({ name }) => name === chosen) ?? profiles[0];
  return profile === undefined ? null : (
    <>
      <Field label="Profile">
        <Select
          value={profile.name}
          options={profiles.map(({ name }) => ({ value: name, label: name }))}
          onChoose={setChosen}
        />
      </Field>
      <ProfileForm
        key={`${profile.name}/${String(profile.version)}`}
        profile={profile}
        profiles={profiles}
        change={change}
        onSaved={setChosen}
      />
    </>
  );
}

type ProfileFormProps = {
  profile: ProfileRow;
  profiles: readonly ProfileRow[];
  change: ChangeSettings;
  onSaved: (name: string) => void;
};

function ProfileForm({ profile, profiles, change, onSaved }: ProfileFormProps): ReactNode {
  const toast = useToast();
  const [draft, setDraft] = useState<SettingsDraft>(() => settingsDraft(profile.settings));
  const [typed, setTyped] = useState(profile.name === DEFAULT_PROFILE ? '' : profile.name);
  const name = typed.trim();
  const isReserved = name === DEFAULT_PROFILE;
  const checked = checkDraft(draft);
  const { settings } = checked;
  const isSame = name === profile.name && settings !== null && isSameSettings(settings, profile.settings);
  const save = useAct(async (as: string, wanted: RewardSettings) => {
    const saved = { save: { name: as, settings: wanted } };
    const { reward_profiles: now } = await change({ reward_profiles: saved });
    const version = now.find((one) => one.name === as)?.version ?? 0;
    toast({ tone: 'ok', title: `Saved ${as}, version ${String(version)}` });
    onSaved(as);
  });
  const remove = useAct(async () => {
    await change({ reward_profiles: { remove: profile.name } });
    const undo = { label: 'Undo', run: () => void save.run(profile.name, profile.settings) };
    toast({ tone: 'plain', title: `Removed ${profile.name}`, action: undo });
    onSaved(DEFAULT_PROFILE);
  }, 'Could not remove the profile');
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (name !== '' && !isReserved && !isSame && settings !== null) void save.run(name, settings);
  };
  return (
    <form className={page.fields} onSubmit={onSubmit} aria-label="Reward profile">
      <NumberSections draft={draft} checked={checked} onDraft={setDraft} />
      <Field
        label="Name"
        error={isReserved ? 'The default cannot be replaced. Choose another name.' : null}
        hint="Under another name it is a profile of its own."
      >
        <Input value={typed} maxLength={60} onChange={({ target }) => setTyped(target.value)} />
      </Field>
      <div className={page.actions}>
        <Button
          type="submit"
          isBusy={save.isBusy}
          isDisabled={name === '' || isReserved || isSame || settings === null}
        >
          {profiles.some((one) => one.name === name) ? 'Replace the profile' : 'Save the profile'}
        </Button>
        {profile.name === DEFAULT_PROFILE ? null : (
          <Button tone="danger" isBusy={remove.isBusy} onClick={() => void remove.run()}>
            Remove {profile.name}
          </Button>
        )}
      </div>
      {save.failure === null ? null : <ErrorNote title="Could not save the profile" failure={save.failure} />}
    </form>
  );
}

type NumbersProps = {
  draft: SettingsDraft;
  checked: ReturnType<typeof checkDraft>;
  onDraft: (draft: SettingsDraft) => void;
};

/** Every number, in groups. */
function NumberSections({ draft, checked, onDraft }: NumbersProps): ReactNode {
  return fieldSections(draft).map(({ title, lead, groups }) => (
    <section key={title} aria-label={title}>
      <h3>{title}</h3>
      <p className={styles.lead}>{lead}</p>
      {groups.map((group) => (
        <Fold
          key={group.title}
          group={group}
          draft={draft}
          isWrong={group.fields.some(({ path }) => checked.errors[path] !== undefined)}
        >
          <div className={styles.numbers}>
            <Fields
              fields={group.fields.map(({ path, label, hint, kind }) => ({
                name: path,
                label,
                kind: kind === 'whole' ? ('whole' as const) : ('step' as const),
                error: checked.errors[path] ?? null,
                ...(hint ? { hint } : {}),
              }))}
              draft={draft}
              onDraft={onDraft}
            />
          </div>
          {group.extra === 'sum' ? <WeightSum sum={checked.sum} /> : null}
          {group.extra === 'add_label' ? (
            <AddLabel onLabel={(label) => onDraft(withRewardLabel(draft, label))} />
          ) : null}
        </Fold>
      ))}
    </section>
  ));
}

type FoldProps = { group: FieldGroup; draft: SettingsDraft; isWrong: boolean; children: ReactNode };

/** A group of numbers, told on one line until it is opened. One with a wrong number stays open. */
function Fold({ group, draft, isWrong, children }: FoldProps): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const onToggle = ({ currentTarget }: ToggleEvent<HTMLDetailsElement>): void =>
    setIsOpen(currentTarget.open);
  return (
    <details className={styles.group} open={isOpen || isWrong} onToggle={onToggle}>
      <summary>
        {group.title} <span className={styles.values}>{groupSummary(group, draft)}</span>
      </summary>
      {children}
    </details>
  );
}

function WeightSum({ sum }: { sum: number }): ReactNode {
  const isOne = Math.abs(sum - 1) < 1e-9;
  return (
    <output className={cx(styles.lead, !isOne && 'bad')}>
      Sum of the weights: <strong>{plainNumber(sum)}</strong>
      {isOne ? '' : sum > 1 ? `, ${plainNumber(sum - 1)} too much` : `, ${plainNumber(1 - sum)} too little`}
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
    <div className={page.actions}>
      <Input
        aria-label="Another verifier label"
        placeholder="Another label, such as others"
        maxLength={60}
        value={label}
        onChange={({ target }) => setLabel(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          // The label, not the profile.
          event.preventDefault();
          if (label.trim() !== '') add();
        }}
      />
      <Button size="small" isDisabled={label.trim() === ''} onClick={add}>
        Add
      </Button>
    </div>
  );
}
