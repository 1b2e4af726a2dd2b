// One door on the connect page: where it is, whether anybody came, and the lines that lead there.
import { Check } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { Door, GatewayStatus } from '../../../shared/contract/gateway.ts';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import * as styles from './ConnectView.module.css';
import { CodeBox, SnippetCard } from './SnippetCard.tsx';
import type { CodeSnippet } from './snippets.ts';

type DoorUse = Pick<GatewayStatus['doors'][number], 'open' | 'seen' | 'last_at'>;

type SectionProps = {
  door: Door;
  title: string;
  lead: ReactNode;
  address: string;
  secrets: readonly string[];
  snippets: readonly CodeSnippet[];
  line: DoorUse | null;
  /** What one client is called here: "episode", "request". */
  unit: string;
  children?: ReactNode;
};

export function DoorSection(props: SectionProps): ReactNode {
  const { door, title, lead, address, secrets, snippets, line, unit, children } = props;
  const [chosen, setChosen] = useState(snippets[0]?.id ?? '');
  return (
    <section className={styles.door} aria-labelledby={`door-${door}`}>
      <header className={styles.doorHead}>
        <h2 id={`door-${door}`} className={styles.doorTitle}>
          {title}
        </h2>
        <Seen line={line} unit={unit} />
      </header>
      <p className={styles.what}>{lead}</p>
      {children}
      <CodeBox id={`${door}-address`} code={address} secrets={secrets} label="Copy the address" />
      <Tabs
        label={`Ways to connect: ${title}`}
        current={chosen}
        onChoose={setChosen}
        tabs={snippets.map((snippet) => ({
          id: snippet.id,
          label: snippet.title,
          panel: <SnippetCard snippet={snippet} secrets={secrets} hasTitle={false} />,
        }))}
      />
    </section>
  );
}

/** "waiting…" until the first client came; from then on what is there now. */
function Seen({ line, unit }: { line: DoorUse | null; unit: string }): ReactNode {
  if (line === null || line.seen === 0) {
    return (
      <span className={styles.waiting} role="status">
        <span className={styles.pulse} aria-hidden="true" />
        Waiting for the first connection…
      </span>
    );
  }
  const now = line.open === 0 ? 'none open now' : `${String(line.open)} open now`;
  return (
    <span className={styles.seen} role="status">
      <Check aria-hidden="true" />
      <strong>Connected!</strong>
      <span className="quiet">
        {String(line.seen)} {line.seen === 1 ? unit : `${unit}s`}, {now}
        {line.last_at === null ? null : (
          <>
            , last <RelativeTime at={line.last_at} isSpoken />
          </>
        )}
      </span>
    </span>
  );
}
