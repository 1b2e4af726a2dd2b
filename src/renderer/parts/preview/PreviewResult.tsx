// What a try showed: each call's result, how far the rebuilt state can be trusted, and behind a cover what it changed
// in the world.
import { CircleCheck, CircleX } from 'lucide-react';
import type { ReactNode } from 'react';
import { isToolError } from '../../../shared/wire.ts';
import { useSession } from '../../state/hooks.ts';
import { DataText, DataValue } from '../text/DataText.tsx';
import { formatCount } from '../text/size.ts';
import { DriftList } from '../timeline/DriftList.tsx';
import { CoveredChanges } from '../world/Covered.tsx';
import * as styles from './Preview.module.css';
import type { PlannedTry, TryResult } from './usePreview.ts';

type TriedCall = TryResult['results'][number];

const isTryFailed = ({ error, reward_type: label }: TriedCall): boolean => isToolError(error, label);

export function PreviewResult({
  result,
  calls,
}: {
  result: TryResult;
  calls: readonly PlannedTry[];
}): ReactNode {
  const { results, replayed, drift, preview } = result;
  const { call } = useSession();
  const failed = results.filter(isTryFailed).length;
  return (
    <div className={styles.result} aria-label="Trial result" role="group">
      <p className={styles.summary} role="status">
        <strong>
          {failed === 0
            ? `${formatCount(results.length, 'call')} accepted by the environment.`
            : `${String(failed)} of ${String(results.length)} failed.`}
        </strong>{' '}
        {preview === null ? 'Changes to the world cannot be read here.' : null}
      </p>
      <DriftList drift={drift} replayed={replayed} />
      <ol className={styles.tried}>
        {results.map((tried, index) => (
          // Calls of one try have no other name than their place.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index}>
            <TriedCallRow tried={tried} given={calls[index]} />
          </li>
        ))}
      </ol>
      {preview === null ? null : (
        <CoveredChanges
          // Another try has another difference.
          key={preview}
          what="Show changes to the world"
          read={() => call('preview.changes', { preview })}
          label={(rows) => `It would change ${rows}`}
        />
      )}
    </div>
  );
}

function TriedCallRow({ tried, given }: { tried: TriedCall; given: PlannedTry | undefined }): ReactNode {
  const hasFailed = isTryFailed(tried);
  return (
    <details open={hasFailed}>
      <summary className={hasFailed ? styles.failed : styles.worked}>
        {hasFailed ? <CircleX aria-hidden="true" /> : <CircleCheck aria-hidden="true" />}
        <code>{tried.tool_name}</code> {tried.reward_type ?? (hasFailed ? 'error' : 'ok')}
      </summary>
      {given === undefined ? null : <DataValue label="With" value={given.arguments} />}
      {tried.error === null ? null : <DataText label="Error" text={tried.error} tone="error" />}
      {tried.text === null ? null : <DataText label="Result" text={tried.text} />}
    </details>
  );
}
