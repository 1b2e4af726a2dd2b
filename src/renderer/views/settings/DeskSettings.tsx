// How this person works at the desk: order, taking back, being told. Kept in this browser.
import { type ReactNode, useState } from 'react';
import { askPermission, permission, type Permission, playTone } from '../../parts/desk/useNotify.ts';
import { setPrefs } from '../../state/deskPrefs.ts';
import { useConsole, useSession } from '../../state/hooks.ts';
import { Field, Select } from '../../ui/Field.tsx';
import * as styles from './SettingsView.module.css';

const TAKE_BACK = ['0', '3000', '5000', '10000'] as const;
const PERMISSION_LABELS: Readonly<Record<Permission, string>> = {
  granted: 'Shown while this window is in the background.',
  default: 'Your browser will ask for permission.',
  denied: 'Notifications are blocked. Allow them for this address in your browser’s settings.',
  unsupported: 'This browser does not support notifications.',
};
/** The app itself announces there; the page is not asked. */
const DESKTOP_HINT = 'Shown while this window is in the background. Turn them off in your system settings.';

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
  const chosen = TAKE_BACK.find((ms) => Number(ms) === prefs.take_back_ms) ?? '3000';
  return (
    <section className={styles.section} aria-labelledby="desk-title">
      <div className={styles.about}>
        <h2 id="desk-title" className={styles.title}>
          Desk
        </h2>
        <p>Kept in this browser.</p>
      </div>
      <div className={styles.fields}>
        <Field
          label="Order"
          help="Urgency combines waiting time, consecutive errors, repeated calls, turns left and near deadlines."
        >
          <Select
            value={prefs.order}
            options={[
              { value: 'triage', label: 'Most urgent first' },
              { value: 'age', label: 'Oldest first' },
            ]}
            onChoose={(order) => setPrefs(store, { order })}
          />
        </Field>
        <Field
          label="Undo send"
          help="Nothing is committed until the time is up. What has a deadline is sent immediately."
        >
          <Select
            value={chosen}
            options={TAKE_BACK.map((ms) => ({
              value: ms,
              label: ms === '0' ? 'Off: send immediately' : `For ${String(Number(ms) / 1000)} seconds`,
            }))}
            onChoose={(ms) => setPrefs(store, { take_back_ms: Number(ms) })}
          />
        </Field>
        <CheckBox label="Desktop notifications" hint={isDesktop ? DESKTOP_HINT : PERMISSION_LABELS[may]}>
          <input
            type="checkbox"
            checked={isDesktop || (prefs.notifies && may === 'granted')}
            disabled={isDesktop || may === 'denied' || may === 'unsupported'}
            onChange={({ target }) => void notify(target.checked)}
          />
        </CheckBox>
        <CheckBox label="Sound" hint="A short tone when something new waits.">
          <input
            type="checkbox"
            checked={prefs.sounds}
            onChange={({ target }) => {
              setPrefs(store, { sounds: target.checked });
              if (target.checked) playTone();
            }}
          />
        </CheckBox>
        <CheckBox
          label="Single-letter keys"
          hint="Off: letters, digits and signs do nothing when pressed alone. Keys with Ctrl or ⌘, Enter, Esc and the arrows stay."
        >
          <input
            type="checkbox"
            checked={prefs.plain_keys}
            onChange={({ target }) => setPrefs(store, { plain_keys: target.checked })}
          />
        </CheckBox>
      </div>
    </section>
  );
}

type CheckBoxProps = { label: string; hint: string; children: ReactNode };

const CheckBox = ({ label, hint, children }: CheckBoxProps): ReactNode => (
  <label className={styles.check}>
    {children}
    <span>
      {label} <small className={styles.checkHint}>{hint}</small>
    </span>
  </label>
);
