// Owns: the verifier asked again, beside a replay: that it runs, its verdict against the recorded one, or why there is none.
import { CircleCheck, CircleX, ShieldCheck } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { VerifyResult } from '../../../shared/contract/verify.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import type { FailureShape } from '../../../shared/failure.ts';
import { DataValue } from '../../parts/text/DataText.tsx';
import { Facts } from '../../parts/timeline/Facts.tsx';
import { useNow } from '../../state/hooks.ts';
import { Button } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Input } from '../../ui/Field.tsx';
import { formatDuration } from '../../ui/time.ts';
import type { useVerify } from './useVerify.ts';
import styles from './VerifyPanel.module.css';
import { groundWords, verdictWords } from './verifyWords.ts';

type Props = { whole: EpisodeRecord; verify: ReturnType<typeof useVerify> };

export function VerifyPanel({ whole, verify: { since, result, failure, run } }: Props): ReactNode {
  const recorded = whole.verified?.reward_type ?? null;
  return (
    <div className={styles['panel']}>
      <p className={styles['quiet']}>
        {recorded === null ? 'No verdict was recorded. ' : `Recorded: ${recorded.replaceAll('_', ' ')}. `}
        The verifier is asked again over the state the episode ended in; the episode stays as it is.
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
      {since === null ? null : <Running since={since} />}
      {failure === null ? null : (
        <NotVerified failure={failure} isBuiltIn={whole.started?.environment.builtin === true} run={run} />
      )}
      {result === null ? null : <Result result={result} />}
    </div>
  );
}

function Running({ since }: { since: number }): ReactNode {
  const now = useNow();
  return <p role="status">{`The verifier runs: ${formatDuration(Math.max(0, now - since))}`}</p>;
}

function Result({ result }: { result: VerifyResult }): ReactNode {
  const { tone, text } = verdictWords(result);
  return (
    <section className={styles['result']} aria-label="Verdict">
      <p className={cx(styles['verdict'], styles[tone])} role="status">
        {tone === 'ok' ? <CircleCheck aria-hidden="true" /> : null}
        {tone === 'error' ? <CircleX aria-hidden="true" /> : null}
        {text}
      </p>
      {result.problem === null ? null : <p>{result.problem}</p>}
      <Facts facts={[...groundWords(result), ['Took', formatDuration(result.ms)]]} />
      {result.evidence === null ? null : <DataValue label="What it found" value={result.evidence} />}
    </section>
  );
}

type NotVerifiedProps = {
  failure: FailureShape;
  isBuiltIn: boolean;
  run: (folder: string | null) => void;
};

/** A verifier that is not there may lie in a folder that the person knows. */
function NotVerified({ failure, isBuiltIn, run }: NotVerifiedProps): ReactNode {
  const [folder, setFolder] = useState('');
  const isMissing = failure.code === 'not_found' && !isBuiltIn;
  const next = isMissing ? 'If you have the Agent World Model data, say where it lies.' : failure.next;
  const start = (): void => (folder.trim() === '' ? undefined : run(folder.trim()));
  return (
    <>
      <ErrorNote title="It could not be verified again" failure={{ ...failure, next }} />
      {isMissing ? (
        <div className={styles['row']}>
          <Field
            label="Folder of the Agent World Model data"
            hint="On the computer that Interject runs on."
            className={styles['grow']}
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
      ) : null}
    </>
  );
}
