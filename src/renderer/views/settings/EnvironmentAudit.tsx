// The audit of an environment, as `interject doctor --env` prints it: each promise, whether it is kept, and by what.
import { CircleCheck, CircleX, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Outputs } from '../../../shared/contract/contract.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import * as styles from './EnvironmentAudit.module.css';

type Check = Outputs['environments.audit']['checks'][number];

const MARKS = {
  pass: { label: 'kept', icon: <CircleCheck className={styles.pass} aria-hidden="true" /> },
  warn: { label: 'doubtful', icon: <TriangleAlert className={styles.warn} aria-hidden="true" /> },
  fail: { label: 'broken', icon: <CircleX className={styles.fail} aria-hidden="true" /> },
} as const;

export function EnvironmentAudit({ name, checks }: { name: string; checks: readonly Check[] }): ReactNode {
  return (
    <section className={styles.audit} aria-label={`Audit of ${name}`}>
      <header className={styles.head}>
        <h3 className={styles.title}>{auditSummary(checks)}</h3>
        <CopyButton label="Copy the audit as text" text={() => auditText(name, checks)} />
      </header>
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
        </tbody>
      </table>
    </section>
  );
}

function auditSummary(checks: readonly Check[]): string {
  const count = (status: Check['status']): number => checks.filter((one) => one.status === status).length;
  const [failed, doubtful] = [count('fail'), count('warn')];
  if (failed > 0) return 'An episode cannot run here';
  return doubtful === 0 ? 'Everything was found in order' : 'An episode can run here, with what is marked';
}

const auditText = (name: string, checks: readonly Check[]): string =>
  [
    `Audit of ${name}`,
    ...checks.map(({ name: check, status, evidence }) => `${status}  ${check}: ${evidence}`),
  ].join('\n');
