// "Try first": calls made on a throw-away session in the state of an episode, and all that came of it, before
// anything is real. What is done with it afterwards belongs to the place it stands in.
import { Check, FlaskConical, X } from 'lucide-react';
import { useEffect, useId, useRef, type ReactNode } from 'react';
import { useRole } from '../../state/role.ts';
import { Button } from '../../ui/Button.tsx';
import { Cover, MarkedNote } from '../../ui/Cover.tsx';
import { useClockValue } from '../../ui/clock.ts';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { formatDuration } from '../../ui/time.ts';
import { formatCount } from '../text/size.ts';
import * as styles from './Preview.module.css';
import { PreviewResult } from './PreviewResult.tsx';
import { isSameCalls, usePreview, type PreviewAsk, type TryResult, type TryState } from './usePreview.ts';

type PreviewProps = PreviewAsk & {
  /** Why there is nothing to try yet; null when there is. */
  problem?: string | null;
  /** Makes it real, where this place can. */
  commit?: { label: string; run: () => void } | null;
};

export function Preview({ problem = null, commit = null, ...ask }: PreviewProps): ReactNode {
  const { state, run, drop } = usePreview(ask);
  const title = useId();
  const section = useRef<HTMLElement>(null);
  // What was asked for is looked at next; a long card would hide it below its edge.
  useEffect(() => {
    if (state.type !== 'idle') section.current?.scrollIntoView({ block: 'nearest' });
  }, [state.type]);
  const count = ask.calls.length;
  return (
    <section ref={section} className={styles.preview} aria-labelledby={title}>
      <div className={styles.head}>
        <h4 id={title} className={styles.title}>
          Try first
        </h4>
        <Button
          size="small"
          icon={<FlaskConical />}
          isBusy={state.type === 'running'}
          isDisabled={problem !== null || count === 0}
          onClick={() => void run(false)}
        >
          {state.type === 'idle' ? `Try first: ${formatCount(count, 'call')}` : 'Try again'}
        </Button>
        {state.type === 'idle' || state.type === 'running' ? null : (
          <Button size="small" tone="quiet" icon={<X />} onClick={drop}>
            Drop
          </Button>
        )}
      </div>
      {problem === null ? (
        <p className={styles.note}>
          Runs in a separate session that is thrown away. Nothing reaches the episode.
        </p>
      ) : (
        <p className={styles.note}>{problem}</p>
      )}
      <PreviewOutcome state={state} ask={ask} onVerdict={() => void run(true)} onCancel={drop} />
      {state.type === 'done' && commit !== null ? (
        <div className={styles.acts}>
          <Button size="small" tone="primary" icon={<Check />} onClick={commit.run}>
            {commit.label}
          </Button>
        </div>
      ) : null}
    </section>
  );
}

type OutcomeProps = { state: TryState; ask: PreviewAsk; onVerdict: () => void; onCancel: () => void };

function PreviewOutcome({ state, ask, onVerdict, onCancel }: OutcomeProps): ReactNode {
  switch (state.type) {
    case 'idle':
      return null;
    case 'running':
      return (
        <>
          <PreviewRunning since={state.since} ask={ask} onCancel={onCancel} />
          {state.before === null ? null : <PreviewResult result={state.before} calls={ask.calls} />}
        </>
      );
    case 'failed':
      return <ErrorNote title="Could not try it" failure={state.failure} />;
    case 'done':
      return (
        <>
          {isSameCalls(state.calls, ask.calls) ? null : (
            <p className={styles.stale} role="status">
              The text has changed since this trial.
            </p>
          )}
          <PreviewResult result={state.result} calls={state.calls} />
          <PreviewVerdict result={state.result} onShow={onVerdict} />
        </>
      );
  }
}

function PreviewRunning({
  since,
  ask,
  onCancel,
}: {
  since: number;
  ask: PreviewAsk;
  onCancel: () => void;
}): ReactNode {
  const took = useClockValue((now) => formatDuration(Math.max(0, now - since)));
  const again =
    ask.afterTurn === 0 ? 'A fresh session' : `A fresh session, brought to turn ${String(ask.afterTurn)}`;
  return (
    <p className={styles.running} role="status">
      {`${again}, then ${formatCount(ask.calls.length, 'call')}. ${took}`}
      <Button size="small" tone="quiet" onClick={onCancel}>
        Cancel
      </Button>
    </p>
  );
}

/** Behind its cover, as the answer key is: seeing it marks this seat's advice on the task. */
function PreviewVerdict({ result, onShow }: { result: TryResult; onShow: () => void }): ReactNode {
  const isExpert = useRole() === 'expert';
  if (result.verdict !== null)
    return (
      <MarkedNote>
        <strong>{`The verifier would say: ${result.verdict}.`}</strong> Your advice on this task is marked:
        you have seen the verdict.
      </MarkedNote>
    );
  if (isExpert) return null;
  return <Cover what="Show the verifier’s opinion" onShow={onShow} />;
}
