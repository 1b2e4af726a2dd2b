// Ways for trainers, agents and people to reach this product from outside: real addresses and keys, and who came.
import { Download, Eye, EyeOff } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { GatewayStatus } from '../../../shared/contract/gateway.ts';
import { useAsk } from '../../state/queries.ts';
import { useGateway } from '../../state/useGateway.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { saveFile } from '../../ui/saveFile.ts';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { addressesFor } from './address.ts';
import * as styles from './Connect.module.css';
import { Doors, SnippetCard, type DefaultKeys } from './Doors.tsx';
import { COMMANDS, remoteSnippets, type CodeSnippet } from './snippets.ts';
import text from '../../../../resources/interject.py?raw';

export function Connect(): ReactNode {
  const status = useGateway();
  const { value: keys, failure, again } = useAsk('keys.defaults', {});
  const [isShown, setIsShown] = useState(false);
  return (
    <section aria-labelledby="connect-title">
      <header className={styles.head}>
        <div>
          <h2 id="connect-title" className={styles.doorTitle}>
            Connect
          </h2>
          <p className={styles.lead}>
            Change the addresses in an existing run, and it shows up here, is recorded, and can be stepped
            into.
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
      {keys === null || status === null ? null : <Reachable status={status} keys={keys} isShown={isShown} />}
    </section>
  );
}

type ReachableProps = { status: GatewayStatus; keys: DefaultKeys; isShown: boolean };

function Reachable({ status, keys, isShown }: ReachableProps): ReactNode {
  // The page's own origin, where it has one that others can reach.
  const page = window.location.protocol.startsWith('http') ? window.location.origin : null;
  const at = status.address === null ? null : addressesFor(status.address, page);
  return (
    <>
      {at === null ? (
        <EmptyState title="The gateway is not open here">
          This process only serves the desk. Start <code>interject serve</code>, or the desktop app, to
          connect trainers and agents.
        </EmptyState>
      ) : (
        <>
          <Doors status={status} at={at} keys={keys} isShown={isShown} />
          <SnippetFold
            title="Another computer"
            what="This console in a browser there, and the addresses from outside"
            snippets={remoteSnippets(at.base, at.tap)}
          >
            A key with the scope <em>console</em> opens this console in a browser there, at the same address
            with <code>#token=</code> and the key behind it.
          </SnippetFold>
        </>
      )}
      <ClientFile />
      <SnippetFold title="Commands" what="Start, serve and run from a terminal" snippets={COMMANDS}>
        Run in Interject’s folder.
      </SnippetFold>
    </>
  );
}

type SnippetFoldProps = {
  title: string;
  what: string;
  snippets: readonly CodeSnippet[];
  children: ReactNode;
};

const SnippetFold = ({ title, what, snippets, children }: SnippetFoldProps): ReactNode => (
  <details className={styles.fold}>
    <summary>
      <h3 className={styles.title}>{title}</h3>
      <span className="quiet">{what}</span>
    </summary>
    <p className={styles.what}>{children}</p>
    {snippets.map((snippet) => (
      <SnippetCard key={snippet.id} snippet={snippet} />
    ))}
  </details>
);

/** The small Python file that names an episode for its questions: shown, copied, saved. */
function ClientFile(): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const name = 'interject.py';
  return (
    <section className={styles.door} aria-labelledby="file-title">
      <h3 id="file-title" className={styles.title}>
        {name}
      </h3>
      <p className={styles.what}>
        This file, without dependencies, names a rollout by reset arguments and a header, for clients whose
        key you cannot change. It also tells the run, step and group for the group view, and hands over the
        words of an agent whose model is not routed through here.
      </p>
      <div className="wrap-2 centered">
        <Button
          icon={<Download />}
          onClick={() => saveFile(name, new Blob([text], { type: 'text/x-python' }))}
        >
          Save {name}
        </Button>
        <CopyButton text={text} label={`Copy ${name}`} hasLabel />
        <Button tone="quiet" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? 'Hide' : 'Show'}
        </Button>
      </div>
      {isOpen ? (
        <div className={styles.code}>
          <pre tabIndex={0} data-snippet="client-file" aria-label={name}>
            <code>{text}</code>
          </pre>
        </div>
      ) : null}
    </section>
  );
}
