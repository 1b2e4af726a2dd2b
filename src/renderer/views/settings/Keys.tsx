// Named keys to the gateway and the console: making one, seeing it once, how it is used, revoking it.
import { useState, type ReactNode } from 'react';
import type { Outputs } from '../../../shared/contract/contract.ts';
import type { KeyRow } from '../../../shared/contract/gateway.ts';
import { useSession, useToast } from '../../state/hooks.ts';
import { useAct, useAnswer } from '../../state/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { CreateKey } from './CreateKey.tsx';
import * as styles from './Invites.module.css';
import { KeyAudit } from './KeyAudit.tsx';
import { GatewayKeyLine } from './KeyLine.tsx';
import * as section from './SettingsView.module.css';

export type NewKey = { name: string; secret: string; opensConsole: boolean };
type KeyEnvironments = Outputs['environments.list']['environments'];

export function GatewayKeys(): ReactNode {
  const { call } = useSession();
  const toast = useToast();
  const [made, setMade] = useState<NewKey | null>(null);
  const { value, failure, again } = useAnswer(['keys'], async () => {
    const [{ keys }, { environments }] = await Promise.all([
      call('access.list', {}),
      call('environments.list', {}),
    ]);
    return { keys, environments };
  });
  const revoke = useAct(async ({ id, name, is_default: isDefault }: KeyRow) => {
    await call('access.revoke', { id }).finally(again);
    toast({
      tone: 'plain',
      title: isDefault ? `“${name}” has a new key` : `“${name}” is revoked`,
      text: isDefault
        ? 'The old one no longer works. The new one is on the Connect page.'
        : 'It no longer works.',
    });
  }, 'Could not revoke it');
  return (
    <section className={section.section} aria-labelledby="gateway-keys-title">
      <div className={section.about}>
        <h2 id="gateway-keys-title" className={section.title}>
          Access keys
        </h2>
        <p>
          Who may connect, and to what: an environment’s tap, the expert, MCP or this console. A key is shown
          once; only its digest is kept. Default keys are on the Connect page.
        </p>
      </div>
      <div className={section.fields}>
        {failure === null ? null : (
          <ErrorNote title="Could not read the keys" failure={failure} again={again} />
        )}
        {value === null && failure === null ? <Skeleton rows={3} label="Reading the keys" /> : null}
        {value === null ? null : <KeyList {...value} onRevoke={(key) => void revoke.run(key)} />}
        {made === null ? null : <NewKeyNote made={made} onClose={() => setMade(null)} />}
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
  environments: KeyEnvironments;
  onRevoke: (key: KeyRow) => void;
}): ReactNode {
  const live = keys.filter(({ revoked_at }) => revoked_at === null);
  const gone = keys.filter(({ revoked_at }) => revoked_at !== null).toReversed();
  const nameOf = (id: string | null): string | null =>
    environments.find((one) => one.id === id)?.name ?? (id === null ? null : 'a removed environment');
  const line = (key: KeyRow): ReactNode => (
    <GatewayKeyLine
      key={key.id}
      row={key}
      environment={nameOf(key.environment)}
      onRevoke={() => onRevoke(key)}
    />
  );
  return (
    <>
      <ul className={section.environments} aria-label="Access keys">
        {live.map(line)}
      </ul>
      {gone.length === 0 ? null : (
        <details>
          <summary>{gone.length === 1 ? '1 revoked key' : `${String(gone.length)} revoked keys`}</summary>
          <ul className={section.environments} aria-label="Revoked keys">
            {gone.map(line)}
          </ul>
        </details>
      )}
    </>
  );
}

function NewKeyNote({ made, onClose }: { made: NewKey; onClose: () => void }): ReactNode {
  const link = `${window.location.origin}/#token=${made.secret}`;
  const isReachable = window.location.protocol.startsWith('http');
  return (
    <div className={styles.made} role="status">
      <p>
        <strong>The key “{made.name}”. It is shown only once.</strong>
      </p>
      <p className={styles.row}>
        <code className={styles.link} data-new-key>
          {made.secret}
        </code>
        <CopyButton text={made.secret} label="Copy the key" hasLabel />
      </p>
      {made.opensConsole && isReachable ? (
        <p className={styles.row}>
          <span className={styles.quiet}>Opens this console in another browser:</span>
          <code className={styles.link}>{link}</code>
          <CopyButton text={link} label="Copy the address" hasLabel />
        </p>
      ) : null}
      <Button size="small" onClick={onClose}>
        Done, I copied it
      </Button>
    </div>
  );
}
