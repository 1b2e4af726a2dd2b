// Audits of environments that consoles asked for: one at a time for each name, watched and cancelled by it.
import type { Handlers } from '../../shared/contract/contract.ts';
import { AUDIT_CHECKS, auditEnvironment, type AuditCheck } from '../environments/audit.ts';
import type { Environment } from '../environments/port.ts';
import type { Requests } from './requests.ts';

/** Longer than the slowest reset that servers are known for. */
const AUDIT_MS = 10 * 60_000;

type AuditHandlers = Pick<Handlers, 'environments.audit' | 'environments.audit_progress'>;
type RunningAudit = { checks: AuditCheck[]; running: string | null };

/** The check that says whether two sessions are kept apart. */
const ISOLATION = 'sessions at once';

/** `onIsolation` hears what an audit saw of two sessions: the evidence that they are kept apart, or null. */
export function auditHandlers(
  requests: Requests,
  environmentOf: (id: string) => Environment,
  onIsolation: (environment: string, evidence: string | null) => void,
): AuditHandlers {
  const audits = new Map<string, RunningAudit>();
  return {
    'environments.audit': ({ environment, id = '' }, { seat }) =>
      requests.run(seat, id, async (giveUp) => {
        const audit: RunningAudit = { checks: [], running: null };
        if (id !== '') audits.set(id, audit);
        try {
          const signal = AbortSignal.any([giveUp, AbortSignal.timeout(AUDIT_MS)]);
          const onBegin = (check: string): void => void (audit.running = check);
          for await (const check of auditEnvironment(environmentOf(environment), signal, { onBegin })) {
            audit.checks.push(check);
            if (check.name === ISOLATION)
              onIsolation(environment, check.status === 'pass' ? check.evidence : null);
          }
          if (signal.aborted && !giveUp.aborted) audit.checks.push(tooLong(audit.running));
          return { checks: audit.checks, is_cancelled: giveUp.aborted };
        } finally {
          audits.delete(id);
        }
      }),
    'environments.audit_progress': async ({ id }) => {
      const { checks, running } = audits.get(id) ?? { checks: [], running: null };
      return { checks, running, total: AUDIT_CHECKS };
    },
  };
}

const tooLong = (running: string | null): AuditCheck => ({
  name: running ?? 'audit',
  status: 'fail',
  evidence: `not done after ${String(AUDIT_MS / 60_000)} minutes`,
});
