// The settings, in sections: a click in the contents beside them goes to one, and the one in sight is marked.
import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import { setTheme } from '../../state/choices.ts';
import { useConsole, useSession } from '../../state/hooks.ts';
import { Theme } from '../../state/store.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { cx } from '../../ui/cx.ts';
import { Field, Select } from '../../ui/Field.tsx';
import { AwmSettings } from './AwmSettings.tsx';
import { BudgetSettings } from './Budgets.tsx';
import { DeskSettings } from './DeskSettings.tsx';
import { EnvironmentSettings } from './Environments.tsx';
import { Experts } from './Experts.tsx';
import { GatewaySection } from './GatewaySection.tsx';
import { Invites, OwnerToken } from './Invites.tsx';
import { GatewayKeys } from './Keys.tsx';
import { ModelSection } from './ModelForm.tsx';
import { Prices } from './Prices.tsx';
import { Profiles } from './Profiles.tsx';
import { RewardProfiles } from './Rewards.tsx';
import { Section } from './SettingsForm.tsx';
import * as styles from './SettingsView.module.css';

/** The sections by the ids of their headings, in the order of the page. */
const GROUPS = [
  {
    label: 'Models',
    sections: [
      ['agent-title', 'Agent'],
      ['expert-title', 'Advisor'],
      ['profiles-title', 'Model profiles'],
      ['prices-title', 'Prices'],
    ],
  },
  {
    label: 'People',
    sections: [
      ['experts-title', 'Experts'],
      ['invites-title', 'Invites'],
      ['owner-title', 'Your own address'],
      ['desk-title', 'Desk'],
    ],
  },
  {
    label: 'Runs',
    sections: [
      ['budgets-title', 'Budgets'],
      ['rewards-title', 'Rewards'],
      ['environments-title', 'Environments'],
      ['awm-title', 'Agent World Model'],
    ],
  },
  {
    label: 'Clients',
    sections: [
      ['gateway-title', 'Gateway'],
      ['gateway-keys-title', 'Keys'],
    ],
  },
  {
    label: 'This console',
    sections: [
      ['appearance-title', 'Appearance'],
      ['about-title', 'About'],
    ],
  },
] as const;
const IDS: readonly string[] = GROUPS.flatMap(({ sections }) => sections.map(([id]) => id));

export function SettingsView({ section }: { section: string | null }): ReactNode {
  const page = useRef<HTMLDivElement>(null);
  useNamedSection(page, section);
  const here = useSectionInSight(page);
  return (
    <div className={styles.page} ref={page}>
      <nav className={styles.contents} aria-label="Sections of the settings">
        {GROUPS.map(({ label, sections }) => (
          <div key={label} className={styles.contentsGroup}>
            <span className={styles.contentsLabel}>{label}</span>
            {sections.map(([id, name]) => (
              <button
                key={id}
                type="button"
                className={cx(styles.contentsLine, id === here && styles.isHere)}
                aria-current={id === here ? 'true' : undefined}
                onClick={() => goToHeading(id)}
              >
                {name}
              </button>
            ))}
          </div>
        ))}
      </nav>
      <div className={styles.column}>
        <h1 className={styles.heading}>Setup</h1>
        <ModelSection
          role="agent"
          title="Agent"
          purpose="The model used by the chat-model agent. Without one, the rehearsal agent acts."
        />
        <ModelSection
          role="expert"
          title="Advisor"
          purpose="The model that drafts answers for you, or answers on its own under the condition Model. Without one, drafts come from the task’s reference plan and are marked."
        />
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

const THEME_LABELS: Readonly<Record<Theme, string>> = {
  system: 'Match system',
  light: 'Light',
  dark: 'Dark',
  contrast: 'High contrast',
};

function Appearance(): ReactNode {
  const { store } = useSession();
  const theme = useConsole(({ ui }) => ui.theme);
  return (
    <Section id="appearance" title="Appearance" about="Kept in this browser.">
      <Field label="Theme">
        <Select
          value={theme}
          options={Theme.options.map((value) => ({ value, label: THEME_LABELS[value] }))}
          onChoose={(chosen) => setTheme(store, chosen)}
        />
      </Field>
    </Section>
  );
}

function About(): ReactNode {
  const app = useConsole(({ record }) => record.app);
  if (app === null) return null;
  return (
    <Section id="about" title="This console">
      <dl className={styles.facts}>
        <dt>Version</dt>
        <dd>{app.version}</dd>
        <dt>Your seat</dt>
        <dd>
          <code>{app.seat}</code>
        </dd>
        <dt>Data folder</dt>
        <dd className="row-1 shrinks breaks">
          <code>{app.data_folder}</code>
          <CopyButton text={app.data_folder} label="Copy the folder" />
        </dd>
      </dl>
    </Section>
  );
}

/** Also for the keyboard: Tab goes on from the heading, or from the field the section is opened for. */
function goToHeading(id: string): void {
  const heading = document.getElementById(id);
  if (heading === null) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
  heading.scrollIntoView({ block: 'start' });
}

/** What a person does first ends the following. */
const OWN_MOVES = ['wheel', 'keydown', 'pointerdown', 'touchstart'] as const;

/**
 * Shows the section an address names, and stays there while what stands above it is still being read; null shows the top
 * of the page.
 */
function useNamedSection(page: RefObject<HTMLDivElement | null>, section: string | null): void {
  useEffect(() => {
    const box = page.current;
    const id = `${section ?? ''}-title`;
    const heading = document.getElementById(id);
    if (box === null || heading === null) return undefined;
    goToHeading(id);
    heading.closest('section')?.querySelector<HTMLElement>('[data-first]')?.focus({ preventScroll: true });
    const observer = new ResizeObserver(() => heading.scrollIntoView({ block: 'start' }));
    for (const part of box.children) observer.observe(part);
    const stop = (): void => observer.disconnect();
    for (const move of OWN_MOVES) document.addEventListener(move, stop, { once: true, passive: true });
    return () => {
      stop();
      for (const move of OWN_MOVES) document.removeEventListener(move, stop);
    };
  }, [page, section]);
}

/** Below the top of the page by this much, a heading counts as reached. */
const REACH_PX = 80;

/** The section whose heading was passed last. */
function useSectionInSight(page: RefObject<HTMLDivElement | null>): string {
  const [here, setHere] = useState(IDS[0] ?? '');
  useEffect(() => {
    const box = page.current;
    if (box === null) return undefined;
    const look = (): void => {
      const top = box.getBoundingClientRect().top + REACH_PX;
      const isAtEnd = box.scrollTop + box.clientHeight >= box.scrollHeight - 2;
      const passed = IDS.filter(
        (id) => (document.getElementById(id)?.getBoundingClientRect().top ?? top) < top,
      );
      setHere((isAtEnd && box.scrollTop > 0 ? IDS.at(-1) : passed.at(-1)) ?? IDS[0] ?? '');
    };
    box.addEventListener('scroll', look, { passive: true });
    return () => box.removeEventListener('scroll', look);
  }, [page]);
  return here;
}
