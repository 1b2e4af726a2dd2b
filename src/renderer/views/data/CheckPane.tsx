// What a check says of the data as it would be written: how it is going, counts, what was left out, what was found.
import { RefreshCw, X } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ExportReport } from '../../../shared/contract/export.ts';
import { useConsole } from '../../state/hooks.ts';
import { Button } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Counts } from './Counts.tsx';
import * as styles from './CheckPane.module.css';
import { Drops } from './Drops.tsx';
import { Findings } from './Findings.tsx';
import { NothingKept } from './NothingKept.tsx';
import { jobProgressText } from './jobRunner.ts';
import type { RuleName } from './rulesModel.ts';
import { Samples } from './Samples.tsx';
import type { Check } from './useExportCheck.ts';
import type { ExportForm } from './useForm.ts';

type CheckPaneProps = {
  form: ExportForm;
  check: Check;
  despite: ReadonlySet<string>;
  onDespite: (despite: ReadonlySet<string>) => void;
  /** Leads to a rule of the form. */
  onRule: (name: RuleName) => void;
};

export function CheckPane({ form, check, despite, onDespite, onRule }: CheckPaneProps): ReactNode {
  const { report, failure, isStale } = check;
  const notes = report?.findings.filter(({ level }) => level === 'note') ?? [];
  const urgent = report?.findings.filter(({ level }) => level !== 'note') ?? [];
  return (
    <>
      <CheckLine check={check} />
      {failure === null ? null : (
        <ErrorNote
          title="Could not check the export"
          failure={failure}
          action={
            <Button size="small" onClick={check.again}>
              Check again
            </Button>
          }
        />
      )}
      {report === null && failure === null && !check.isCancelled ? (
        <Skeleton rows={9} label="Checking the export" />
      ) : null}
      {report === null ? null : (
        <div className={cx(styles.report, isStale && styles.isStale)} aria-busy={isStale}>
          {report.rows === 0 ? (
            <NothingKept form={form} report={report} />
          ) : (
            <>
              <Counts report={report} rules={form.rules} />
              <Findings label="Findings" findings={urgent} despite={despite} onDespite={onDespite} />
            </>
          )}
          <Drops report={report} form={form} onRule={onRule} />
          {report.rows === 0 || notes.length === 0 ? null : (
            <Findings label="Notes" findings={notes} despite={despite} onDespite={onDespite} />
          )}
          {report.sample.length === 0 ? null : <Samples key={form.format} samples={report.sample} />}
        </div>
      )}
    </>
  );
}

/** How the check is going; the place is always the same height, so that nothing below it jumps. */
function CheckLine({ check }: { check: Check }): ReactNode {
  const { job, isRunning, isStale, isCancelled, report, at } = check;
  const newer = useConsole(({ record }) => {
    if (report === null) return 0;
    let count = 0;
    for (const row of record.rows.values()) if (row.status === 'ended' && row.updated_at > at) count += 1;
    return count;
  });
  return (
    <div className={styles.line}>
      <h2 className={styles.title}>Preview</h2>
      {isRunning ? (
        <>
          <progress
            className={styles.progress}
            aria-label="Check"
            {...(job === null || job.total === 0 ? {} : { max: job.total, value: job.done })}
          />
          <span className={styles.quiet}>{jobProgressText('Reading', job)}</span>
          <Button size="small" tone="quiet" icon={<X />} chord="data.cancel" onClick={check.cancel}>
            Cancel
          </Button>
        </>
      ) : (
        <>
          <span className={styles.quiet} role="status">
            {isCancelled
              ? report === null
                ? 'The check was cancelled'
                : 'Check cancelled. The results below are for earlier rules'
              : report === null
                ? ''
                : readLabel(report)}
            {report === null || isCancelled || isStale ? null : (
              <>
                {', '}
                <RelativeTime at={at} isSpoken />
                {newer === 0 ? '' : `; ${newer.toLocaleString()} ended since`}
              </>
            )}
          </span>
          <Button size="small" tone="quiet" icon={<RefreshCw />} chord="data.check" onClick={check.again}>
            Check again
          </Button>
        </>
      )}
    </div>
  );
}

const readLabel = ({ episodes: { read } }: ExportReport): string =>
  read === 1 ? '1 episode read' : `${read.toLocaleString()} episodes read`;
