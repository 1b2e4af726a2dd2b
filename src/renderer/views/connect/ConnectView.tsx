// How trainers, agents and people reach this product from outside: real addresses and keys, and who came.
import { Eye, EyeOff } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { GatewayStatus } from '../../../shared/contract/gateway.ts';
import { formatRoute } from '../../state/route.ts';
import { useAsk } from '../../state/queries.ts';
import { useGateway } from '../../state/useGateway.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { addressesFor, pageOrigin } from './address.ts';
import { ClientFile } from './ClientFile.tsx';
import * as styles from './ConnectView.module.css';
import { Doors, type DefaultKeys } from './Doors.tsx';
import { SnippetCard } from './SnippetCard.tsx';
import { COMMANDS, remoteSnippets } from './snippets.ts';

export function ConnectView(): ReactNode {
  const status = useGateway();
  const { value: keys, failure, again } = useAsk('keys.defaults', {});
  const [isShown, setIsShown] = useState(false);
  return (
    <div className="fills">
      <div className={styles.column}>
        <header className={styles.head}>
          <div>
            <h1 className="large">Connect</h1>
            <p className={styles.lead}>
              Change the addresses in an existing run, and it shows up here, is recorded, and can be stepped
              into. Create and revoke keys under{' '}
              <a href={formatRoute({ view: 'settings', section: 'gateway-keys' })}>Settings</a>.
            </p>
          </div>
          <Button
            icon={isShown ? <EyeOff /> : <Eye />}
            aria-pressed={isShown}
            onClick={() => setIsShown(!isShown)}
          >
            {isShown ? 'Hide the keys' : 'Show the keys'}
          </Button>
        </header>
        {failure === null ? null : (
          <ErrorNote title="Could not read the keys" failure={failure} again={again} />
        )}
        {(keys === null || status === null) && failure === null ? (
          <Skeleton rows={10} height={28} label="Reading the addresses" />
        ) : null}
        {keys === null || status === null ? null : (
          <Reachable status={status} keys={keys} isShown={isShown} />
        )}
      </div>
    </div>
  );
}

function Reachable({
  status,
  keys,
  isShown,
}: {
  status: GatewayStatus;
  keys: DefaultKeys;
  isShown: boolean;
}): ReactNode {
  const known = status.address;
  const page = pageOrigin(window.location);
  return (
    <>
      {known === null ? (
        <EmptyState title="The gateway is not open here">
          This process only serves the desk. Start <code>interject serve</code>, or the desktop app, to
          connect trainers and agents.
        </EmptyState>
      ) : (
        <>
          <Doors status={status} at={addressesFor(known, page)} keys={keys} isShown={isShown} />
          <details className={styles.fold}>
            <summary>
              <h2 className={styles.doorTitle}>Another computer</h2>
              <span className="quiet">This console in a browser there, and the addresses from outside</span>
            </summary>
            <p className={styles.what}>
              A key with the scope <em>console</em> opens this console in a browser there, at the same address
              with <code>#token=</code> and the key behind it.
            </p>
            {remoteSnippets(addressesFor(known, page).base, addressesFor(known, page).tap).map((snippet) => (
              <SnippetCard key={snippet.id} snippet={snippet} />
            ))}
          </details>
        </>
      )}
      <ClientFile />
      <details className={styles.fold}>
        <summary>
          <h2 className={styles.doorTitle}>Commands</h2>
          <span className="quiet">Start, serve and run from a terminal</span>
        </summary>
        <p className={styles.what}>Run in Interject’s folder.</p>
        {COMMANDS.map((snippet) => (
          <SnippetCard key={snippet.id} snippet={snippet} />
        ))}
      </details>
    </>
  );
}
