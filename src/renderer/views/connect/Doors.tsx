// The three doors on the connect page, with the key each of them needs.
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
import { expertSnippets, mcpSnippets, tapSnippets, type Reach } from './snippets.ts';

export type DefaultKeys = Outputs['keys.defaults'];

type DoorsProps = { status: GatewayStatus; at: Addresses; keys: DefaultKeys; isShown: boolean };

export function Doors({ status, at, keys, isShown }: DoorsProps): ReactNode {
  const [environment, setEnvironment] = useState(keys.taps[0]?.environment ?? '');
  const tap = keys.taps.find((one) => one.environment === environment) ?? keys.taps[0];
  const secrets = isShown ? [] : [tap?.token ?? '', keys.expert];
  const reach: Reach = {
    tap: at.tap === null || tap === undefined ? '' : `${at.tap}/${tap.token}`,
    expert: at.expert,
    mcp: at.mcp,
    agent: at.agent,
    key: keys.expert,
  };
  const lineOf = (door: Door) => status.doors.find((one) => one.door === door) ?? null;
  const isMcpOn = status.address !== null && status.address.mcp !== null;
  return (
    <>
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
          line={status.environments.find((one) => one.environment === tap?.environment) ?? null}
          unit="episode"
        >
          <ExecutingKeys environment={tap?.environment ?? null} />
          {keys.taps.length < 2 ? null : (
            <Field label="In front of">
              <Select
                value={tap?.environment ?? ''}
                options={keys.taps.map((one) => ({ value: one.environment, label: one.name }))}
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

/** Keys to this environment by which a call that nobody decides is executed. */
function ExecutingKeys({ environment }: { environment: string | null }): ReactNode {
  const { value } = useAsk('keys.list', {});
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
  const { isBusy, run } = useAct(() => call('gateway.configure', { mcp: true }), 'Could not open it');
  return (
    <section className={styles.door} aria-labelledby="door-mcp">
      <header className={styles.doorHead}>
        <h2 id="door-mcp" className={styles.doorTitle}>
          MCP
        </h2>
        <span className={styles.quiet}>Off</span>
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
