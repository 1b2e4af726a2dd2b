// Owns: what a try showed: each call's result, how far the rebuilt state can be trusted, what it changed in the world.
import { CircleCheck, CircleX } from 'lucide-react';
import type { ReactNode } from 'react';
import { isToolError } from '../../../shared/wire.ts';
import { DataText, DataValue } from '../text/DataText.tsx';
import { DriftList } from '../timeline/DriftList.tsx';
import { Changes } from '../world/Changes.tsx';
import { changedRows, rowsWords } from '../world/changeWords.ts';
import styles from './Preview.module.css';
import type { PlannedTry, TryResult } from './usePreview.ts';

type Tried = TryResult['results'][number];

const isFailed = ({ error, reward_type: label }: Tried): boolean => isToolError(error, label);

export function PreviewResult({
  result,
  calls,
}: {
  result: TryResult;
  calls: readonly PlannedTry[];
}): ReactNode {
  const { results, replayed, drift, changes } = result;
  const failed = results.filter(isFailed).length;
  return (
    <div className={styles['result']} aria-label="What the try showed" role="group">
      <p className={styles['summary']} role="status">
        <strong>
          {failed === 0 ? 'It works.' : `${String(failed)} of ${String(results.length)} failed.`}
        </strong>{' '}
        {changes === null
          ? 'What it would change cannot be read for this world.'
          : `It would change ${rowsWords(changedRows(changes))}.`}
      </p>
      <DriftList drift={drift} replayed={replayed} />
      <ol className={styles['tried']}>
        {results.map((tried, index) => (
          // Calls of one try have no other name than their place.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index}>
            <Call tried={tried} given={calls[index]} />
          </li>
        ))}
      </ol>
      {changes === null || changes.length === 0 ? null : (
        <>
          <h5 className={styles['label']}>What it would change</h5>
          <Changes changes={changes} />
        </>
      )}
    </div>
  );
}

function Call({ tried, given }: { tried: Tried; given: PlannedTry | undefined }): ReactNode {
  const hasFailed = isFailed(tried);
  return (
    <details open={hasFailed}>
      <summary className={hasFailed ? styles['failed'] : styles['worked']}>
        {hasFailed ? <CircleX aria-hidden="true" /> : <CircleCheck aria-hidden="true" />}
        <code>{tried.tool_name}</code> {tried.reward_type ?? (hasFailed ? 'error' : 'ok')}
      </summary>
      {given === undefined ? null : <DataValue label="With" value={given.arguments} />}
      {tried.error === null ? null : <DataText label="Error" text={tried.error} tone="error" />}
      {tried.text === null ? null : <DataText label="Result" text={tried.text} />}
    </details>
  );
}
