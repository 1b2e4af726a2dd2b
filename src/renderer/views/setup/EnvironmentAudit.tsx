// The audit of an environment, as `interject doctor --env` prints it: each promise, whether it is kept, and by what.
import { CircleCheck, CircleMinus, CircleX, LoaderCircle, TriangleAlert } from 'lucide-react';
import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import type { Outputs } from '../../../shared/contract/contract.ts';
import { useSession } from '../../state/hooks.ts';
import { useAct, useAsk } from '../../state/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import * as styles from './EnvironmentAudit.module.css';

type AuditCheck = Outputs['environments.audit']['checks'][number];
type AuditProgress = Outputs['environments.audit_progress'];

const ASK_AGAIN_MS = 400;
const BEGINNING: AuditProgress = { checks: [], running: null, total: 0 };

export function useEnvironmentAudit(environment: string) {
  const { call } = useSession();
  const [running, setRunning] = useState<string | null>(null);
  const [ended, setEnded] = useState<{ checks: readonly AuditCheck[]; isCancelled: boolean } | null>(null);
  const { value } = useAsk('environments.audit_progress', running === null ? null : { id: running }, {
    everyMs: ASK_AGAIN_MS,
    keepsPrevious: false,
  });
  const current = useRef<string | null>(null);
  const cancel = useCallback((): void => {
    const id = current.current;
    if (id !== null) void call('request.cancel', { id }).catch(() => undefined);
  }, [call]);
  // A view that is left audits nothing more.
  useEffect(() => cancel, [cancel]);
  const { run, failure } = useAct(async () => {
    const id = crypto.randomUUID();
    current.current = id;
    setRunning(id);
    setEnded(null);
    try {
      const { checks, is_cancelled: isCancelled } = await call('environments.audit', { environment, id });
      setEnded({ checks, isCancelled });
    } finally {
      current.current = null;
      setRunning(null);
    }
  });
  const progress = running === null ? null : (value ?? BEGINNING);
  return {
    /** Null before the first audit; while one runs, what is known so far. */
    checks: progress?.checks ?? ended?.checks ?? null,
    /** Null while no audit runs. */
    progress,
    isCancelled: ended?.isCancelled ?? false,
    failure,
    start: () => void run(),
    cancel,
  };
}

const MARKS = {
  pass: { label: 'kept', icon: <CircleCheck className="good" aria-hidden="true" /> },
  warn: { label: 'doubtful', icon: <TriangleAlert className={styles.warn} aria-hidden="true" /> },
  fail: { label: 'broken', icon: <CircleX className="bad" aria-hidden="true" /> },
  skip: { label: 'not tried', icon: <CircleMinus className="soft" aria-hidden="true" /> },
} as const;

type EnvironmentAuditProps = { name: string; audit: ReturnType<typeof useEnvironmentAudit> };

export function EnvironmentAudit({ name, audit }: EnvironmentAuditProps): ReactNode {
  const { checks, progress, isCancelled, failure, cancel } = audit;
  if (failure !== null) return <ErrorNote title="The audit broke off" failure={failure} />;
  if (checks === null) return null;
  return (
    <section className={styles.audit} aria-label={`Audit of ${name}`} aria-busy={progress !== null}>
      <header className={styles.head}>
        <h3 className={styles.title} role="status">
          {progress === null ? auditSummary(checks, isCancelled) : 'Auditing'}
        </h3>
        {progress === null ? (
          <CopyButton label="Copy the audit as text" text={() => auditText(name, checks)} />
        ) : (
          <>
            <progress
              className={styles.progress}
              value={checks.length}
              max={Math.max(progress.total, 1)}
              aria-label="Checks made"
            />
            <Button size="small" onClick={cancel}>
              Cancel
            </Button>
          </>
        )}
      </header>
      {progress === null ? <p>{auditCounts(checks)}</p> : null}
      <table className={styles.checks}>
        <tbody>
          {checks.map(({ name: check, status, evidence }) => (
            <tr key={check}>
              <td>
                <span role="img" aria-label={status} title={MARKS[status].label}>
                  {MARKS[status].icon}
                </span>
              </td>
              <th scope="row">{check}</th>
              <td>{evidence}</td>
            </tr>
          ))}
          {progress === null || progress.running === null ? null : (
            <tr>
              <td>
                <LoaderCircle className={styles.running} aria-hidden="true" />
              </td>
              <th scope="row">{progress.running}</th>
              <td>…</td>
            </tr>
          )}
        </tbody>
      </table>
    </section>
  );
}

function auditSummary(checks: readonly AuditCheck[], isCancelled: boolean): string {
  const count = (status: AuditCheck['status']): number =>
    checks.filter((one) => one.status === status).length;
  const [failed, doubtful] = [count('fail'), count('warn')];
  if (failed > 0) return 'An episode cannot run here';
  if (isCancelled) return `Cancelled after ${String(checks.length)} checks`;
  if (doubtful > 0) return 'An episode can run here, with what is marked';
  return count('skip') === 0
    ? 'Everything was found in order'
    : 'Everything that was tried was found in order';
}

/** `12 passed · 1 warned · 0 failed · 2 not tried`. */
const auditCounts = (checks: readonly AuditCheck[]): string =>
  (['pass', 'warn', 'fail', 'skip'] as const)
    .map((status) => `${String(checks.filter((one) => one.status === status).length)} ${COUNTED[status]}`)
    .join(' · ');
const COUNTED = { pass: 'passed', warn: 'warned', fail: 'failed', skip: 'not tried' } as const;

const auditText = (name: string, checks: readonly AuditCheck[]): string =>
  [
    `Audit of ${name}`,
    ...checks.map(({ name: check, status, evidence }) => `${status}  ${check}: ${evidence}`),
  ].join('\n');
