// Asking an episode's verifier again: since when it runs, what it said, why it could not.
import { useState } from 'react';
import type { VerifyResult } from '../../../shared/contract/verify.ts';
import type { FailureShape } from '../../../shared/failure.ts';
import { useSession } from '../../state/hooks.ts';
import { useAct } from '../../state/queries.ts';

type Verifying = {
  /** UTC ms; null while none runs. */
  since: number | null;
  result: VerifyResult | null;
  failure: FailureShape | null;
  /** `folder` is where the Agent World Model data lies, null for the usual place. */
  run: (folder: string | null) => void;
};

export function useVerify(episode: string): Verifying {
  const { call } = useSession();
  const [since, setSince] = useState(0);
  const [result, setResult] = useState<VerifyResult | null>(null);
  const { run, isBusy, failure } = useAct(async (folder: string | null) => {
    setSince(Date.now());
    setResult(null);
    setResult(await call('episode.verify', { episode, awm_data: folder }));
  });
  return { since: isBusy ? since : null, result, failure, run: (folder) => void run(folder) };
}
