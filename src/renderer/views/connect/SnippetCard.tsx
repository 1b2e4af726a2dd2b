// One thing to copy: what it is for, its lines with the keys covered, and a button that copies them whole.
import type { ReactNode } from 'react';
import { CopyButton } from '../../ui/CopyButton.tsx';
import * as styles from './ConnectView.module.css';
import { coveredCode, type CodeSnippet } from './snippets.ts';

type SnippetCardProps = {
  snippet: CodeSnippet;
  /** Covered in what is shown, never in what is copied. */
  secrets?: readonly string[];
  hasTitle?: boolean;
};

export function SnippetCard({ snippet, secrets = [], hasTitle = true }: SnippetCardProps): ReactNode {
  const { id, title, what, code } = snippet;
  return (
    <div className={styles.snippet}>
      {hasTitle ? <h3 className={styles.title}>{title}</h3> : null}
      <p className={styles.what}>{what}</p>
      <CodeBox id={id} code={code} secrets={secrets} label={`Copy ${title}`} />
    </div>
  );
}

export function CodeBox({
  id,
  code,
  secrets,
  label,
}: {
  id: string;
  code: string;
  secrets: readonly string[];
  label: string;
}): ReactNode {
  return (
    <div className={styles.code}>
      <pre tabIndex={0} data-snippet={id} aria-label={label.replace(/^Copy /, '')}>
        <code>{coveredCode(code, secrets)}</code>
      </pre>
      <CopyButton text={code} label={label} />
    </div>
  );
}
