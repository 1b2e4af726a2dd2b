// Owns: named keys to the gateway and the console: making one, seeing it once, how it is used, revoking it.
import { useState, type ReactNode } from 'react';
import type { Outputs } from '../../../shared/contract/contract.ts';
import type { KeyRow } from '../../../shared/contract/gateway.ts';
import { failureShape } from '../../../shared/failure.ts';
import { useSession, useToast } from '../../state/hooks.ts';
import { useAnswer } from '../../state/useAnswer.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { CreateKey } from './CreateKey.tsx';
import styles from './Invites.module.css';
import { KeyAudit } from './KeyAudit.tsx';
import { KeyLine } from './KeyLine.tsx';
import section from './SettingsView.module.css';

export type Made = { name: string; secret: string; opensConsole: boolean };
type Environments = Outputs['environments.list']['environments'];

export function Keys(): ReactNode {
  const { call } = useSession();
  const toast = useToast();
  const [made, setMade] = useState<Made | null>(null);
  const { value, failure, again } = useAnswer('keys', async () => {
    const [{ keys }, { environments }] = await Promise.all([
      call('keys.list', {}),
      call('environments.list', {}),
    ]);
    return { keys, environments };
  });
  const revoke = async ({ id, name, is_default: isDefault }: KeyRow): Promise<void> => {
    try {
      await call('keys.revoke', { id });
      toast({
        tone: 'plain',
        title: isDefault ? `“${name}” has a new key` : `“${name}” is revoked`,
        text: isDefault
          ? 'The old one opens nothing any more. The new one is on the Connect page.'
          : 'It opens nothing any more.',
      });
    } catch (thrown) {
      toast({ tone: 'error', title: 'Could not revoke it', text: failureShape(thrown).message });
    }
    again();
  };
  return (
    <section className={section['section']} aria-labelledby="gateway-keys-title">
      <div className={section['about']}>
        <h2 id="gateway-keys-title" className={section['title']}>
          Access keys
        </h2>
        <p>
          Who may come in from outside, and to what: an environment’s tap, the expert, MCP, or this console. A
          key is shown once; only its digest is kept. The default keys are on the Connect page.
        </p>
      </div>
      <div className={section['fields']}>
        {failure === null ? null : (
          <ErrorNote
            title="Could not read the keys"
            failure={failure}
            action={
              <Button size="small" onClick={again}>
                Try again
              </Button>
            }
          />
        )}
        {value === null && failure === null ? <Skeleton rows={3} label="Reading the keys" /> : null}
        {value === null ? null : <KeyList {...value} onRevoke={(key) => void revoke(key)} />}
        {made === null ? null : <MadeNote made={made} onClose={() => setMade(null)} />}
        {value === null ? null : (
          <CreateKey
            environments={value.environments}
            onMade={(next) => {
              setMade(next);
              again();
            }}
          />
        )}
        <KeyAudit />
      </div>
    </section>
  );
}

function KeyList({
  keys,
  environments,
  onRevoke,
}: {
  keys: readonly KeyRow[];
  environments: Environments;
  onRevoke: (key: KeyRow) => void;
}): ReactNode {
  const live = keys.filter(({ revoked_at }) => revoked_at === null);
  const gone = keys.filter(({ revoked_at }) => revoked_at !== null).toReversed();
  const nameOf = (id: string | null): string | null =>
    environments.find((one) => one.id === id)?.name ?? (id === null ? null : 'an environment that is gone');
  const line = (key: KeyRow): ReactNode => (
    <KeyLine key={key.id} row={key} environment={nameOf(key.environment)} onRevoke={() => onRevoke(key)} />
  );
  return (
    <>
      <ul className={section['environments']} aria-label="Access keys">
        {live.map(line)}
      </ul>
      {gone.length === 0 ? null : (
        <details>
          <summary>{gone.length === 1 ? '1 revoked key' : `${String(gone.length)} revoked keys`}</summary>
          <ul className={section['environments']} aria-label="Revoked keys">
            {gone.map(line)}
          </ul>
        </details>
      )}
    </>
  );
}

function MadeNote({ made, onClose }: { made: Made; onClose: () => void }): ReactNode {
  const link = `${window.location.origin}/#token=${made.secret}`;
  const isReachable = window.location.protocol.startsWith('http');
  return (
    <div className={styles['made']} role="status">
      <p>
        <strong>The key “{made.name}”. It is shown this once.</strong>
      </p>
      <p className={styles['row']}>
        <code className={styles['link']} data-new-key>
          {made.secret}
        </code>
        <CopyButton text={made.secret} label="Copy the key" hasWords />
      </p>
      {made.opensConsole && isReachable ? (
        <p className={styles['row']}>
          <span className={styles['quiet']}>It opens this console in another browser:</span>
          <code className={styles['link']}>{link}</code>
          <CopyButton text={link} label="Copy the address" hasWords />
        </p>
      ) : null}
      <Button size="small" onClick={onClose}>
        I have it
      </Button>
    </div>
  );
}
