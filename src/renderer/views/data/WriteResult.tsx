// The result of a write: where it is, what it holds, how to make it again; or why there is none.
import { CircleCheck, CircleSlash, X } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ExportJob, ExportReport } from '../../../shared/contract/export.ts';
import { FORMATS } from '../../../shared/export/formats.ts';
import { formatBytes, formatCount } from '../../parts/text/size.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { OpenFolder } from './HistoryList.tsx';
import * as styles from './WriteResult.module.css';
import type { ExportWriting } from './exportJobs.ts';

export function WriteResult({ writing }: { writing: ExportWriting }): ReactNode {
  const { job, failure, isRunning, close } = writing;
  if (isRunning) return null;
  if (failure !== null) {
    return (
      <ErrorNote
        title="Nothing was written"
        failure={failure}
        action={
          <Button size="small" onClick={close}>
            Close
          </Button>
        }
      />
    );
  }
  if (job === null) return null;
  if (job.state === 'cancelled') {
    return (
      <div className={styles.result} role="status">
        <p className="row-2">
          <CircleSlash aria-hidden="true" />
          <strong className="grows">Export cancelled. No files were kept.</strong>
          <IconButton label="Close" icon={<X />} onClick={close} />
        </p>
      </div>
    );
  }
  return job.report === null ? null : <WriteDone job={job} report={job.report} onClose={close} />;
}

function WriteDone({
  job,
  report,
  onClose,
}: {
  job: ExportJob;
  report: ExportReport;
  onClose: () => void;
}): ReactNode {
  const { folder, files, sizes = {}, bytes, rows } = report;
  return (
    <section className={styles.result} aria-label="Written">
      <p className="row-2" role="status">
        <CircleCheck className={styles.ok} aria-hidden="true" />
        <strong className="grows">
          {`${formatCount(rows, 'row')} written: ${FORMATS[job.format].label}, ${formatBytes(bytes)}`}
        </strong>
        <IconButton label="Close" icon={<X />} onClick={onClose} />
      </p>
      {folder === null ? null : (
        <p className="row-2 breaks">
          <code>{folder}</code>
          <CopyButton text={folder} label="Copy the folder" />
          <OpenFolder folder={folder} />
        </p>
      )}
      <ul className={styles.files} aria-label="Files">
        {files.map((file) => (
          <li key={file}>
            <code>{file}</code> {sizes[file] === undefined ? '' : formatBytes(sizes[file])}
          </li>
        ))}
      </ul>
    </section>
  );
}
