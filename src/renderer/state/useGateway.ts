// The state of the gateway, for the views that show it: who came to which door, what waits, what was lost.
import { useEffect, useState } from 'react';
import type { GatewayStatus } from '../../shared/contract/gateway.ts';
import { useSession } from './hooks.ts';

/** Null until main has told it, and for an expert's seat, which is not told. */
export function useGateway(): GatewayStatus | null {
  const { watch } = useSession();
  const [status, setStatus] = useState<GatewayStatus | null>(null);
  useEffect(
    () =>
      watch({ topic: 'gateway' }, (push) => {
        if (push.topic === 'gateway') setStatus(push.status);
      }),
    [watch],
  );
  return status;
}
