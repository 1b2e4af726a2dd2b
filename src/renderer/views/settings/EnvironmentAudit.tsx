// The audit of an environment, as `interject doctor --env` prints it: each promise, whether it is kept, and by what.
import { CircleCheck, CircleMinus, CircleX, LoaderCircle, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import type { AuditCheck, EnvironmentAuditState } from './useEnvironmentAudit.ts';
import * as styles from './EnvironmentAudit.module.css';

const MARKS = {
  pass: { label: 'kept', icon: <CircleCheck className={styles.pass} aria-hidden="true" /> },
  warn: { label: 'doubtful', icon: <TriangleAlert className={styles.warn} aria-hidden="true" /> },
  fail: { label: 'broken', icon: <CircleX className={styles.fail} aria-hidden="true" /> },
  skip: { label: 'not tried', icon: <CircleMinus className={styles.skip} aria-hidden="true" /> },
} as const;

export function EnvironmentAudit({ name, audit }: { name: string; audit: EnvironmentAuditState }): ReactNode {
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
          {checks.map((check) => (
            <CheckRow key={check.name} {...check} />
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

function CheckRow({ name, status, evidence }: AuditCheck): ReactNode {
  return (
    <tr>
      <td>
        <span role="img" aria-label={status} title={MARKS[status].label}>
          {MARKS[status].icon}
        </span>
      </td>
      <th scope="row">{name}</th>
      <td>{evidence}</td>
    </tr>
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
export const auditCounts = (checks: readonly Pick<AuditCheck, 'status'>[]): string =>
  (['pass', 'warn', 'fail', 'skip'] as const)
    .map((status) => `${String(checks.filter((one) => one.status === status).length)} ${COUNTED[status]}`)
    .join(' · ');
const COUNTED = { pass: 'passed', warn: 'warned', fail: 'failed', skip: 'not tried' } as const;

const auditText = (name: string, checks: readonly AuditCheck[]): string =>
  [
    `Audit of ${name}`,
    ...checks.map(({ name: check, status, evidence }) => `${status}  ${check}: ${evidence}`),
  ].join('\n');
