// Named keys to the gateway and the console: making one, seeing it once, how it is used, revoking it.
import { useState, type ReactNode } from 'react';
import type { Outputs } from '../../../shared/contract/contract.ts';
import type { KeyNote, KeyRow } from '../../../shared/contract/gateway.ts';
import { lengthText } from '../../../shared/lengthOfTime.ts';
import { ExecutesUndecided } from '../../parts/call/ExecutesUndecided.tsx';
import { useSession, useToast } from '../../state/hooks.ts';
import { useAct, useAsk } from '../../state/queries.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { CreateKey, SCOPE_LABELS, type NewKey } from './CreateKey.tsx';
import * as styles from './Keys.module.css';
import { addressWith, NamedLine, Secret, Section, ShownOnce, SureButton } from './form.tsx';
import * as page from './Setup.module.css';

export function GatewayKeys(): ReactNode {
  const { call } = useSession();
  const toast = useToast();
  const [made, setMade] = useState<NewKey | null>(null);
  const { value: access, failure, again } = useAsk('access.list', {});
  const environments = useAsk('environments.list', {}).value?.environments ?? null;
  const value = access === null || environments === null ? null : { keys: access.keys, environments };
  const { run: revoke } = useAct(async ({ id, name, is_default: isDefault }: KeyRow) => {
    await call('access.revoke', { id }).finally(again);
    toast({
      tone: 'plain',
      title: isDefault ? `“${name}” has a new key` : `“${name}” is revoked`,
      text: isDefault ? 'The old one no longer works. The new one is under Connect.' : 'It no longer works.',
    });
  }, 'Could not revoke it');
  const address = made?.opensConsole === true ? addressWith(made.secret) : null;
  return (
    <Section
      id="gateway-keys"
      title="Access keys"
      about="Who may connect, and to what: an environment’s tap, the expert, MCP or this console. A key is shown once; only its digest is kept. Default keys stand above, under Connect."
    >
      {failure === null ? null : (
        <ErrorNote title="Could not read the keys" failure={failure} again={again} />
      )}
      {value === null && failure === null ? <Skeleton rows={3} label="Reading the keys" /> : null}
      {value === null ? null : <KeyLists {...value} onRevoke={(key) => void revoke(key)} />}
      {made === null ? null : (
        <ShownOnce title={`The key “${made.name}”. It is shown only once.`} onClose={() => setMade(null)}>
          <Secret text={made.secret} copyLabel="Copy the key" />
          {address === null ? null : (
            <Secret
              before="Opens this console in another browser:"
              text={address}
              copyLabel="Copy the address"
            />
          )}
        </ShownOnce>
      )}
      {value === null ? null : (
        <CreateKey
          environments={value.environments}
          onMade={(next) => {
            setMade(next);
            again();
          }}
        />
      )}
      <UsageLog />
    </Section>
  );
}

type KeyListsProps = {
  keys: readonly KeyRow[];
  environments: Outputs['environments.list']['environments'];
  onRevoke: (key: KeyRow) => void;
};

function KeyLists({ keys, environments, onRevoke }: KeyListsProps): ReactNode {
  const live = keys.filter(({ revoked_at: at }) => at === null);
  const gone = keys.filter(({ revoked_at: at }) => at !== null).toReversed();
  const line = (row: KeyRow): ReactNode => {
    const environment = environments.find(({ id }) => id === row.environment)?.name;
    const verb = row.is_default ? 'Replace' : 'Revoke';
    return (
      <NamedLine
        key={row.id}
        name={row.name}
        detail={
          <>
            {row.scopes.map((scope) => (
              <Badge key={scope}>{SCOPE_LABELS[scope]}</Badge>
            ))}
            {row.environment === null ? null : (
              <span className="quiet">to {environment ?? 'a removed environment'}</span>
            )}
          </>
        }
        acts={
          row.revoked_at === null ? (
            <SureButton
              verb={verb}
              name={row.name}
              sureLabel={`${verb} now`}
              warning={`Anyone using it is refused from now on${
                row.scopes.includes('console') ? ', and so are the keys and invites made with it' : ''
              }.`}
              onSure={() => onRevoke(row)}
            />
          ) : null
        }
      >
        <KeyFacts row={row} />
      </NamedLine>
    );
  };
  return (
    <>
      <ul className={page.list} aria-label="Access keys">
        {live.map(line)}
      </ul>
      {gone.length === 0 ? null : (
        <details>
          <summary>{gone.length === 1 ? '1 revoked key' : `${String(gone.length)} revoked keys`}</summary>
          <ul className={page.list} aria-label="Revoked keys">
            {gone.map(line)}
          </ul>
        </details>
      )}
    </>
  );
}

/** A key's use, and its limits. */
function KeyFacts({ row }: { row: KeyRow }): ReactNode {
  const { per_minute: perMinute, at_once: atOnce, uses, limited } = row;
  const limits = [
    perMinute === null ? '' : `at most ${perMinute.toLocaleString()} a minute`,
    atOnce === null ? '' : `${atOnce.toLocaleString()} at once`,
  ].filter((limit) => limit !== '');
  return (
    <p className="quiet">
      {row.revoked_at !== null ? (
        <>
          Revoked <RelativeTime at={row.revoked_at} />
        </>
      ) : row.last_used_at === null ? (
        <>
          Made <RelativeTime at={row.created_at} />, not used yet
        </>
      ) : (
        <>
          Used {uses === 1 ? 'once' : `${uses.toLocaleString()} times`}, last{' '}
          <RelativeTime at={row.last_used_at} />
        </>
      )}
      {limits.length === 0 ? null : ` · ${limits.join(', ')}`}
      {row.made_by === null ? null : ' · made with another key, and ends with it'}
      {row.scopes.includes('tap') ? ` · held calls wait ${lengthText(row.hold_limit_ms)} ` : null}
      {row.scopes.includes('tap') && row.hold_fallback === 'approve' ? <ExecutesUndecided /> : null}
      {limited === 0 ? null : ` · refused ${String(limited)} times for its limits`}
    </p>
  );
}

const BAD: ReadonlySet<string> = new Set(['wrong_key', 'wrong_scope', 'limited']);

/** The record of what was done with keys, newest first; read when it is opened. */
function UsageLog(): ReactNode {
  const [opened, setOpened] = useState(0);
  const { value, failure } = useAsk('access.list', opened === 0 ? null : {}, { revision: opened });
  return (
    <details onToggle={({ currentTarget }) => setOpened((n) => (currentTarget.open ? n + 1 : 0))}>
      <summary>Usage log</summary>
      {failure === null ? null : <ErrorNote title="Could not load it" failure={failure} />}
      {value === null ? null : (
        <>
          <ul className={styles.notes} aria-label="Usage log" tabIndex={0}>
            {value.notes.map((note) => (
              <li
                key={`${String(note.at)} ${note.key ?? ''} ${note.what} ${note.door ?? ''}`}
                className={styles.note}
              >
                <span className={cx(BAD.has(note.what) && 'bad')}>{keyNoteText(note)}</span>
                <span className="quiet">
                  <RelativeTime at={note.at} />
                </span>
              </li>
            ))}
          </ul>
          {value.notes.length === 0 ? <p className="quiet">Nothing yet.</p> : null}
          <Button size="small" tone="quiet" onClick={() => setOpened((n) => n + 1)}>
            Reload
          </Button>
        </>
      )}
    </details>
  );
}

const DOOR_NAMES: Readonly<Record<NonNullable<KeyNote['door']>, string>> = {
  tap: 'the tap',
  expert: 'the expert',
  mcp: 'MCP',
  agent: 'the agent’s model',
  episodes: 'transcripts',
  curriculum: 'the curriculum',
  console: 'the console',
};

const DEEDS: Readonly<Record<KeyNote['what'], string>> = {
  created: 'was made',
  revoked: 'was revoked',
  used: 'used',
  wrong_key: 'used an unknown key',
  wrong_scope: 'used a key without that scope',
  limited: 'was refused for exceeding its limits',
};

/** One line of the record: who did what, where, how often. */
function keyNoteText({ name, what, door, times }: KeyNote): string {
  const who = name === null ? 'Someone' : `“${name}”`;
  const where = door === null ? '' : what === 'used' ? ` ${DOOR_NAMES[door]}` : ` (${DOOR_NAMES[door]})`;
  return `${who} ${DEEDS[what]}${where}${times > 1 ? `, ${times.toLocaleString()} times` : ''}`;
}
