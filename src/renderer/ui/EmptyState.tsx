// The empty state of a view: what will be here, and how to get it.
import type { ReactNode } from 'react';
import * as styles from './EmptyState.module.css';

type EmptyStateProps = {
  icon?: ReactNode;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  /** Its title is the page's. */
  isPage?: boolean;
};

export function EmptyState(props: EmptyStateProps): ReactNode {
  const { icon, title, children, action, isPage = false } = props;
  const Title = isPage ? 'h1' : 'h2';
  return (
    <div className={styles.empty}>
      {icon === undefined ? null : (
        <span className={styles.icon} aria-hidden="true">
          {icon}
        </span>
      )}
      <Title className={styles.title}>{title}</Title>
      {children === undefined ? null : <div className="soft">{children}</div>}
      {action === undefined ? null : <div className={styles.action}>{action}</div>}
    </div>
  );
}
