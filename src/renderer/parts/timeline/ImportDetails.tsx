// Owns: where an imported episode came from: its file, what that did not record, what was odd and where.
import type { ReactNode } from 'react';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { DataValue } from '../text/DataText.tsx';
import { formatBytes } from '../text/size.ts';
import styles from './Details.module.css';
import { Facts } from './Facts.tsx';

export function ImportDetails({ record: { imported } }: { record: EpisodeRecord }): ReactNode {
  if (imported === null) return null;
  const { source, version, companions, not_recorded: lacks, diagnostics, extra } = imported;
  return (
    <>
      <Facts
        facts={[
          ['File', source.name],
          ['Size', formatBytes(source.bytes)],
          ['Episode of the file', source.index + 1],
          ['Version', version],
          ['SHA-256', source.sha256.slice(0, 12)],
          ['Kept beside it', companions.map(({ name }) => name).join(', ')],
        ]}
      />
      {lacks.length === 0 ? null : (
        <p className={styles['note']}>{`This file does not record: ${lacks.join(', ')}.`}</p>
      )}
      {diagnostics.length === 0 ? null : (
        <ul className={styles['list']} aria-label="What was odd in the file">
          {diagnostics.map(({ code, message, pointer, count }) => (
            <li key={`${code}${pointer ?? ''}`}>
              {message}
              {pointer === null ? null : <code>{` ${pointer}`}</code>}
              {count > 1 ? ` (${String(count)} times)` : ''}
            </li>
          ))}
        </ul>
      )}
      {Object.keys(extra).length === 0 ? null : <DataValue label="What else the file says" value={extra} />}
    </>
  );
}
