// Training runs and benches stand side by side in one place of the rail.
import type { ReactNode } from 'react';
import { formatRoute } from '../../state/route.ts';
import { cx } from '../../ui/cx.ts';
import * as styles from './EvidenceTabs.module.css';

const PLACES = [
  { view: 'runs', label: 'Training runs', href: formatRoute({ view: 'runs', run: null }) },
  { view: 'bench', label: 'Benches', href: formatRoute({ view: 'bench', bench: null, isNew: false }) },
] as const;

export const EvidenceTabs = ({ here }: { here: 'training' | 'bench' }): ReactNode => (
  <div className={styles.tabs}>
    {PLACES.map(({ view, label, href }) => (
      <a
        key={view}
        href={href}
        className={cx(styles.tab, view === here && styles.isHere)}
        aria-current={view === here ? 'page' : undefined}
      >
        {label}
      </a>
    ))}
  </div>
);
