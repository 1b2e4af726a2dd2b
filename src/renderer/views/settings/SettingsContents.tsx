// What the settings hold, in groups, beside them: a click goes to a section, and the one in sight is marked.
import { useEffect, useState, type ReactNode, type RefObject } from 'react';
import { cx } from '../../ui/cx.ts';
import { goToHeading } from './goToSection.ts';
import * as styles from './SettingsView.module.css';

/** The headings by their ids, in the order of the page. */
const GROUPS: readonly { label: string; sections: readonly (readonly [id: string, label: string])[] }[] = [
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
];
const IDS = GROUPS.flatMap(({ sections }) => sections.map(([id]) => id));

export function SettingsContents({ page }: { page: RefObject<HTMLDivElement | null> }): ReactNode {
  const here = useSectionInSight(page);
  return (
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
  );
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
