// Settings of this browser, and every setting that has no field of its own, as one document.
import { useState, type ReactNode } from 'react';
import { askPermission, permission, type Permission, playTone } from '../../parts/desk/useNotify.ts';
import { setPrefs } from '../../state/deskPrefs.ts';
import { useConsole, useSession, useToast } from '../../state/hooks.ts';
import { SaveForm, Fields, Section, SettingsSection, type ChangeSettings, type Settings } from './form.tsx';
import { documentOf, patchesOf } from './settingsDocument.ts';
import * as styles from './Setup.module.css';

const PERMISSION_LABELS: Readonly<Record<Permission, string>> = {
  granted: 'Shown while this window is in the background.',
  default: 'Your browser will ask for permission.',
  denied: 'Notifications are blocked. Allow them for this address in your browser’s settings.',
  unsupported: 'This browser does not support notifications.',
};
/** The app itself announces there; the page is not asked. */
const DESKTOP_HINT = 'Shown while this window is in the background. Turn them off in your system settings.';

const UNDO_FIELDS = [
  {
    name: 'takeBackMs',
    label: 'Undo send',
    hint: 'For 3 seconds unless set.',
    help: 'Nothing is committed until the time is up. What has a deadline is sent immediately.',
    options: [
      { value: '0', label: 'Off: send immediately' },
      { value: '3000', label: 'For 3 seconds' },
      { value: '5000', label: 'For 5 seconds' },
      { value: '10000', label: 'For 10 seconds' },
    ],
  },
] as const;

export function BrowserSettings(): ReactNode {
  const { store } = useSession();
  const prefs = useConsole(({ ui }) => ui.prefs);
  const isDesktop = useConsole(({ record }) => record.app?.host === 'desktop');
  const [may, setMay] = useState(permission);
  const notify = async (wanted: boolean): Promise<void> => {
    const now = wanted && may === 'default' ? await askPermission() : may;
    setMay(now);
    setPrefs(store, { notifies: wanted && now === 'granted' });
  };
  const undo: Readonly<Record<'takeBackMs', string>> = { takeBackMs: String(prefs.take_back_ms) };
  return (
    <Section id="browser" title="This browser" about="Kept here, for you alone.">
      <Fields
        fields={UNDO_FIELDS}
        draft={undo}
        onDraft={({ takeBackMs }) => setPrefs(store, { take_back_ms: Number(takeBackMs) })}
      />
      <CheckBox
        label="Desktop notifications"
        hint={isDesktop ? DESKTOP_HINT : `Off unless set. ${PERMISSION_LABELS[may]}`}
        isChecked={isDesktop || (prefs.notifies && may === 'granted')}
        isDisabled={isDesktop || may === 'denied' || may === 'unsupported'}
        onCheck={(wanted) => void notify(wanted)}
      />
      <CheckBox
        label="Sound"
        hint="Off unless set. A short tone when something new waits."
        isChecked={prefs.sounds}
        onCheck={(sounds) => {
          setPrefs(store, { sounds });
          if (sounds) playTone();
        }}
      />
      <CheckBox
        label="Single-letter keys"
        hint="On unless set. Off: letters, digits and signs do nothing when pressed alone. Keys with Ctrl or ⌘, Enter, Esc and the arrows stay."
        isChecked={prefs.plain_keys}
        onCheck={(plain) => setPrefs(store, { plain_keys: plain })}
      />
    </Section>
  );
}

type CheckBoxProps = {
  label: string;
  hint: string;
  isChecked: boolean;
  isDisabled?: boolean;
  onCheck: (isChecked: boolean) => void;
};

const CheckBox = ({ label, hint, isChecked, isDisabled = false, onCheck }: CheckBoxProps): ReactNode => (
  <label className={styles.check}>
    <input
      type="checkbox"
      checked={isChecked}
      disabled={isDisabled}
      onChange={({ target }) => onCheck(target.checked)}
    />
    <span>
      {label} <small className={styles.checkHint}>{hint}</small>
    </span>
  </label>
);

export const OtherSettings = (): ReactNode => (
  <SettingsSection
    id="other"
    title="Everything else"
    about={
      <>
        <p>
          Clients of the gateway, budgets, prices, which question goes to which skill, reward profiles, the
          Agent World Model. What is saved holds from then on.
        </p>
        <p>
          Flags and variables stand over some of it. The page <em>Settings, variables and folders</em> of the
          documents says what each field means.
        </p>
      </>
    }
  >
    {(settings, change) => <DocumentForm settings={settings} change={change} />}
  </SettingsSection>
);

type DocumentFormProps = { settings: Settings; change: ChangeSettings };

function DocumentForm({ settings, change }: DocumentFormProps): ReactNode {
  const toast = useToast();
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? documentOf(settings);
  const { patches, problem } = patchesOf(settings, text);
  const save = async (): Promise<void> => {
    for (const patch of patches) await change(patch);
    setTyped(null);
    toast({ tone: 'ok', title: 'Saved' });
  };
  return (
    <SaveForm
      label="The other settings, as JSON"
      fields={[
        {
          name: 'text',
          label: 'Document',
          hint: 'What is left out has its default. A judge_key under awm is kept as a secret and not shown again.',
          error: problem,
          kind: 'code',
        },
      ]}
      draft={{ text }}
      onDraft={(draft) => setTyped(draft.text)}
      isReady={patches.length > 0}
      onSave={save}
      saveLabel="Save"
      problem="Could not save all of it"
    />
  );
}
