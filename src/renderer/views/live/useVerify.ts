// Asking an episode's verifier again: since when it runs, what it said, why it could not.
import { useRef, useState } from 'react';
import type { VerifyResult } from '../../../shared/contract/verify.ts';
import { failureShape, type FailureShape } from '../../../shared/failure.ts';
import { useSession } from '../../state/hooks.ts';

type Verifying = {
  /** UTC ms; null while none runs. */
  since: number | null;
  result: VerifyResult | null;
  failure: FailureShape | null;
};

/** One at a time; `folder` is where the Agent World Model data lies, null for the usual place. */
export function useVerify(episode: string): Verifying & { run: (folder: string | null) => void } {
  const { call } = useSession();
  const [state, setState] = useState<Verifying>({ since: null, result: null, failure: null });
  const isBusy = useRef(false);
  const run = (folder: string | null): void => {
    if (isBusy.current) return;
    isBusy.current = true;
    setState({ since: Date.now(), result: null, failure: null });
    call('episode.verify', { episode, awm_data: folder })
      .then(
        (result) => setState({ since: null, result, failure: null }),
        (thrown: unknown) => setState({ since: null, result: null, failure: failureShape(thrown) }),
      )
      .finally(() => {
        isBusy.current = false;
      });
  };
  return { ...state, run };
}
