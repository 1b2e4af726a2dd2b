// The three doors on the connect page, and the one key that opens them.
import { useState, type ReactNode } from 'react';
import type { Outputs } from '../../../shared/contract/contract.ts';
import type { Door, GatewayStatus } from '../../../shared/contract/gateway.ts';
import { useDesk, useSession } from '../../state/hooks.ts';
import { useAct, useAsk } from '../../state/queries.ts';
import { ExecutesUndecided } from '../../parts/call/ExecutesUndecided.tsx';
import { formatRoute } from '../../state/route.ts';
import { Button } from '../../ui/Button.tsx';
import { Field, Select } from '../../ui/Field.tsx';
import type { Addresses } from './address.ts';
import * as styles from './ConnectView.module.css';
import { DoorSection } from './DoorSection.tsx';
import { SnippetCard } from './SnippetCard.tsx';
import { expertSnippets, mcpSnippets, rolloutSnippet, tapSnippets, type Reach } from './snippets.ts';

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
            <Field label="In front of">
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

/** What a name behind the key is for, and what is missing without one. */
function RolloutName({ reach, secrets }: { reach: Reach; secrets: readonly string[] }): ReactNode {
  return (
    <section className={styles.door} aria-labelledby="rollout-title">
      <h2 id="rollout-title" className={styles.doorTitle}>
        One key, a name for each rollout
      </h2>
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
        <h2 id="door-mcp" className={styles.doorTitle}>
          MCP
        </h2>
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
