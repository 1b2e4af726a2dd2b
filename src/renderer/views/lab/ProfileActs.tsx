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

export function ProfileActs(props: SettingsPaneProps): ReactNode {
  const { profiles, onProfiles, onDraft, checked, base, onBase } = props;
  const { settings } = checked;
  const { call } = useSession();
  const toast = useToast();
  const [isSaving, setIsSaving] = useState(false);
  const same = profiles.find((profile) => settings !== null && isSameSettings(profile.settings, settings));
  const refused = 'Could not change the profile';
  const bringBack = useAct(async (name: string, removed: RewardSettings) => {
    await call('rewards.save_profile', { name, settings: removed });
    onProfiles();
  }, refused);
  const remove = useAct(async (name: string) => {
    const removed = await call('rewards.remove_profile', { name });
    if (base.name === name) onBase(DEFAULT_PROFILE);
    onProfiles();
    const undo = { label: 'Undo', run: () => void bringBack.run(name, removed.settings) };
    toast({ tone: 'plain', title: `Removed ${name}`, action: undo });
  }, refused);
  const saved = profiles.filter(({ name }) => name !== DEFAULT_PROFILE);
  return (
    <div className={styles.acts}>
      <Menu
        trigger={
          <Button size="small" icon={<FolderOpen />}>
            Profiles
          </Button>
        }
        items={[
          ...profiles.map((profile) => ({
            label: `Use ${profile.name}`,
            isChecked: profile === same,
            onChoose: () => onDraft(settingsDraft(profile.settings)),
          })),
          ...(saved.length > 0 ? (['line'] as const) : []),
          ...saved.map(({ name }) => ({
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
        <SaveDialog {...props} settings={settings} onClose={() => setIsSaving(false)} />
      ) : null}
    </div>
  );
}

type SaveProps = Pick<SettingsPaneProps, 'profiles' | 'onProfiles'> & {
  settings: RewardSettings;
  onClose: () => void;
};

function SaveDialog({ profiles, onProfiles, settings, onClose }: SaveProps): ReactNode {
  const { call } = useSession();
  const toast = useToast();
  const [typed, setTyped] = useState('');
  const name = typed.trim();
  const isReserved = name === DEFAULT_PROFILE;
  const { isBusy, failure, run } = useAct(async () => {
    const { version } = await call('rewards.save_profile', { name, settings });
    onClose();
    onProfiles();
    toast({ tone: 'ok', title: `Saved ${name}, version ${String(version)}` });
  });
  const canSave = name !== '' && !isReserved;
  const isTaken = canSave && profiles.some((profile) => profile.name === name);
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Save these rewards"
      description="Under a name you can score by, here and with `interject score`."
      size="small"
      notice={failure === null ? null : <ErrorNote title="Could not save" failure={failure} />}
      footer={
        <Button tone="primary" isDisabled={!canSave} isBusy={isBusy} onClick={() => void run()}>
          {isTaken ? 'Replace the profile' : 'Save the profile'}
        </Button>
      }
    >
      <Field label="Name" error={isReserved ? 'The default cannot be replaced. Choose another name.' : null}>
        <Input
          data-first
          value={typed}
          maxLength={60}
          onChange={({ target }) => setTyped(target.value)}
          onKeyDown={({ key }) => (key === 'Enter' && canSave ? void run() : undefined)}
        />
      </Field>
    </Dialog>
  );
}
