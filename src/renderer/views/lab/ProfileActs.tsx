// Profiles: taking one's numbers into the form, saving the form under a name, removing one with a way back.
import { FolderOpen, Save } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { DEFAULT_PROFILE } from '../../../shared/events/rewards.ts';
import type { RewardSettings } from '../../../shared/rewards/settings.ts';
import { useSession, useToast } from '../../state/hooks.ts';
import { useAct } from '../../state/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Input } from '../../ui/Field.tsx';
import { Menu } from '../../ui/Menu.tsx';
import * as styles from './Lab.module.css';
import { settingsDraft, isSameSettings } from './labForm.ts';
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
  const same =
    settings === null ? undefined : profiles.find((profile) => isSameSettings(profile.settings, settings));
  const refused = 'Could not change the profile';
  const save = useAct(async (name: string, removed: RewardSettings) => {
    await call('rewards.save_profile', { name, settings: removed });
    onProfiles();
  }, refused);
  const remove = useAct(async (name: string) => {
    const removed = await call('rewards.remove_profile', { name });
    if (before === name) onBefore(DEFAULT_PROFILE);
    onProfiles();
    const bringBack = (): void => void save.run(name, removed.settings);
    toast({ tone: 'plain', title: `Removed ${name}`, action: { label: 'Undo', run: bringBack } });
  }, refused);
  return (
    <div className={styles.acts}>
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
            onChoose: () => onDraft(settingsDraft(kept)),
          })),
          ...(profiles.length > 1 ? (['line'] as const) : []),
          ...profiles
            .filter(({ name }) => name !== DEFAULT_PROFILE)
            .map(({ name }) => ({
              label: `Remove ${name}`,
              tone: 'danger' as const,
              onChoose: () => void remove.run(name),
            })),
        ]}
      />
      <Button size="small" icon={<Save />} isDisabled={settings === null} onClick={() => setIsSaving(true)}>
        Save as…
      </Button>
      <span className={styles.quiet}>
        {settings === null ? 'Settings break a rule' : same === undefined ? 'Not saved' : `As ${same.name}`}
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
  const given = name.trim();
  const isReserved = given === DEFAULT_PROFILE;
  const { isBusy, failure, run } = useAct(async () => {
    const { version } = await call('rewards.save_profile', { name: given, settings });
    onSaved(`Saved ${given}, version ${String(version)}`);
  });
  const save = (): void => {
    if (given !== '' && !isReserved) void run();
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Save these rewards"
      description="Under a name you can score by, here and with `interject score`."
      size="small"
      notice={failure === null ? null : <ErrorNote title="Could not save" failure={failure} />}
      footer={
        <Button tone="primary" isDisabled={given === '' || isReserved} isBusy={isBusy} onClick={save}>
          {taken.includes(given) && !isReserved ? 'Replace the profile' : 'Save the profile'}
        </Button>
      }
    >
      <Field label="Name" error={isReserved ? 'The default cannot be replaced. Choose another name.' : null}>
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
