// The verifier asked again, beside a replay: that it runs, its verdict against the recorded one, or why there is
// none.
import { CircleCheck, CircleX, ShieldCheck } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { kindOf } from '../../../shared/environmentKinds.ts';
import type { VerifyResult } from '../../../shared/contract/verify.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import type { FailureShape } from '../../../shared/failure.ts';
import { outcomeTextOf } from '../../../shared/taskOutcome.ts';
import { DataValue } from '../../parts/text/DataText.tsx';
import { Facts } from '../../parts/timeline/Facts.tsx';
import { useNow } from '../../state/hooks.ts';
import { Button } from '../../ui/Button.tsx';
import { cx, variantClass } from '../../ui/cx.ts';
import { asSentence, ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Input } from '../../ui/Field.tsx';
import { formatDuration } from '../../ui/time.ts';
import type { useVerify } from './useVerify.ts';
import * as styles from './VerifyPanel.module.css';
import { contradictionText, groundTexts, verdictLabel } from './verifyText.ts';

type Props = { whole: EpisodeRecord; verify: ReturnType<typeof useVerify> };

export function VerifyPanel({ whole, verify: { since, result, failure, run } }: Props): ReactNode {
  const recorded = whole.verified?.reward_type ?? null;
  return (
    <div className={styles.panel}>
      {result?.agreement === 'contradicts' ? <Contradiction result={result} /> : null}
      <p className={styles.quiet}>
        {recorded === null ? 'No verdict was recorded. ' : `Recorded: ${outcomeTextOf(recorded)}. `}
        Runs the verifier again on the episode’s final state. The episode is not changed.
      </p>
      <span>
        <Button
          tone="primary"
          icon={<ShieldCheck />}
          chord="replay.verify"
          isBusy={since !== null}
          onClick={() => run(null)}
        >
          Verify again
        </Button>
      </span>
      {since === null ? null : <VerifyRunning since={since} />}
      {failure === null ? null : (
        <NotVerified
          failure={failure}
          verifierData={whole.started === null ? null : kindOf(whole.started.environment).verifierData}
          run={run}
        />
      )}
      {result === null ? null : <VerifyOutcome result={result} />}
    </div>
  );
}

function VerifyRunning({ since }: { since: number }): ReactNode {
  const now = useNow();
  return <p role="status">{`The verifier runs: ${formatDuration(Math.max(0, now - since))}`}</p>;
}

function Contradiction({ result }: { result: VerifyResult }): ReactNode {
  return (
    <ErrorNote
      title="The verdicts contradict each other"
      failure={{
        code: 'verdict_contradicts',
        message: contradictionText(result),
        next: 'One of them is wrong. Find out which before you train on this episode or report it.',
      }}
    />
  );
}

function VerifyOutcome({ result }: { result: VerifyResult }): ReactNode {
  const { tone, text } = verdictLabel(result);
  return (
    <section className={styles.result} aria-label="Verdict">
      <p className={cx(styles.verdict, variantClass(styles, tone))} role="status">
        {tone === 'same' ? <CircleCheck aria-hidden="true" /> : null}
        {tone === 'differs' ? <CircleX aria-hidden="true" /> : null}
        {text}
      </p>
      {result.problem === null ? null : <p className={styles.why}>{asSentence(result.problem)}</p>}
      {result.next === null ? null : <p className={cx(styles.why, styles.quiet)}>{result.next}</p>}
      <Facts facts={[...groundTexts(result), ['Took', formatDuration(result.ms)]]} />
      {result.evidence === null ? null : <DataValue label="What it found" value={result.evidence} />}
    </section>
  );
}

type NotVerifiedProps = {
  failure: FailureShape;
  /** What a person may point to where no verifier is found. */
  verifierData: string | null;
  run: (folder: string | null) => void;
};

/** A verifier that is not there may lie in a folder that the person knows. */
function NotVerified({ failure, verifierData, run }: NotVerifiedProps): ReactNode {
  const [folder, setFolder] = useState('');
  const data = failure.code === 'not_found' ? verifierData : null;
  const next = data === null ? failure.next : `If you have the ${data}, enter its location.`;
  const start = (): void => (folder.trim() === '' ? undefined : run(folder.trim()));
  return (
    <>
      <ErrorNote title="Could not verify again" failure={{ ...failure, next }} />
      {data === null ? null : (
        <div className={styles.row}>
          <Field
            label={`Folder of the ${data}`}
            hint="On the computer that Interject runs on."
            className={styles.grow}
          >
            <Input
              isMono
              value={folder}
              onChange={({ target }) => setFolder(target.value)}
              onKeyDown={({ key }) => (key === 'Enter' ? start() : undefined)}
            />
          </Field>
          <Button isDisabled={folder.trim() === ''} onClick={start}>
            Verify with it
          </Button>
        </div>
      )}
    </>
  );
}
