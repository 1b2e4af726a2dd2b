// Owns: writing an export, and saying where it is.
import { CircleCheck, FileDown } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { ExportRules, type ExportReport } from '../../../shared/contract/export.ts';
import { failureShape, type FailureShape } from '../../../shared/failure.ts';
import { useSession } from '../../state/hooks.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import styles from './DataView.module.css';
import type { ShownFormat } from './rules.ts';
import { untilDone } from './untilDone.ts';

export function Written({ format, rows }: { format: ShownFormat; rows: number }): ReactNode {
  const { call } = useSession();
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<FailureShape | null>(null);
  const [written, setWritten] = useState<ExportReport | null>(null);
  const write = async (): Promise<void> => {
    setIsBusy(true);
    setFailure(null);
    try {
      const rules = ExportRules.parse({});
      const job = await call('export.write', { format, rules, files: 'jsonl', kit: null, despite: [] });
      setWritten(await untilDone(call, job.export));
    } catch (thrown) {
      setFailure(failureShape(thrown));
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <div className={styles['write']}>
      <Button tone="primary" icon={<FileDown />} isBusy={isBusy} onClick={() => void write()}>
        Write {rows.toLocaleString()} {rows === 1 ? 'row' : 'rows'}
      </Button>
      {failure === null ? null : <ErrorNote title="Could not write the files" failure={failure} />}
      {written === null ? null : (
        <div className={styles['written']} role="status">
          <p className={styles['works']}>
            <CircleCheck aria-hidden="true" />
            {written.rows.toLocaleString()} {written.rows === 1 ? 'row' : 'rows'} written to
          </p>
          <p className={styles['folder']}>
            <code>{written.folder}</code>
            <CopyButton text={written.folder ?? ''} label="Copy the folder" />
          </p>
          <p className={styles['quiet']}>{written.files.join(', ')}</p>
        </div>
      )}
    </div>
  );
}
