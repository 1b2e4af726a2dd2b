// The settings: the two models, the environments, how the console looks.
import { useRef, type ReactNode } from 'react';
import type { Outputs } from '../../../shared/contract/contract.ts';
import { setTheme } from '../../state/choices.ts';
import { useConsole, useSession } from '../../state/hooks.ts';
import { useAsk } from '../../state/queries.ts';
import { Theme } from '../../state/store.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Select } from '../../ui/Field.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { AwmSettings } from './AwmSettings.tsx';
import { BudgetSettings } from './Budgets.tsx';
import { DeskSettings } from './DeskSettings.tsx';
import { EnvironmentSettings } from './Environments.tsx';
import { Experts } from './Experts.tsx';
import { useNamedSection } from './goToSection.ts';
import { GatewaySection } from './GatewaySection.tsx';
import { Invites } from './Invites.tsx';
import { GatewayKeys } from './Keys.tsx';
import { OwnerToken } from './OwnerToken.tsx';
import { ModelForm } from './ModelForm.tsx';
import { Prices } from './Prices.tsx';
import { Profiles } from './Profiles.tsx';
import { RewardProfiles } from './Rewards.tsx';
import { SettingsContents } from './SettingsContents.tsx';
import * as styles from './SettingsView.module.css';

type Settings = Outputs['settings.read'];

export function SettingsView({ section }: { section: string | null }): ReactNode {
  const { refreshApp } = useSession();
  const page = useRef<HTMLDivElement>(null);
  useNamedSection(page, section);
  const { value: settings, failure, again, replace } = useAsk('settings.read', {});
  const onSaved = (now: Settings): void => {
    replace(now);
    refreshApp();
  };
  return (
    <div className={styles.page} ref={page}>
      <SettingsContents page={page} />
      <div className={styles.column}>
        <h1 className={styles.heading}>Settings</h1>
        {failure === null ? null : (
          <ErrorNote title="Could not read the settings" failure={failure} again={again} />
        )}
        {settings === null && failure === null ? (
          <Skeleton rows={8} height={28} label="Reading the settings" />
        ) : null}
        {settings === null ? null : (
          <>
            <ModelForm
              role="agent"
              title="Agent"
              purpose="The model used by the chat-model agent. Without one, the rehearsal agent acts."
              settings={settings.agent}
              keyStore={settings.key_store}
              onSaved={onSaved}
            />
            <ModelForm
              role="expert"
              title="Advisor"
              purpose="The model that drafts answers for you, or answers on its own under the condition Model. Without one, drafts come from the task’s reference plan and are marked."
              settings={settings.expert}
              keyStore={settings.key_store}
              onSaved={onSaved}
            />
          </>
        )}
        <Profiles />
        <Prices />
        <Experts />
        <Invites />
        <OwnerToken />
        <DeskSettings />
        <BudgetSettings />
        <RewardProfiles />
        <EnvironmentSettings />
        <AwmSettings />
        <GatewaySection />
        <GatewayKeys />
        <Appearance />
        <About />
      </div>
    </div>
  );
}

function Appearance(): ReactNode {
  const { store } = useSession();
  const theme = useConsole(({ ui }) => ui.theme);
  const labels: Readonly<Record<Theme, string>> = {
    system: 'Match system',
    light: 'Light',
    dark: 'Dark',
    contrast: 'High contrast',
  };
  return (
    <section className={styles.section} aria-labelledby="appearance-title">
      <div className={styles.about}>
        <h2 id="appearance-title" className={styles.title}>
          Appearance
        </h2>
        <p>Kept in this browser.</p>
      </div>
      <div className={styles.fields}>
        <Field label="Theme">
          <Select
            value={theme}
            options={Theme.options.map((value) => ({ value, label: labels[value] }))}
            onChoose={(chosen) => setTheme(store, chosen)}
          />
        </Field>
      </div>
    </section>
  );
}

function About(): ReactNode {
  const app = useConsole(({ record }) => record.app);
  if (app === null) return null;
  return (
    <section className={styles.section} aria-labelledby="about-title">
      <div className={styles.about}>
        <h2 id="about-title" className={styles.title}>
          This console
        </h2>
      </div>
      <dl className={styles.facts}>
        <dt>Version</dt>
        <dd>{app.version}</dd>
        <dt>Your seat</dt>
        <dd>
          <code>{app.seat}</code>
        </dd>
        <dt>Data folder</dt>
        <dd className={styles.folder}>
          <code>{app.data_folder}</code>
          <CopyButton text={app.data_folder} label="Copy the folder" />
        </dd>
      </dl>
    </section>
  );
}
