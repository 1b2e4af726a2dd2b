// How this person works at the desk: order, taking back, being told. Kept in this browser.
import { type ReactNode, useState } from 'react';
import { askPermission, permission, type Permission, playTone } from '../../parts/desk/useNotify.ts';
import { setPrefs } from '../../state/deskPrefs.ts';
import { useConsole, useSession } from '../../state/hooks.ts';
import { Fields, Section } from './SettingsForm.tsx';
import * as styles from './SettingsView.module.css';

const PERMISSION_LABELS: Readonly<Record<Permission, string>> = {
  granted: 'Shown while this window is in the background.',
  default: 'Your browser will ask for permission.',
  denied: 'Notifications are blocked. Allow them for this address in your browser’s settings.',
  unsupported: 'This browser does not support notifications.',
};
/** The app itself announces there; the page is not asked. */
const DESKTOP_HINT = 'Shown while this window is in the background. Turn them off in your system settings.';

const FIELDS = [
  {
    name: 'order',
    label: 'Order',
    help: 'Urgency combines waiting time, consecutive errors, repeated calls, turns left and near deadlines.',
    options: [
      { value: 'triage', label: 'Most urgent first' },
      { value: 'age', label: 'Oldest first' },
    ],
  },
  {
    name: 'takeBackMs',
    label: 'Undo send',
    help: 'Nothing is committed until the time is up. What has a deadline is sent immediately.',
    options: [
      { value: '0', label: 'Off: send immediately' },
      { value: '3000', label: 'For 3 seconds' },
      { value: '5000', label: 'For 5 seconds' },
      { value: '10000', label: 'For 10 seconds' },
    ],
  },
] as const;

export function DeskSettings(): ReactNode {
  const { store } = useSession();
  const prefs = useConsole(({ ui }) => ui.prefs);
  const isDesktop = useConsole(({ record }) => record.app?.host === 'desktop');
  const [may, setMay] = useState(permission);
  const notify = async (wanted: boolean): Promise<void> => {
    const now = wanted && may === 'default' ? await askPermission() : may;
    setMay(now);
    setPrefs(store, { notifies: wanted && now === 'granted' });
  };
  const draft: Readonly<Record<'order' | 'takeBackMs', string>> = {
    order: prefs.order,
    takeBackMs: String(prefs.take_back_ms),
  };
  return (
    <Section id="desk" title="Desk" about="Kept in this browser.">
      <Fields
        fields={FIELDS}
        draft={draft}
        onDraft={({ order, takeBackMs }) =>
          setPrefs(store, {
            order: order === 'age' ? 'age' : 'triage',
            take_back_ms: Number(takeBackMs),
          })
        }
      />
      <CheckBox
        label="Desktop notifications"
        hint={isDesktop ? DESKTOP_HINT : PERMISSION_LABELS[may]}
        isChecked={isDesktop || (prefs.notifies && may === 'granted')}
        isDisabled={isDesktop || may === 'denied' || may === 'unsupported'}
        onCheck={(wanted) => void notify(wanted)}
      />
      <CheckBox
        label="Sound"
        hint="A short tone when something new waits."
        isChecked={prefs.sounds}
        onCheck={(sounds) => {
          setPrefs(store, { sounds });
          if (sounds) playTone();
        }}
      />
      <CheckBox
        label="Single-letter keys"
        hint="Off: letters, digits and signs do nothing when pressed alone. Keys with Ctrl or ⌘, Enter, Esc and the arrows stay."
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
