// The setup in four parts, each with an address: who thinks, who answers, what connects, and the rest.
import { useEffect, useRef, type ReactNode, type RefObject } from 'react';
import { formatRoute } from '../../state/route.ts';
import type { SetupPart } from '../../state/views.ts';
import { cx } from '../../ui/cx.ts';
import { BrowserSettings, OtherSettings } from './Advanced.tsx';
import { Connect } from './Connect.tsx';
import { EnvironmentSettings } from './Environments.tsx';
import { Experts } from './Experts.tsx';
import { Invites, OwnerToken } from './Invites.tsx';
import { GatewayKeys } from './Keys.tsx';
import { Models } from './Models.tsx';
import * as styles from './Setup.module.css';

const PARTS: Readonly<Record<SetupPart, { title: string; draw: () => ReactNode }>> = {
  models: { title: 'Models', draw: () => <Models /> },
  people: {
    title: 'People',
    draw: () => (
      <>
        <Invites />
        <Experts />
        <OwnerToken />
      </>
    ),
  },
  connect: {
    title: 'Environments and Connect',
    draw: () => (
      <>
        <EnvironmentSettings />
        <Connect />
        <GatewayKeys />
      </>
    ),
  },
  advanced: {
    title: 'Advanced',
    draw: () => (
      <>
        <BrowserSettings />
        <OtherSettings />
      </>
    ),
  },
};

type SetupViewProps = {
  part: SetupPart;
  /** One of its sections to begin at, by the beginning of its heading's id. */
  section: string | null;
};

export function SetupView({ part, section }: SetupViewProps): ReactNode {
  const page = useRef<HTMLDivElement>(null);
  useNamedSection(page, part, section);
  const { title, draw } = PARTS[part];
  return (
    <div className={styles.page} ref={page}>
      <nav className={styles.parts} aria-label="Parts of the setup">
        {(Object.keys(PARTS) as SetupPart[]).map((one) => (
          <a
            key={one}
            href={formatRoute({ view: 'setup', part: one })}
            className={cx(styles.part, one === part && styles.isHere)}
            aria-current={one === part ? 'page' : undefined}
          >
            {PARTS[one].title}
          </a>
        ))}
      </nav>
      <div className={styles.column}>
        <h1 className={styles.heading}>{title}</h1>
        {draw()}
      </div>
    </div>
  );
}

/** A person's first own move ends the following. */
const OWN_MOVES = ['wheel', 'keydown', 'pointerdown', 'touchstart'] as const;

/**
 * Shows the section an address names, with the focus on its first field or its heading, and stays there while what
 * stands above it is still being read. Without one, the part begins at its top.
 */
function useNamedSection(page: RefObject<HTMLDivElement | null>, part: string, section: string | null): void {
  useEffect(() => {
    const box = page.current;
    const heading = document.getElementById(`${section ?? ''}-title`);
    if (heading === null) box?.scrollTo({ top: 0 });
    if (box === null || heading === null) return undefined;
    const first = heading.closest('section')?.querySelector<HTMLElement>('[data-first]');
    heading.tabIndex = -1;
    (first ?? heading).focus({ preventScroll: true });
    const observer = new ResizeObserver(() => heading.scrollIntoView({ block: 'start' }));
    for (const inner of box.children) observer.observe(inner);
    const stop = (): void => observer.disconnect();
    for (const move of OWN_MOVES) document.addEventListener(move, stop, { once: true, passive: true });
    return () => {
      stop();
      for (const move of OWN_MOVES) document.removeEventListener(move, stop);
    };
  }, [page, part, section]);
}
