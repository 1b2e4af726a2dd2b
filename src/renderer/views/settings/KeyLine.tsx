// One key in the list: what it opens, its limits, how it was used, and taking it back.
import { useState, type ReactNode } from 'react';
import type { KeyRow } from '../../../shared/contract/gateway.ts';
import { lengthText } from '../../../shared/lengthOfTime.ts';
import { ExecutesUndecided } from '../../parts/call/ExecutesUndecided.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import * as styles from './Invites.module.css';
import { limitText, SCOPE_LABELS } from './gatewayLabels.ts';
import * as section from './SettingsView.module.css';

type KeyLineProps = { row: KeyRow; environment: string | null; onRevoke: () => void };

export function GatewayKeyLine({ row, environment, onRevoke }: KeyLineProps): ReactNode {
  const limits = limitText(row);
  return (
    <li className={section.environment}>
      <div className={section.environmentLine}>
        <span className={section.environmentName}>{row.name}</span>
        {row.scopes.map((scope) => (
          <Badge key={scope}>{SCOPE_LABELS[scope]}</Badge>
        ))}
        {environment === null ? null : <span className={styles.quiet}>to {environment}</span>}
        <span className={section.gap} />
        {row.revoked_at === null ? <Revoke row={row} onRevoke={onRevoke} /> : null}
      </div>
      <p className={styles.quiet}>
        <KeyUsage row={row} />
        {limits === '' ? null : ` · ${limits}`}
        {row.made_by === null ? null : ' · made with another key, and ends with it'}
        {row.scopes.includes('tap') ? ` · held calls wait ${lengthText(row.hold_limit_ms)} ` : null}
        {row.scopes.includes('tap') && row.hold_fallback === 'approve' ? <ExecutesUndecided /> : null}
        {row.limited === 0 ? null : ` · refused ${String(row.limited)} times for its limits`}
      </p>
    </li>
  );
}

function KeyUsage({ row }: { row: KeyRow }): ReactNode {
  if (row.revoked_at !== null) {
    return (
      <>
        Revoked <RelativeTime at={row.revoked_at} />
      </>
    );
  }
  if (row.last_used_at === null) {
    return (
      <>
        Made <RelativeTime at={row.created_at} />, not used yet
      </>
    );
  }
  return (
    <>
      Used {row.uses === 1 ? 'once' : `${row.uses.toLocaleString()} times`}, last{' '}
      <RelativeTime at={row.last_used_at} />
    </>
  );
}

function Revoke({ row, onRevoke }: { row: KeyRow; onRevoke: () => void }): ReactNode {
  const [isSure, setIsSure] = useState(false);
  const verb = row.is_default ? 'Replace' : 'Revoke';
  if (!isSure) {
    return (
      <Button size="small" tone="quiet" aria-label={`${verb} ${row.name}`} onClick={() => setIsSure(true)}>
        {verb}
      </Button>
    );
  }
  return (
    <>
      <span className={styles.quiet}>
        Anyone using it is refused from now on
        {row.scopes.includes('console') ? ', and so are the keys and invites made with it' : ''}.
      </span>
      <Button
        size="small"
        tone="danger"
        onClick={() => {
          setIsSure(false);
          onRevoke();
        }}
      >
        {verb} now
      </Button>
      <Button size="small" tone="quiet" onClick={() => setIsSure(false)}>
        Keep
      </Button>
    </>
  );
}
