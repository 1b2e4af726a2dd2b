// Owns: the three doors on the connect page, with the key each of them needs.
import { useState, type ReactNode } from 'react';
import type { Outputs } from '../../../shared/contract/contract.ts';
import type { Door, GatewayStatus } from '../../../shared/contract/gateway.ts';
import { failureShape } from '../../../shared/failure.ts';
import { useDesk, useSession, useToast } from '../../state/hooks.ts';
import { formatRoute } from '../../state/route.ts';
import { Button } from '../../ui/Button.tsx';
import { Field, Select } from '../../ui/Field.tsx';
import type { Addresses } from './address.ts';
import styles from './ConnectView.module.css';
import { DoorSection } from './DoorSection.tsx';
import { expertSnippets, mcpSnippets, tapSnippets, type Reach } from './snippets.ts';

export type Keys = Outputs['keys.defaults'];

type DoorsProps = { status: GatewayStatus; at: Addresses; keys: Keys; isShown: boolean };

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
        <p className={styles['what']} role="alert">
          The tap’s own process is down; it is started again with Interject.
        </p>
      ) : (
        <DoorSection
          door="tap"
          title="Environment"
          lead={
            <>
              An OpenEnv server in front of the real one. Each client is an episode here: live, recorded, and
              open to your advice and notes; people may change its calls too where the settings or{' '}
              <code>--tap-act</code> say so. Frames pass byte for byte while nobody steps in.
            </>
          }
          address={reach.tap}
          secrets={secrets}
          snippets={tapSnippets(reach)}
          line={status.environments.find((one) => one.environment === tap?.environment) ?? null}
          unit="episode"
        >
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
        lead="An OpenAI-compatible endpoint. A rollout that has a model as its expert gets a person by changing base_url and key."
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
          lead="The tool ask_expert for any agent that speaks MCP, with news while a person thinks."
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

/** Without anybody on duty a client is told at once that no advice comes. */
function NobodyOnDuty(): ReactNode {
  const { seats, isLoaded } = useDesk();
  if (!isLoaded || seats.some(({ presence }) => presence === 'on_duty')) return null;
  return (
    <p className={styles['what']} role="alert">
      Nobody is on duty: <a href={formatRoute({ view: 'desk' })}>open the Desk</a> first and go on duty. Until
      then clients are told that no advice comes.
    </p>
  );
}

function McpOff(): ReactNode {
  const { call } = useSession();
  const toast = useToast();
  const [isBusy, setIsBusy] = useState(false);
  const open = async (): Promise<void> => {
    setIsBusy(true);
    try {
      await call('gateway.configure', { mcp: true });
    } catch (thrown) {
      toast({ tone: 'error', title: 'Could not open it', text: failureShape(thrown).message });
    }
    setIsBusy(false);
  };
  return (
    <section className={styles['door']} aria-labelledby="door-mcp">
      <header className={styles['doorHead']}>
        <h2 id="door-mcp" className={styles['doorTitle']}>
          MCP
        </h2>
        <span className={styles['quiet']}>Off</span>
      </header>
      <p className={styles['what']}>
        The tool <code>ask_expert</code> for any agent that speaks MCP. A separate server, never merged with
        an environment’s tools.
      </p>
      <div>
        <Button isBusy={isBusy} onClick={() => void open()}>
          Open the MCP door
        </Button>
      </div>
    </section>
  );
}
