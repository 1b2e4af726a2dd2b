// A set of episodes opened in main, how far its reading is, and the newest report on it.
import { useEffect, useState } from 'react';
import type { LabReport, ScoredFrom, Scoring } from '../../../shared/contract/rewards.ts';
import { failureShape, type FailureShape } from '../../../shared/failure.ts';
import type { Measure } from '../../../shared/rewards/breakdown.ts';
import type { RewardSettings } from '../../../shared/rewards/settings.ts';
import type { Session } from '../../state/createSession.ts';
import { useSession } from '../../state/hooks.ts';

type Opened = { key: string; set: string | null; total: number; failure: FailureShape | null };

export type OpenSet = {
  set: string | null;
  /** Episodes in it; null until that is known. */
  total: number | null;
  failure: FailureShape | null;
  /** Opens it again, with what has ended since. */
  again: () => void;
};

/** The set of what `from` names; closed when it names something else, or with the view. */
export function useSet(from: ScoredFrom): OpenSet {
  const { call } = useSession();
  const [tries, setTries] = useState(0);
  const key = `${String(tries)} ${JSON.stringify(from)}`;
  const [opened, setOpened] = useState<Opened | null>(null);
  useEffect(() => {
    let isCurrent = true;
    const opening = call('rewards.open', { from });
    opening.then(
      ({ set, total }) => (isCurrent ? setOpened({ key, set, total, failure: null }) : undefined),
      (thrown: unknown) =>
        isCurrent ? setOpened({ key, set: null, total: 0, failure: failureShape(thrown) }) : undefined,
    );
    return () => {
      isCurrent = false;
      // Not there, or no line any more: then there is nothing to close.
      opening.then(({ set }) => call('rewards.close', { set })).catch(() => undefined);
    };
    // `key` says what `from` is.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [call, key]);
  const isCurrent = opened?.key === key;
  return {
    set: isCurrent ? opened.set : null,
    total: isCurrent && opened.failure === null ? opened.total : null,
    failure: isCurrent ? opened.failure : null,
    again: () => setTries((count) => count + 1),
  };
}

export type LabRequest = { measure: Measure; before: Scoring; after: RewardSettings };
export type ScoringProgress = { done: number; total: number };
type HeldReport = {
  set: string;
  report: LabReport | null;
  progress: ScoringProgress | null;
  failure: FailureShape | null;
};

export type ScoredReport = Omit<HeldReport, 'set'> & {
  /** A newer report is on its way. */
  isBusy: boolean;
};

const LAB_SETTLE_MS = 120;
const LAB_POLL_MS = 150;

/** The report on a set; the last one stays while the next is made, or while `asked` is null. */
export function useReport(set: string | null, asked: LabRequest | null): ScoredReport {
  const { call } = useSession();
  const [held, setHeld] = useState<HeldReport | null>(null);
  const [busyWith, setBusyWith] = useState<string | null>(null);
  const key = asked === null ? null : JSON.stringify(asked);
  useEffect(() => {
    if (set === null || asked === null || key === null) return undefined;
    const stop = new AbortController();
    const { signal } = stop;
    setBusyWith(key);
    const tell = (next: Partial<HeldReport>): void => {
      if (signal.aborted) return;
      setHeld((old) => ({
        ...(old?.set === set ? old : { set, report: null }),
        progress: null,
        failure: null,
        ...next,
      }));
    };
    void score(call, set, asked, signal, (progress) => tell({ progress }))
      .then(
        (report) => tell(report === null ? {} : { report }),
        (thrown: unknown) => tell({ failure: failureShape(thrown) }),
      )
      .finally(() => (signal.aborted ? undefined : setBusyWith(null)));
    return () => stop.abort();
    // oxlint-disable-next-line react/exhaustive-deps
  }, [call, set, key]);
  const current = held?.set === set ? held : null;
  return {
    report: current?.report ?? null,
    progress: current?.progress ?? null,
    failure: current?.failure ?? null,
    isBusy: busyWith !== null && busyWith === key,
  };
}

/** Asks until the set is read; null when it is no longer wanted. */
async function score(
  call: Session['call'],
  set: string,
  { measure, before, after }: LabRequest,
  signal: AbortSignal,
  onProgress: (progress: ScoringProgress) => void,
): Promise<LabReport | null> {
  await wait(LAB_SETTLE_MS);
  while (!signal.aborted) {
    const scored = await call('rewards.score', { set, measure, before, after: { settings: after } });
    if (scored.state === 'done') return scored.report;
    onProgress({ done: scored.done, total: scored.total });
    await wait(LAB_POLL_MS);
  }
  return null;
}

const wait = (ms: number): Promise<void> => new Promise((wake) => setTimeout(wake, ms));
