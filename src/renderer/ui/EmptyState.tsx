// What stands where nothing is yet: what will be here, and how to get it.
import type { ReactNode } from 'react';
import * as styles from './EmptyState.module.css';

type EmptyStateProps = { icon?: ReactNode; title: string; children?: ReactNode; action?: ReactNode };

export function EmptyState({ icon, title, children, action }: EmptyStateProps): ReactNode {
  return (
    <div className={styles.empty}>
      {icon === undefined ? null : (
        <span className={styles.icon} aria-hidden="true">
          {icon}
        </span>
      )}
      <h2 className={styles.title}>{title}</h2>
      {children === undefined ? null : <div className={styles.text}>{children}</div>}
      {action === undefined ? null : <div className={styles.action}>{action}</div>}
    </div>
  );
}
