// A page of two parts: a list, and beside it what is open of it.
import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import { ErrorNote } from './ErrorNote.tsx';
import * as styles from './ListPage.module.css';
import { Skeleton } from './Skeleton.tsx';

type Unread = {
  failure: { code: string; message: string; next: string | null } | null;
  again: () => void;
  /** "Could not read the benches". */
  problem: string;
  /** "Loading the benches". */
  loading: string;
};

type ListPageProps = Unread & {
  /** What the list is of. */
  label: string;
  /** Read out where nothing that is open has a heading. */
  heading?: string | null;
  /** Above the list. */
  head: ReactNode;
  /** Null until it is read. */
  list: ReactNode;
  children: ReactNode;
};

export const ListPage = ({
  label,
  heading = null,
  head,
  list,
  children,
  ...unread
}: ListPageProps): ReactNode => (
  <div className={styles.page}>
    {heading === null ? null : <h1 className="quiet-label">{heading}</h1>}
    <nav className={styles.list} aria-label={label}>
      {head}
      {list === null || unread.failure !== null ? <Reading {...unread} height={44} /> : null}
      {list}
    </nav>
    {children}
  </div>
);

const Reading = ({ failure, again, problem, loading, height }: Unread & { height: number }): ReactNode =>
  failure === null ? (
    <Skeleton rows={6} height={height} label={loading} />
  ) : (
    <ErrorNote title={problem} failure={failure} again={again} />
  );

type ListLineProps = {
  href: string;
  isHere: boolean;
  name: ReactNode;
  /** Before the line, and no part of the link. */
  mark?: ReactNode;
  children: ReactNode;
};

export const ListLine = ({ href, isHere, name, mark = null, children }: ListLineProps): ReactNode => (
  <li className={styles.row}>
    {mark}
    <a
      className={cx(styles.line, isHere && styles.isHere)}
      href={href}
      aria-current={isHere ? 'true' : undefined}
    >
      <span className={styles.name}>{name}</span>
      {children}
    </a>
  </li>
);

type OpenPaneProps = { label: string; title: ReactNode; head: ReactNode; children: ReactNode };

/** The open item: its name, what is said of it first, and the rest. */
export const OpenPane = ({ label, title, head, children }: OpenPaneProps): ReactNode => (
  <section className={styles.pane} aria-label={label}>
    <header className={styles.head}>
      <h1 className="large breaks">{title}</h1>
      {head}
    </header>
    {children}
  </section>
);

/** In place of what is open. */
export const Pane = ({ children }: { children: ReactNode }): ReactNode => (
  <div className={styles.pane}>{children}</div>
);

/** Until it is read, or where it cannot be. */
export const UnreadPane = (unread: Unread): ReactNode => (
  <Pane>
    <Reading {...unread} height={60} />
  </Pane>
);
