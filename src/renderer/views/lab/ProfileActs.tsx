// Owns: profiles: taking one's numbers into the form, saving the form under a name, removing one with a way back.
import { FolderOpen, Save } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { DEFAULT_PROFILE } from '../../../shared/events/rewards.ts';
import { failureShape, type FailureShape } from '../../../shared/failure.ts';
import type { RewardSettings } from '../../../shared/rewards/settings.ts';
import { useSession, useToast } from '../../state/hooks.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Input } from '../../ui/Field.tsx';
import { Menu } from '../../ui/Menu.tsx';
import styles from './Lab.module.css';
import { draftOf, isSame } from './labForm.ts';
import type { SettingsPaneProps } from './SettingsPane.tsx';

export function ProfileActs({
  profiles,
  onProfiles,
  onDraft,
  judged,
  before,
  onBefore,
}: SettingsPaneProps): ReactNode {
  const { call } = useSession();
  const toast = useToast();
  const [isSaving, setIsSaving] = useState(false);
  const { settings } = judged;
  const same = settings === null ? undefined : profiles.find((profile) => isSame(profile.settings, settings));
  const remove = (name: string): void => {
    call('rewards.remove_profile', { name })
      .then((removed) => {
        if (before === name) onBefore(DEFAULT_PROFILE);
        onProfiles();
        const bringBack = (): void =>
          void call('rewards.save_profile', { name, settings: removed.settings }).then(onProfiles, complain);
        toast({ tone: 'plain', title: `Removed ${name}`, action: { label: 'Undo', run: bringBack } });
      })
      .catch(complain);
  };
  const complain = (thrown: unknown): void =>
    toast({ tone: 'error', title: 'Could not change the profile', text: failureShape(thrown).message });
  return (
    <div className={styles['acts']}>
      <Menu
        trigger={
          <Button size="small" icon={<FolderOpen />}>
            Profiles
          </Button>
        }
        items={[
          ...profiles.map(({ name, settings: kept }) => ({
            label: `Use ${name}`,
            isChecked: name === same?.name,
            onChoose: () => onDraft(draftOf(kept)),
          })),
          ...(profiles.length > 1 ? (['line'] as const) : []),
          ...profiles
            .filter(({ name }) => name !== DEFAULT_PROFILE)
            .map(({ name }) => ({
              label: `Remove ${name}`,
              tone: 'danger' as const,
              onChoose: () => remove(name),
            })),
        ]}
      />
      <Button size="small" icon={<Save />} isDisabled={settings === null} onClick={() => setIsSaving(true)}>
        Save as…
      </Button>
      <span className={styles['quiet']}>
        {settings === null ? 'Numbers break a rule' : same === undefined ? 'Not saved' : `As ${same.name}`}
      </span>
      {isSaving && settings !== null ? (
        <SaveDialog
          settings={settings}
          taken={profiles.map(({ name }) => name)}
          onClose={() => setIsSaving(false)}
          onSaved={(words) => {
            setIsSaving(false);
            onProfiles();
            toast({ tone: 'ok', title: words });
          }}
        />
      ) : null}
    </div>
  );
}

type SaveProps = {
  settings: RewardSettings;
  taken: readonly string[];
  onClose: () => void;
  onSaved: (words: string) => void;
};

function SaveDialog({ settings, taken, onClose, onSaved }: SaveProps): ReactNode {
  const { call } = useSession();
  const [name, setName] = useState('');
  const [failure, setFailure] = useState<FailureShape | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const given = name.trim();
  const isReserved = given === DEFAULT_PROFILE;
  const save = (): void => {
    if (given === '' || isReserved || isBusy) return;
    setIsBusy(true);
    call('rewards.save_profile', { name: given, settings }).then(
      ({ version }) => onSaved(`Saved ${given}, version ${String(version)}`),
      (thrown: unknown) => {
        setIsBusy(false);
        setFailure(failureShape(thrown));
      },
    );
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Save these rewards"
      description="Under a name that scores can be stored by, here and with `interject score`."
      size="small"
      notice={failure === null ? null : <ErrorNote title="Could not save" failure={failure} />}
      footer={
        <Button tone="primary" isDisabled={given === '' || isReserved} isBusy={isBusy} onClick={save}>
          {taken.includes(given) && !isReserved ? 'Replace the profile' : 'Save the profile'}
        </Button>
      }
    >
      <Field label="Name" error={isReserved ? 'The default stays as it is: take another name.' : null}>
        <Input
          data-first
          value={name}
          maxLength={60}
          onChange={({ target }) => setName(target.value)}
          onKeyDown={(event) => (event.key === 'Enter' ? save() : undefined)}
        />
      </Field>
    </Dialog>
  );
}
