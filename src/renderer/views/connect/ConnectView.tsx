// Owns: how to reach this product from outside, and how this product reaches other environments.
import type { ReactNode } from 'react';
import { formatRoute } from '../../state/route.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import styles from './ConnectView.module.css';
import { SNIPPETS, type Snippet } from './snippets.ts';

export function ConnectView(): ReactNode {
  return (
    <div className={styles['page']}>
      <div className={styles['column']}>
        <header>
          <h1 className={styles['heading']}>Connect</h1>
          <p className={styles['lead']}>
            Commands to run in Interject's folder. To run episodes in a server you already have, add it under{' '}
            <a href={formatRoute({ view: 'settings' })}>Settings</a>.
          </p>
        </header>
        {SNIPPETS.map((snippet) => (
          <SnippetCard key={snippet.id} snippet={snippet} />
        ))}
      </div>
    </div>
  );
}

function SnippetCard({ snippet }: { snippet: Snippet }): ReactNode {
  return (
    <section aria-labelledby={`connect-${snippet.id}`}>
      <h2 id={`connect-${snippet.id}`} className={styles['title']}>
        {snippet.title}
      </h2>
      <p className={styles['what']}>{snippet.what}</p>
      <div className={styles['code']}>
        <pre tabIndex={0}>
          <code>{snippet.code}</code>
        </pre>
        <CopyButton
          text={snippet.code}
          label={snippet.language === 'shell' ? 'Copy the command' : 'Copy the code'}
        />
      </div>
    </section>
  );
}
