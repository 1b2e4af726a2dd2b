// The three doors under Connect, and the one key that opens them: where each is, whether anybody came, and the lines
// that lead there.
import { Check } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { Outputs } from '../../../shared/contract/contract.ts';
import type { Door, GatewayStatus } from '../../../shared/contract/gateway.ts';
import { useDesk, useSession } from '../../state/hooks.ts';
import { useAct, useAsk } from '../../state/queries.ts';
import { ExecutesUndecided } from '../../parts/call/ExecutesUndecided.tsx';
import { formatRoute } from '../../state/route.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Field, Select } from '../../ui/Field.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import type { Addresses } from './address.ts';
import * as styles from './Connect.module.css';
import {
  coveredCode,
  expertSnippets,
  mcpSnippets,
  rolloutSnippet,
  tapSnippets,
  type CodeSnippet,
  type Reach,
} from './snippets.ts';

export type DefaultKeys = Outputs['keys.defaults'];

type DoorsProps = { status: GatewayStatus; at: Addresses; keys: DefaultKeys; isShown: boolean };

export function Doors({ status, at, keys, isShown }: DoorsProps): ReactNode {
  const [environment, setEnvironment] = useState(keys.keys[0]?.environment ?? '');
  const chosen = keys.keys.find((one) => one.environment === environment) ?? keys.keys[0];
  const key = chosen?.key ?? '';
  const secrets = isShown ? [] : [key];
  const reach: Reach = {
    tap: at.tap === null || key === '' ? '' : `${at.tap}/${key}`,
    expert: at.expert,
    mcp: at.mcp,
    agent: at.agent,
    key,
  };
  const lineOf = (door: Door) => status.doors.find((one) => one.door === door) ?? null;
  const isMcpOn = status.address !== null && status.address.mcp !== null;
  return (
    <>
      <RolloutName reach={reach} secrets={secrets} />
      {reach.tap === '' ? (
        <p className={styles.what} role="alert">
          The tap process has stopped. Restart Interject to start it again.
        </p>
      ) : (
        <DoorSection
          door="tap"
          title="Environment"
          lead={
            <>
              An OpenEnv server in front of the real one. Each client becomes an episode here: live, recorded,
              and open to your advice and notes. People may also change its calls where the settings or{' '}
              <code>--tap-act</code> allow it. Frames pass through byte for byte unless someone steps in.
            </>
          }
          address={reach.tap}
          secrets={secrets}
          snippets={tapSnippets(reach)}
          line={status.environments.find((one) => one.environment === chosen?.environment) ?? null}
          unit="episode"
        >
          <ExecutingKeys environment={chosen?.environment ?? null} />
          {keys.keys.length < 2 ? null : (
            <Field label="In front of" hint="The first environment unless chosen.">
              <Select
                value={chosen?.environment ?? ''}
                options={keys.keys.map((one) => ({ value: one.environment, label: one.name }))}
                onChoose={setEnvironment}
              />
            </Field>
          )}
        </DoorSection>
      )}
      <DoorSection
        door="expert"
        title="Expert as a model"
        lead="An OpenAI-compatible endpoint. Change base_url and key, and a rollout that asks a model for help asks a person instead."
        address={at.expert}
        secrets={secrets}
        snippets={expertSnippets(reach)}
        line={lineOf('expert')}
        unit="client"
      >
        <NobodyOnDuty />
      </DoorSection>
      {isMcpOn ? (
        <DoorSection
          door="mcp"
          title="MCP"
          lead="The tool ask_expert for any MCP agent, with progress while a person thinks."
          address={at.mcp}
          secrets={secrets}
          snippets={mcpSnippets(reach)}
          line={lineOf('mcp')}
          unit="client"
        />
      ) : (
        <McpOff />
      )}
    </>
  );
}

/** The use of a name behind the key, and the loss without one. */
function RolloutName({ reach, secrets }: { reach: Reach; secrets: readonly string[] }): ReactNode {
  return (
    <section className={styles.door} aria-labelledby="rollout-title">
      <h3 id="rollout-title" className={styles.title}>
        One key, a name for each rollout
      </h3>
      <p className={styles.what}>
        Put <code>~</code> and a name you make up behind the key: up to 64 letters, digits, dots, hyphens and
        underscores. It says which questions, words and episode are one rollout’s, within this key. Give it to
        one rollout at a time: while two play under it, their questions belong to neither.
      </p>
      <p className={styles.what}>
        Without a name a rollout’s questions are answered all the same, but linked to no episode, and it makes
        no rows for training. With the name at all three addresses it makes rows: the environment’s connection
        carries no words of the agent, so they come by its model.
      </p>
      <SnippetCard snippet={rolloutSnippet(reach)} secrets={secrets} />
    </section>
  );
}

/** Keys to this environment by which a call that nobody decides is executed. */
function ExecutingKeys({ environment }: { environment: string | null }): ReactNode {
  const { value } = useAsk('access.list', {});
  const executing = (value?.keys ?? []).filter(
    (key) => key.environment === environment && key.revoked_at === null && key.hold_fallback === 'approve',
  );
  if (environment === null || executing.length === 0) return null;
  const names = executing.map(({ name }) => `“${name}”`).join(', ');
  return (
    <p className={styles.what} role="alert">
      <ExecutesUndecided />{' '}
      {executing.length === 1 ? `The key ${names} says so.` : `The keys ${names} say so.`}
    </p>
  );
}

/** Without anybody on duty a client is told at once that no advice comes. */
function NobodyOnDuty(): ReactNode {
  const { seats, isLoaded } = useDesk();
  if (!isLoaded || seats.some(({ presence }) => presence === 'on_duty')) return null;
  return (
    <p className={styles.what} role="alert">
      No one is on duty: <a href={formatRoute({ view: 'desk' })}>open the Desk</a> first and go on duty. Until
      then clients are told that there is no advice.
    </p>
  );
}

function McpOff(): ReactNode {
  const { call } = useSession();
  const { isBusy, run } = useAct(
    () => call('settings.change', { gateway: { mcp: true } }),
    'Could not open it',
  );
  return (
    <section className={styles.door} aria-labelledby="door-mcp">
      <header className={styles.doorHead}>
        <h3 id="door-mcp" className={styles.title}>
          MCP
        </h3>
        <span className="quiet">Off</span>
      </header>
      <p className={styles.what}>
        The tool <code>ask_expert</code> for any agent that speaks MCP. A separate server, never merged with
        an environment’s tools.
      </p>
      <div>
        <Button isBusy={isBusy} onClick={() => void run()}>
          Open the MCP door
        </Button>
      </div>
    </section>
  );
}

type DoorUse = Pick<GatewayStatus['doors'][number], 'open' | 'seen' | 'last_at'>;

type DoorSectionProps = {
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

function DoorSection(props: DoorSectionProps): ReactNode {
  const { door, title, lead, address, secrets, snippets, line, unit, children } = props;
  const [chosen, setChosen] = useState(snippets[0]?.id ?? '');
  return (
    <section className={styles.door} aria-labelledby={`door-${door}`}>
      <header className={styles.doorHead}>
        <h3 id={`door-${door}`} className={styles.title}>
          {title}
        </h3>
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
      {hasTitle ? <h4 className={styles.title}>{title}</h4> : null}
      <p className={styles.what}>{what}</p>
      <CodeBox id={id} code={code} secrets={secrets} label={`Copy ${title}`} />
    </div>
  );
}

type CodeBoxProps = { id: string; code: string; secrets: readonly string[]; label: string };

function CodeBox({ id, code, secrets, label }: CodeBoxProps): ReactNode {
  return (
    <div className={styles.code}>
      <pre tabIndex={0} data-snippet={id} aria-label={label.replace(/^Copy /, '')}>
        <code>{coveredCode(code, secrets)}</code>
      </pre>
      <CopyButton text={code} label={label} />
    </div>
  );
}
