// The page for a console that may not connect: why, and how to get in.
import { KeyRound, RefreshCw } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Field, Input } from '../../ui/Field.tsx';
import * as styles from './Refused.module.css';

/** `invite`: the token is an invite's, and the server knows it no more. `cookies`: it is known, and the browser kept no cookie. */
export type RefusedReason = 'missing' | 'wrong' | 'invite' | 'cookies';

/** In place of a console that is older or newer than its server: after an update the page is loaded again. */
export const OtherVersion = ({ why }: { why: string }): ReactNode => (
  <main className={styles.page}>
    <div className={styles.card}>
      <RefreshCw aria-hidden="true" />
      <h1 className="large">Interject was updated</h1>
      <p>{why} What you have written is kept.</p>
      <Button tone="primary" onClick={() => window.location.reload()}>
        Reload
      </Button>
    </div>
  </main>
);

type RefusedProps = {
  reason: RefusedReason;
  /** Takes a pasted address or token; false when there is no token in it. */
  onToken: (pasted: string) => boolean;
};

const REFUSAL_TEXTS = {
  missing: {
    title: 'This address has no token',
    why: 'A browser opens the console the first time with the token that Interject printed when it started, after # in the address.',
  },
  wrong: {
    title: 'The token was not accepted',
    why: 'The server expects a different token. It was renewed, or Interject uses another data folder, or the address was cut off or changed.',
  },
  invite: {
    title: 'This invite is no longer valid',
    why: 'It has expired, was revoked, belongs to another Interject, or the link was cut off or changed. The answers you sent are kept.',
  },
  cookies: {
    title: 'This browser keeps no cookie',
    why: 'The token is right, but the console needs a cookie of this address to open. Allow cookies here, then paste the address again.',
  },
} as const;

export function Refused({ reason, onToken }: RefusedProps): ReactNode {
  const [pasted, setPasted] = useState('');
  const [error, setError] = useState<string | null>(null);
  const { title, why } = REFUSAL_TEXTS[reason];
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <KeyRound aria-hidden="true" />
        <h1 className="large">{title}</h1>
        <p>{why}</p>
        {reason === 'invite' ? (
          <p>Ask the person who invited you for a new link. Open it, or paste it here.</p>
        ) : null}
        {reason === 'missing' || reason === 'wrong' ? <Steps /> : null}
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault();
            setError(onToken(pasted) ? null : 'No token found.');
          }}
        >
          <Field label="Address or token" error={error}>
            <Input isMono value={pasted} onChange={({ target }) => setPasted(target.value)} autoFocus />
          </Field>
          <Button type="submit" tone="primary" isDisabled={pasted.trim() === ''}>
            Open the console
          </Button>
        </form>
      </div>
    </main>
  );
}

const Steps = (): ReactNode => (
  <ol className={styles.steps}>
    <li>Look in the terminal where Interject runs. It printed an address that ends in #token=…</li>
    <li>Open that whole address, or paste it here.</li>
    <li>
      Can’t find it? Stop Interject with Ctrl+C and start it again; it prints the address again.
      <span className={styles.command}>
        <code>npm start</code>
        <CopyButton text="npm start" label="Copy the command" />
      </span>
    </li>
  </ol>
);
