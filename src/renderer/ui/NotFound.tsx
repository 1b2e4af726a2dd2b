// The page for an address that names something that is not here: what that was, and where to go on.
import type { ReactNode } from 'react';
import { EmptyState } from './EmptyState.tsx';

type NotFoundProps = {
  /** "bench", "annotation project". */
  what: string;
  /** As the address has it. */
  name: string;
  /** Why it may be missing; left out, that it may be in another data folder. */
  children?: ReactNode;
  /** The list to choose another from. */
  href: string;
  /** What that link does. */
  label: string;
};

export const NotFound = ({ what, name, children, href, label }: NotFoundProps): ReactNode => (
  <EmptyState isPage title={`There is no such ${what}`} action={<a href={href}>{label}</a>}>
    <p>
      <code>{name}</code>{' '}
      {children ?? 'is not in this data folder. It was removed, or it is in another folder.'}
    </p>
  </EmptyState>
);
