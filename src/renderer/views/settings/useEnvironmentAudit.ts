// An audit of one environment from the click to its result: how far it is, and giving it up.
import { useEffect, useRef, useState } from 'react';
import type { Outputs } from '../../../shared/contract/contract.ts';
import { failureShape, type FailureShape } from '../../../shared/failure.ts';
import { useSession } from '../../state/hooks.ts';
import { useAsk } from '../../state/queries.ts';

export type AuditCheck = Outputs['environments.audit']['checks'][number];
export type AuditProgress = Outputs['environments.audit_progress'];

export type EnvironmentAuditState = {
  /** Null before the first audit; while one runs, what is known so far. */
  checks: readonly AuditCheck[] | null;
  /** Null while no audit runs. */
  progress: AuditProgress | null;
  isCancelled: boolean;
  failure: FailureShape | null;
  start: () => Promise<void>;
  cancel: () => void;
};

type Ended = { checks: readonly AuditCheck[]; isCancelled: boolean };

const ASK_AGAIN_MS = 400;
const BEGINNING: AuditProgress = { checks: [], running: null, total: 0 };

export function useEnvironmentAudit(environment: string): EnvironmentAuditState {
  const { call } = useSession();
  const [running, setRunning] = useState<string | null>(null);
  const [ended, setEnded] = useState<Ended | null>(null);
  const [failure, setFailure] = useState<FailureShape | null>(null);
  const { value } = useAsk('environments.audit_progress', running === null ? null : { id: running }, {
    everyMs: ASK_AGAIN_MS,
    keepsPrevious: false,
  });
  const current = useRef<string | null>(null);
  const give = (id: string | null): void => {
    if (id !== null) void call('request.cancel', { id }).catch(() => undefined);
  };
  // A view that is left audits nothing more.
  useEffect(
    () => () => {
      const id = current.current;
      if (id !== null) void call('request.cancel', { id }).catch(() => undefined);
    },
    [call],
  );
  const start = async (): Promise<void> => {
    const id = crypto.randomUUID();
    current.current = id;
    setRunning(id);
    setFailure(null);
    setEnded(null);
    try {
      const { checks, is_cancelled: isCancelled } = await call('environments.audit', { environment, id });
      setEnded({ checks, isCancelled });
    } catch (thrown) {
      setFailure(failureShape(thrown));
    }
    current.current = null;
    setRunning(null);
  };
  const progress = running === null ? null : (value ?? BEGINNING);
  return {
    checks: progress?.checks ?? ended?.checks ?? null,
    progress,
    isCancelled: ended?.isCancelled ?? false,
    failure,
    start,
    cancel: () => give(current.current),
  };
}
