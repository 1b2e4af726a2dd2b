// The owner's own way in: its token can be renewed, which ends the old one everywhere.
import { useState, type ReactNode } from 'react';
import { useSession } from '../../state/hooks.ts';
import { useAct } from '../../state/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import * as styles from './Invites.module.css';
import * as section from './SettingsView.module.css';

export function OwnerToken(): ReactNode {
  const { call, enter } = useSession();
  const [isSure, setIsSure] = useState(false);
  const [renewed, setRenewed] = useState<string | null>(null);
  const { isBusy, failure, run } = useAct(async () => {
    setIsSure(false);
    const { token } = await call('owner.renew_token', {});
    await enter?.(token);
    setRenewed(token);
  });
  return (
    <section className={section.section} aria-labelledby="owner-title">
      <div className={section.about}>
        <h2 id="owner-title" className={section.title}>
          Your own address
        </h2>
        <p>
          Whoever has it is the owner. This browser keeps it in a cookie that no page can read. Renew it when
          somebody may have seen it.
        </p>
      </div>
      <div className={section.fields}>
        {renewed === null ? null : <NewAddress token={renewed} onClose={() => setRenewed(null)} />}
        <div className={styles.row}>
          {isSure ? (
            <>
              <span className={styles.quiet}>
                Every other browser and script with the old one is signed out at once. Invites and keys stay.
              </span>
              <Button size="small" tone="danger" onClick={() => void run()}>
                Renew now
              </Button>
              <Button size="small" tone="quiet" onClick={() => setIsSure(false)}>
                Keep
              </Button>
            </>
          ) : (
            <Button isBusy={isBusy} onClick={() => setIsSure(true)}>
              Renew the address
            </Button>
          )}
        </div>
        {failure === null ? null : <ErrorNote title="Could not renew it" failure={failure} />}
      </div>
    </section>
  );
}

function NewAddress({ token, onClose }: { token: string; onClose: () => void }): ReactNode {
  const isReachable = window.location.protocol.startsWith('http');
  const address = isReachable ? `${window.location.origin}/#token=${token}` : token;
  return (
    <div className={styles.made} role="status">
      <p>
        <strong>{isReachable ? 'The new address.' : 'The new token.'} It is shown only once here.</strong>{' '}
        This console uses it already; the next start prints it again.
      </p>
      <p className={styles.row}>
        <code className={styles.link} data-owner-address>
          {address}
        </code>
        <CopyButton text={address} label="Copy it" hasLabel />
      </p>
      <Button size="small" onClick={onClose}>
        Done, I copied it
      </Button>
    </div>
  );
}
